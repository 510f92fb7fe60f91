"""Questions from files, by page and by command; the starter test; deleting and restoring."""

import json
from collections import Counter
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client, override_settings

from common.errors import Refused
from crowd.models import Campaign
from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from crowd.services.campaigns import campaign_update
from ratings import example_check
from ratings.example_files import MAX_FILE_BYTES, Kind, examples_read
from ratings.models import GoldItem, QualificationAttempt, QualificationItem, Rating
from ratings.selectors.gold import gold_for_test
from ratings.selectors.qualification import deleted_items, practice_items, qualification_items, starter_items
from ratings.services.gold import gold_create, gold_to_test
from ratings.services.starter_test import starter_test_add, starter_test_missing
from tests.support.factories import (
    EXAMPLE,
    RATE,
    add_qualification,
    enrol,
    judged_campaign,
    make_campaign,
    rate_all,
    readable,
    staff_client,
    worker_client,
)

pytestmark = pytest.mark.django_db

QUESTION = {"source": "A long text.", "compression": "A text.", "answers": {"meaning": [2, 3], "grammar": [3]}}
TEST = {**QUESTION, "why": "One word is gone."}
TABLE = "source,compression,meaning,grammar,why\nA long text.,A text.,2 3,3,One word is gone.\n"


def jsonl(*lines: object) -> bytes:
    return "\n".join(json.dumps(line) for line in lines).encode()


def staff_of(campaign: Campaign) -> Client:
    return staff_client(campaign.staff.get())


def sent(campaign: Campaign, path: str, content: bytes, name: str = "a.jsonl", **fields: str) -> Any:
    file = SimpleUploadedFile(name, content)
    return staff_of(campaign).post(f"/campaigns/{campaign.slug}/{path}import/", {"file": file, **fields}, follow=True)


def contents(campaign: Campaign) -> list[tuple[str, dict[str, list[int]], str]]:
    return [(item.compression_text, item.answers, item.why) for item in qualification_items(campaign)]


# Files


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.jsonl", jsonl(TEST)), ("a.CSV", TABLE.encode()), ("a.tsv", TABLE.replace(",", "\t").encode())],
)
def test_a_file_of_each_format_brings_the_same_test(name: str, content: bytes) -> None:
    campaign = make_campaign()

    answer = sent(campaign, "examples/", content, name)

    assert "1 question added." in readable(answer)
    assert contents(campaign) == [("A text.", {"meaning": [2, 3], "grammar": [3]}, "One word is gone.")]


def test_a_file_adds_to_the_test_or_replaces_it() -> None:
    campaign = make_campaign()
    add_qualification(campaign, 2)

    sent(campaign, "examples/", jsonl(TEST, {**TEST, "compression": "Text.", "is_practice": True}))
    assert (qualification_items(campaign).count(), practice_items(campaign).count()) == (3, 1)

    answer = sent(campaign, "examples/", jsonl(TEST), replace="on")
    assert "The test now has the 1 question of the file." in readable(answer)
    assert (qualification_items(campaign).count(), practice_items(campaign).count()) == (1, 0)
    assert "Deleted questions (4)" in readable(answer)


def test_gold_questions_come_from_a_file_once_and_need_no_reason() -> None:
    campaign = make_campaign()

    assert "2 gold questions added." in readable(sent(campaign, "gold/", jsonl(QUESTION, {**TEST, "source": "Other."})))
    again = sent(campaign, "gold/", jsonl(QUESTION, {**QUESTION, "source": "New."}))

    assert "1 gold question added. 1 was already there." in readable(again)
    assert list(GoldItem.objects.order_by("pk").values_list("why", flat=True)) == ["", "One word is gone.", ""]


@pytest.mark.parametrize(
    ("line", "field", "reason"),
    [
        ({**TEST, "source": " "}, "source", "must not be empty"),
        ({**TEST, "compression": 3}, "compression", "must be text"),
        ({**TEST, "why": ""}, "why", "must not be empty"),
        ({**TEST, "source": "x" * 5001}, "source", "5,001 characters, at most 5,000 are stored"),
        ({**TEST, "source": "a\0b"}, "source", "U+0000 control character at character 2"),
        ({**TEST, "other": "Another version."}, "other", "raters of this campaign rate one version at a time"),
        ({**TEST, "answers": {"meaning": [3], "grammar": []}}, "grammar", "must be a list of the points"),
        ({**TEST, "answers": {"meaning": [True], "grammar": [3]}}, "meaning", "True is not among the points 1 to 3"),
        ({**TEST, "answers": {"meaning": [0], "grammar": [3]}}, "meaning", "0 is not among the points 1 to 3"),
        ({**TEST, "is_practice": "perhaps"}, "is_practice", "must be true or false"),
    ],
)
def test_a_fault_names_its_line_and_field_and_nothing_is_stored(line: object, field: str, reason: str) -> None:
    campaign = make_campaign()

    answer = sent(campaign, "examples/", jsonl({**TEST, "source": "Another."}, line))

    assert answer.status_code == 422
    assert f"Line 2, field <code>{field}</code>: {reason}" in " ".join(readable(answer).split())
    assert not QualificationItem.objects.exists()


@pytest.mark.parametrize("path", ["examples/", "gold/"])
@pytest.mark.parametrize(
    "changes",
    [
        {"answers": {"\ud800": [1]}},
        {"answers": {"meaning": ["\ud800"], "grammar": [1]}},
        {"answers": {"meaning": [["\ud800"]], "grammar": [1]}},
        {"answers": "\ud800"},
        {"source": "\ud800"},
        {"other": "\ud800"},
        {"is_practice": "\ud800", "answers": {}},
        {"\ud800": "\ud800", "why": "\ud800", "source": ""},
    ],
)
def test_a_fault_about_half_a_surrogate_pair_can_be_shown(path: str, changes: dict[str, Any]) -> None:
    answer = sent(make_campaign(), path, jsonl(TEST | changes))
    assert answer.status_code == 422
    assert answer.content.decode()


def test_all_faults_of_a_table_are_named_at_once() -> None:
    campaign = make_campaign()
    content = "source,compression,meaning,grammar,why\nA.,,x,3,w\nB.,b\nC.,c.,3,9,\n"

    page = " ".join(readable(sent(campaign, "examples/", content.encode(), "a.csv")).split())

    for said in (
        "Line 2, field <code>compression</code>: must not be empty",
        "Line 2, field <code>meaning</code>: x is not among the points 1 to 3",
        "Line 3: 2 fields, 5 wanted",
        "Line 4, field <code>grammar</code>: 9 is not among the points 1 to 3",
        "Line 4, field <code>why</code>: must not be empty",
    ):
        assert said in page


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.jsonl", b"", "the submitted file is empty"),
        ("a.jsonl", b"\n\n", "there are no questions in it"),
        ("a.xlsx", b"x", "a file of questions ends in .jsonl, .csv or .tsv"),
        ("a.csv", b"source,compression,meaning\n", "no column named grammar"),
        ("a.jsonl", jsonl(TEST, TEST), "the same question as in line 1"),
        ("a.jsonl", b"\xff", "not UTF-8"),
        ("a.jsonl", jsonl(*({**TEST, "source": f"Text {n}."} for n in range(1_001))), "more than 1,000 questions"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(name: str, content: bytes, said: str) -> None:
    campaign = make_campaign()

    answer = sent(campaign, "gold/", content, name)

    assert answer.status_code == 422
    assert said.lower() in readable(answer).lower()
    assert not GoldItem.objects.exists()


def test_a_file_that_is_too_large_is_refused_before_it_is_read() -> None:
    campaign = make_campaign()

    assert sent(campaign, "gold/", b" " * (MAX_FILE_BYTES + 1)).status_code == 413
    with pytest.raises(Refused, match="larger than 2 MiB"):
        examples_read("a.jsonl", b" " * (MAX_FILE_BYTES + 1), campaign, Kind.GOLD)
    with pytest.raises(Refused, match="more than 200,000 lines"):
        examples_read("a.csv", b"\n" * 200_001, campaign, Kind.GOLD)
    with pytest.raises(Refused, match="more than 200,000 lines"):
        examples_read("a.csv", b"\r" * 200_001, campaign, Kind.GOLD)
    with pytest.raises(Refused, match="no column named source"):
        examples_read("a.csv", b"a\r\n" * 150_000, campaign, Kind.GOLD)
    with override_settings(UPLOAD_MAX_BYTES=10):
        assert sent(campaign, "gold/", jsonl(QUESTION)).status_code == 413


def test_side_by_side_a_question_has_two_versions() -> None:
    scales = scales_dump(scales_from_text("Style: Which reads better?", side_by_side=True))
    campaign = make_campaign(rating_task="pair", scales=scales)
    one = {"source": "A long text.", "compression": "A text.", "answers": {"style": [1]}}

    assert sent(campaign, "gold/", jsonl(one)).status_code == 422
    assert sent(campaign, "gold/", jsonl({**one, "other": "Text."})).status_code == 200

    assert GoldItem.objects.get().other_text == "Text."


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("is_side_by_side", [False, True])
def test_the_examples_on_the_page_can_be_imported(kind: Kind, is_side_by_side: bool) -> None:
    scales = scales_dump(scales_from_text("Style: Which reads better?", side_by_side=True))
    settings: dict[str, Any] = {"rating_task": "pair", "scales": scales} if is_side_by_side else {}
    campaign = make_campaign(**settings)
    path = "gold" if kind == Kind.GOLD else "examples"

    shown = staff_of(campaign).get(f"/campaigns/{campaign.slug}/{path}/import/").context["samples"]

    in_both = [
        examples_read(name, content.encode(), campaign, kind)
        for name, content in (("a.jsonl", shown.jsonl), ("a.csv", shown.table))
    ]
    assert in_both[0] == in_both[1]


# Commands


def test_a_command_adds_gold_questions(tmp_path: Path) -> None:
    campaign, out = make_campaign(slug="letters", name="Letters"), StringIO()
    file = tmp_path / "gold.csv"
    file.write_text(TABLE)

    call_command("import_gold", "letters", str(file), stdout=out)
    call_command("import_gold", "letters", str(file), stdout=out)

    assert "1 gold questions added to Letters, 0 known before." in out.getvalue()
    assert "0 gold questions added to Letters, 1 known before." in out.getvalue()
    file.write_text(TABLE.replace("2 3", "4"))
    with pytest.raises(CommandError, match=r"gold\.csv, line 2: 'meaning': 4 is not among the points 1 to 3"):
        call_command("import_gold", "letters", str(file))
    assert GoldItem.objects.filter(item__campaign=campaign).count() == 1


def test_a_command_adds_to_the_test(tmp_path: Path) -> None:
    campaign, out = make_campaign(slug="letters"), StringIO()
    add_qualification(campaign, 2)
    (tmp_path / "test.tsv").write_text(TABLE.replace(",", "\t"))

    call_command("import_qualification", "letters", str(tmp_path / "test.tsv"), add=True, stdout=out)

    assert "has 3 questions" in out.getvalue()


# The starter test


def test_the_starter_test_covers_good_and_bad_meaning_with_good_and_bad_grammar() -> None:
    starter = starter_test_missing(make_campaign())

    assert len({(each.source, each.compression) for each in starter}) == 27
    assert sum(each.is_practice for each in starter) == 3
    covered = {(max(each.answers["meaning"]) >= 2, max(each.answers["grammar"]) >= 2) for each in starter}
    assert covered == {(True, True), (True, False), (False, True), (False, False)}
    assert {point for each in starter for point in each.answers["meaning"]} == {1, 2, 3}
    assert {point for each in starter for point in each.answers["grammar"]} == {1, 2, 3}
    assert all(each.why and len(each.compression) < len(each.source) for each in starter)


def test_one_button_adds_the_starter_test_once() -> None:
    campaign = make_campaign()
    client, address = staff_of(campaign), f"/campaigns/{campaign.slug}/examples/"
    assert "Add 27 starter questions" in readable(client.get(address))

    assert "27 questions added." in readable(client.post(f"{address}starter/", follow=True))
    client.post(f"{address}starter/")

    assert (qualification_items(campaign).count(), practice_items(campaign).count()) == (24, 3)
    page = readable(client.get(address))
    assert "Add 27" not in page
    assert "24 of the 24 test questions are starter questions, which anyone can read with their answers." in page


# Questions drawn from gold


def gold_campaign(count: int, **settings: Any) -> Campaign:
    """A campaign with the starter test, and gold questions of two kinds in turn."""
    campaign = make_campaign(**settings)
    starter_test_add(campaign=campaign)
    for number in range(count):
        right = {"meaning": [1 + 2 * (number % 2)], "grammar": [2, 3]}
        gold = replace(EXAMPLE, compression=f"Version {number}.", answers=right, why="Only staff know why.")
        gold_create(campaign=campaign, example=gold)
    return campaign


def test_one_button_makes_gold_the_test_in_the_place_of_the_starter_questions() -> None:
    campaign = gold_campaign(12)
    client, address = staff_of(campaign), f"/campaigns/{campaign.slug}/examples/"
    page = readable(client.get(address))
    assert "Draw 6 test questions from gold" in page
    assert "They replace the 24 starter questions; you can restore them." in page

    page = readable(client.post(f"{address}from-gold/", follow=True))

    assert "6 gold questions are now test questions." in page
    assert "starter questions, which anyone can read" not in page
    questions = list(qualification_items(campaign))
    assert Counter(each.answers["meaning"][0] for each in questions) == {1: 3, 3: 3}
    assert {each.why for each in questions} == {
        "Our ratings: Meaning 1, Grammar 2 / 3",
        "Our ratings: Meaning 3, Grammar 2 / 3",
    }
    retired = GoldItem.objects.filter(item__is_closed=True).values_list("compression_text", flat=True)
    assert set(retired) == {each.compression_text for each in questions}
    assert (practice_items(campaign).count(), deleted_items(campaign).count()) == (3, 24)


def test_the_gold_questions_that_one_rater_is_due_stay_among_the_work() -> None:
    for count, drawn in ((4, 0), (5, 1), (7, 3), (8, 4)):
        assert len(gold_for_test(gold_campaign(count))) == drawn
    assert len(gold_for_test(gold_campaign(4, gold_percent=0))) == 2

    campaign = gold_campaign(4)
    page = readable(staff_of(campaign).post(f"/campaigns/{campaign.slug}/examples/from-gold/", follow=True))

    assert "There are not enough gold questions" in page
    assert qualification_items(campaign).count() == 24


def test_no_more_is_drawn_than_the_attempts_ask() -> None:
    campaign = gold_campaign(20, qualification_questions=2, qualification_tries=2)
    assert gold_to_test(campaign=campaign) == 4

    with pytest.raises(Refused, match="not enough gold"):
        gold_to_test(campaign=campaign)


def test_what_staff_write_in_a_starter_question_makes_it_their_own() -> None:
    campaign = gold_campaign(0)
    assert len(starter_items(campaign)) == 24

    qualification_items(campaign).filter(position=1).update(compression_text="A version of our own.")

    assert len(starter_items(campaign)) == 23


@pytest.mark.parametrize(
    ("chosen", "fits"),
    [
        ({"language": "en-GB"}, True),
        ({"language": "de"}, False),
        ({"scales": scales_dump(scales_from_text("Style: How is it?\n2 good\n1 bad"))}, False),
        ({"rating_task": "pair"}, False),
    ],
)
def test_the_starter_test_is_offered_only_where_it_fits(chosen: dict[str, Any], fits: bool) -> None:
    campaign = make_campaign(**chosen)
    page = readable(staff_of(campaign).get(f"/campaigns/{campaign.slug}/examples/"))

    assert ("starter question" in page) is fits
    if not fits:
        with pytest.raises(Refused, match="do not fit"):
            starter_test_add(campaign=campaign)


# Deleting and restoring


def test_deleting_a_question_asks_first_and_can_be_undone() -> None:
    campaign = make_campaign()
    first, second = add_qualification(campaign, 2)
    client, address = staff_of(campaign), f"/campaigns/{campaign.slug}/examples/"

    assert "Delete this question?" in readable(client.get(f"{address}{first.pk}/delete/"))
    assert qualification_items(campaign).count() == 2
    answer = client.post(f"{address}{first.pk}/delete/", follow=True)
    assert "You can restore it" in readable(answer)
    assert [item.pk for item in qualification_items(campaign)] == [second.pk]
    assert client.get(f"{address}{first.pk}/").status_code == 404

    client.post(f"{address}{first.pk}/restore/")
    client.post(f"{address}{first.pk}/restore/")

    assert [item.pk for item in qualification_items(campaign)] == [second.pk, first.pk]


def test_answers_to_a_deleted_question_stay() -> None:
    campaign = make_campaign()
    item, _ = add_qualification(campaign, 2)
    client = worker_client(campaign, RATE)
    given = {f"{scale}-{each.pk}": "3" for each in qualification_items(campaign) for scale in ("meaning", "grammar")}
    client.post("/work/qualification/", {**given, "number": "1"})
    answers = QualificationAttempt.objects.get().answers

    staff_of(campaign).post(f"/campaigns/{campaign.slug}/examples/{item.pk}/delete/")

    assert str(item.pk) in answers
    assert QualificationAttempt.objects.get().answers == answers


def test_a_question_on_other_scales_is_not_restored() -> None:
    campaign = make_campaign()
    (item,) = add_qualification(campaign, 1)
    client, address = staff_of(campaign), f"/campaigns/{campaign.slug}/examples/{item.pk}/"
    client.post(f"{address}delete/")
    campaign_update(campaign=campaign, scales=scales_dump(scales_from_text("Style: How is it?\n2 good\n1 bad")))

    answer = client.post(f"{address}restore/", follow=True)

    assert "The accepted answers for style" in readable(answer)
    assert not qualification_items(campaign).exists()


def test_two_questions_in_use_cannot_have_one_position() -> None:
    first, second = add_qualification(make_campaign(), 2)

    with pytest.raises(IntegrityError), transaction.atomic():
        QualificationItem.objects.filter(pk=first.pk).update(position=second.position)


def test_a_gold_question_is_retired_after_asking_and_restored() -> None:
    campaign = judged_campaign(sources=3, scores=((3, 3),), gold_percent=50, raters_per_compression=2, rater_tasks=9)
    gold = gold_create(campaign=campaign, example=EXAMPLE)
    rate_all(enrol(campaign, RATE))
    client, address = staff_of(campaign), f"/campaigns/{campaign.slug}/gold/{gold.pk}/"
    assert "Retire this gold question?" in readable(client.get(f"{address}retire/"))

    client.post(f"{address}retire/")
    assert GoldItem.objects.get().item.is_closed
    assert Rating.objects.filter(gold=gold).count() == 1

    client.post(f"{address}restore/")
    assert not GoldItem.objects.get().item.is_closed


def test_the_form_of_a_gold_question_needs_no_reason() -> None:
    campaign = make_campaign()
    form = {"source": "A long text.", "compression": "A text.", "answers-meaning": ["3"], "answers-grammar": ["3"]}

    assert staff_of(campaign).post(f"/campaigns/{campaign.slug}/gold/new/", form).status_code == 302
    assert staff_of(campaign).post(f"/campaigns/{campaign.slug}/examples/new/", form).status_code == 422

    assert GoldItem.objects.get().why == ""


@pytest.mark.parametrize(("kind", "path"), [("gold", "gold/"), ("test", "examples/")])
def test_a_campaign_has_no_more_questions_than_its_file_can_hold(
    kind: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(example_check, "MOST_QUESTIONS", 2)
    campaign = make_campaign()
    lines = [{**TEST, "compression": f"A text {number}."} for number in range(3)]
    assert sent(campaign, path, jsonl(*lines[:2])).status_code == 200
    refused = sent(campaign, path, jsonl(lines[2]))
    assert refused.status_code == 422, kind
    assert "A campaign can have 2 questions of each kind." in readable(refused)
    stored = GoldItem.objects.count() + QualificationItem.objects.count()
    assert stored == 2

"""Answers that were given elsewhere: files of other programs come in, and what the report says of them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError
from pytest_django import DjangoAssertNumQueries

from common.errors import Refused
from common.jobs import job_run
from common.models import Job
from corpus.services.erasure import worker_erase
from crowd.models import Campaign, Worker
from measures.spans import preset
from protocols.exports import answers_export
from protocols.models import FILE_FORMS, Material, MaterialImport, Response
from protocols.selectors import material_counts
from protocols.services.material import material_import
from protocols.spans.report import KIND
from protocols.spans.tests.answered import (
    ESA_TEXTS,
    answer_all,
    computed,
    esa_campaign,
    golden_campaign,
    mark,
    of_marks,
    spans_campaign,
)
from protocols.task import study_tasks
from reports.downloads import report_as
from tests.support.api_client import Api
from tests.support.factories import make_campaign, readable, staff_client, worker_client
from tests.support.reports import every_tab

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

HEAD = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"


def mqm(target: str, kind: str = "Accuracy/Mistranslation", severity: str = "Major", **cells: str) -> str:
    of = {"system": "s", "seg": "1", "rater": "r1", "source": "It rained."} | cells
    return "\t".join((of["system"], "d", "1", of["seg"], of["rater"], of["source"], target, kind, severity))


def esa(person: str, system: str, segment: str, score: str = "80", document: str = "d", **cells: str) -> str:
    spans = cells.get("spans", "[]").replace('"', '""')
    return f'{person},{system},{segment},{cells.get("type", "TGT")},eng,eng,{score},{document},False,"{spans}",1,9\n'


def brought_in(campaign: Campaign, form: str, *lines: str) -> MaterialImport:
    content = "\n".join(lines).encode()
    record = material_import(campaign=campaign, file_name=f"answers.{form}", content=content, answers=form)
    return MaterialImport.objects.get(pk=record.pk)


def mqm_campaign() -> Campaign:
    return spans_campaign([{"id": "9", "source": "a", "output": "b"}], {"preset": "mqm"})


def salsa_campaign() -> Campaign:
    texts = [
        {"id": f"x{n}", "system": system, "source": f"It rained all day in Bonn, day {n}.", "output": "It rained."}
        for n in range(6)
        for system in ("one", "two")
    ]
    campaign = spans_campaign(texts, {"preset": "salsa"})
    good = {"val": "good_deletion", "good_deletion": 2}
    answers = {"deletion_type": good, "coreference": False, "grammar_error": True}
    for number, name in enumerate(("ann", "ben")):
        one = mark(9, 17 + number, kind="deletion", answers=answers) | {"side": "source", "severity": None}
        answer_all(campaign, name, lambda _subject, one=one: of_marks([one]))  # type: ignore[misc]
    return campaign


def kinds_campaign() -> Campaign:
    texts = [{"id": str(n), "system": "s", "source": "It rained.", "output": f"It snowed {n}."} for n in range(8)]
    campaign = spans_campaign(texts, {"preset": "mqm"})
    one = mark(3, 9, "major", kind="Accuracy/Mistranslation", note="why")
    two = mark(0, 2, kind="Fluency/Punctuation", name="m2")
    for number, name in enumerate(("ann", "ben")):
        answer_all(campaign, name, lambda s, n=number: of_marks([one, two][: 2 - (int(s.name) + n) % 3]))  # type: ignore[misc]
    return campaign


def figures(campaign: Campaign, *without: str) -> Any:
    rows = computed(campaign).rows or []
    return [row for row in rows if row["table"] not in without]


ROUND_TRIPS: dict[str, tuple[Callable[[], Campaign], bool, tuple[str, ...]]] = {
    "esa": (esa_campaign, True, ()),
    "wmt25": (esa_campaign, True, ()),
    "mqm": (kinds_campaign, False, ()),
    "thresh": (salsa_campaign, False, ()),
}
"""What is brought out and in again, whether its texts are there before, and the tables that its format cannot keep."""


@pytest.mark.parametrize("form", sorted(ROUND_TRIPS))
def test_what_goes_out_comes_in_with_the_same_figures(form: str) -> None:
    make, has_texts, without = ROUND_TRIPS[form]
    ours = make()
    other = make_campaign(rating_task="spans", task_settings=ours.task_settings, slug="other")
    if has_texts:
        content = "\n".join(map(json.dumps, ESA_TEXTS)).encode()
        material_import(campaign=other, file_name="texts.jsonl", content=content)

    file = "".join(answers_export(ours, form)[1].lines)
    first = brought_in(other, form, file.removesuffix("\n"))
    again = brought_in(other, form, file.removesuffix("\n"))

    answers = Response.objects.filter(assignment__item__campaign=ours).count()
    assert (first.added, first.problems, again.added, again.unchanged) == (answers, [], 0, answers)
    assert figures(other, *without) == figures(ours, *without)
    assert material_counts(other).wanted == material_counts(other).answers == answers
    people = Worker.objects.filter(campaign=other)
    assert {(each.public_name, each.is_imported) for each in people} <= {(str(number), True) for number in (1, 2, 3)}


def test_the_published_form_of_wmt25_keeps_one_answer_of_each_text() -> None:
    ours = spans_campaign(ESA_TEXTS)
    answer_all(
        ours, "ann", lambda subject: of_marks([mark(3, 9)] if subject.system == "one" else [], int(subject.name))
    )
    other = make_campaign(rating_task="spans", slug="other")

    record = brought_in(other, "wmt25-jsonl", "".join(answers_export(ours, "wmt25-jsonl")[1].lines))

    assert (record.added, record.problems) == (24, [])
    assert [each.public_name for each in Worker.objects.filter(campaign=other)] == ["human"]
    assert {each.name for each in Material.objects.filter(campaign=other)} == {f"{n}_#_0" for n in range(1, 13)}
    kept = {row["figure"]: row["value"] for row in figures(other) if row["table"] in ("points", "scores")}
    assert kept == {row["figure"]: row["value"] for row in figures(ours) if row["table"] in ("points", "scores")}


def test_golden_marks_come_in_from_thresh_with_their_points() -> None:
    ours = golden_campaign()
    other = make_campaign(rating_task="spans", task_settings=ours.task_settings, slug="other")

    record = brought_in(other, "thresh", "".join(answers_export(ours, "thresh")[1].lines))

    assert record.problems == []
    of_each = [[row for row in figures(each) if row["table"] == "points"] for each in (ours, other)]
    points = [{row["group"]: row["value"] for row in rows} for rows in of_each]
    assert points[0] == points[1] != {}


SNOWED = "It <v>snowed</v>."
REFUSED = [
    (mqm(SNOWED, kind="Fun", seg="a"), "there is no kind 'Fun' in preset mqm, which has Accuracy/"),
    (mqm(SNOWED, severity="critical", seg="b"), "there is no severity 'critical' in preset mqm, which has"),
    (mqm("It <v>sno</v>w<v>ed</v>.", seg="c"), "there are two spans in target"),
    (mqm(SNOWED, rater=" "), "rater is empty"),
    (mqm(SNOWED, rater="a/b"), "name has no control characters"),
    (mqm(SNOWED, rater="r" * 41), "41 characters, at most 40"),
    (mqm(SNOWED, seg="s" * 101), "the id has more than 100 characters"),
    (mqm(SNOWED, source="x" * 50_001, seg="d"), "at most 50,000 are read"),
    (mqm(SNOWED, source="e" + "\u0301" * 5_000, seg="e"), "stand on one letter"),
    (mqm(SNOWED, source="a\x00b", seg="f"), "cannot be stored"),
    (mqm(SNOWED, source="", seg="g"), "source is missing"),
    (mqm(SNOWED, system="", seg="h"), "system is empty"),
    ("only\ttwo", "it has 2 cells"),
]


def test_lines_are_refused_by_number_with_the_reason() -> None:
    campaign = mqm_campaign()
    good = mqm("It <v>rained</v>.", seg="7")

    record = brought_in(campaign, "mqm", HEAD, good, *(line for line, _reason in REFUSED))

    assert (record.added, record.refused) == (1, len(REFUSED))
    assert [line for line, _reason in record.problems] == list(range(3, 3 + len(REFUSED)))
    for (_line, said), (_sent, wanted) in zip(record.problems, REFUSED, strict=True):
        assert wanted in said


def test_an_answer_that_would_lack_an_error_is_refused() -> None:
    lines = mqm("It <v>rained</v>."), mqm("It rained."), mqm("It <v>rained</v>.", rater="r2")

    record = brought_in(mqm_campaign(), "mqm", HEAD, *lines)

    assert record.problems == [
        [2, "another line of this answer is refused, so that it would lack an error"],
        [3, "no span is marked"],
    ]
    assert [each.assignment.worker.public_name for each in Response.objects.all()] == ["r2"]


def test_quoted_cells_and_an_error_without_a_note_come_in() -> None:
    campaign = mqm_campaign()

    record = brought_in(campaign, "mqm-quoted", HEAD, mqm('"It <v>""snowed""</v>."', kind="Other"))

    assert (record.added, record.problems) == (1, [])
    assert Material.objects.get(campaign=campaign, name="1").body["output"] == 'It "snowed".'
    assert computed(campaign).rows


SKIPPED = [
    esa("ann", "one", "1", "70"),
    esa("ann", "one", "1", "75", spans='[{"start_i": 3, "end_i": 8, "severity": "minor", "error_type": null}]'),
    esa("ann", "one", "2", type="BAD"),
    esa("ann", "one", "3", document="d#bad"),
    esa("ann", "one", "4", document="tutorial-1"),
    esa("ann", "one", "99"),
    esa("ann", "one", "5", "80.5"),
]


def test_lines_that_are_no_work_are_skipped_and_counted_and_the_later_answer_wins() -> None:
    campaign = spans_campaign(ESA_TEXTS)

    record = brought_in(campaign, "esa", "".join(SKIPPED))

    assert record.added == 1
    assert [line for line, _reason in record.problems] == [6, 7]
    assert record.warnings == [
        [0, "1 line is skipped: #bad"],
        [0, "1 line is skipped: earlier answer"],
        [0, "1 line is skipped: tutorial"],
        [0, "1 line is skipped: type BAD"],
    ]
    answer = Response.objects.get()
    assert (answer.answer["score"], answer.milliseconds, answer.version, answer.settings_version) == (75, 8000, 1, None)
    assert [(each["start"], each["end"]) for each in answer.answer["marks"]] == [(3, 9)], "the end is inclusive"


def test_answers_never_join_those_of_participants_and_no_later_file_changes_one() -> None:
    campaign = spans_campaign(ESA_TEXTS[:1])
    answer_all(campaign, "ann", lambda _subject: of_marks([], 80))
    other = spans_campaign(ESA_TEXTS[:2], slug="other")
    brought_in(other, "esa", esa("bob", "one", "1"))

    joined = brought_in(campaign, "esa", esa("bob", "one", "1"))
    changed = brought_in(other, "esa", esa("bob", "one", "1", "81") + esa("bob", "'=two", "1"))

    assert "never join theirs" in joined.problems[0][1]
    assert changed.problems == [[1, "the person has given another answer; it stays as it is"]]
    assert changed.added == 1
    assert worker_client(other, "rate", "eve").post("/work/next/").headers["Location"] != "/work/next/"
    assert not other.items.filter(open_slots__gt=0).exists(), "participants get no text that a file has answers to"


def test_the_number_of_a_participant_names_nobody_else() -> None:
    campaign = spans_campaign(ESA_TEXTS[:2])
    worker_client(campaign, "rate", "ann")
    number = Worker.objects.get(campaign=campaign).number

    record = brought_in(campaign, "esa", esa(str(number), "one", "1"))

    assert "is the number of a participant" in record.problems[0][1]


def test_practice_and_other_texts_of_an_id_take_no_answers() -> None:
    practice = {"id": "1", "system": "s", "source": "It rained.", "output": "b", "expected": {"no_errors": True}}
    campaign = spans_campaign([practice, {"id": "2", "system": "s", "source": "a", "output": "b"}], {"preset": "mqm"})

    record = brought_in(campaign, "mqm", HEAD, mqm("It <v>rained</v>."), mqm("It <v>rained</v>.", seg="2"))

    assert [reason for _line, reason in record.problems] == [
        "this text is practice",
        "there are other texts of this id, system and condition",
    ]


def test_what_is_no_such_file_is_refused_as_a_whole() -> None:
    campaign = spans_campaign([{"id": "p", "source": "a", "output": "b", "expected": {"no_errors": True, "score": 9}}])
    wrong = [("esa", "no texts: import them"), ("thresh", "not JSON"), ("mqm", "the columns")]
    for form, words in wrong:
        with pytest.raises(Refused, match=words):
            brought_in(campaign, form, "{")
    with pytest.raises(Refused, match="reads no such answers"):
        material_import(campaign=campaign, file_name="a", content=b"", answers="word")


def test_the_report_says_that_answers_are_as_their_files_state(capsys: pytest.CaptureFixture[str]) -> None:
    campaign = mqm_campaign()
    staff = staff_client(campaign.memberships.get().user)
    staff.post(f"/campaigns/{campaign.slug}/task/analysis/")
    brought_in(campaign, "mqm", HEAD, *(mqm("It <v>rained</v>.", rater=name) for name in ("r1", "r2")))
    words = "2 of 2 answers, by 2 people, are as their files state"

    report = computed(Campaign.objects.get(pk=campaign.pk))
    page = readable(every_tab(staff, f"/campaigns/{campaign.slug}/spans/"))
    files = {form: "".join(report_as(form, report)) for form in ("csv", "json", "latex")}
    call_command("report", campaign.slug, "spans", "--draws", "50", "--format", "table")

    assert words in page
    assert all(words in file for file in files.values())
    assert files["latex"].count("caption{2 of 2 answers") == files["latex"].count("begin{tabular")
    assert capsys.readouterr().out.startswith(words)
    assert "before the first answer" not in page + KIND.plan_words(report)
    assert "came in files is not known" in page


def test_erasure_takes_their_words_and_times_and_the_file_does_not_bring_them_back() -> None:
    campaign = mqm_campaign()
    file = HEAD + "\tmetadata", mqm("It <v>rained</v>.") + "\t" + json.dumps({"note": "mine alone", "seconds": 5})
    brought_in(campaign, "mqm", *file)

    worker_erase(worker=Worker.objects.get(campaign=campaign))

    response = Response.objects.get()
    assert response.milliseconds is None
    assert "mine alone" not in json.dumps([response.answer, *response.versions.values_list("answer", flat=True)])


def test_page_and_api_bring_in_the_same(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    campaign, other = mqm_campaign(), mqm_campaign()
    lines = (mqm("It <v>rained</v>.", seg=f"{number}", rater=f"r{number % 3}") for number in range(30))
    content = "\n".join([HEAD, *lines]).encode()
    client = staff_client(campaign.memberships.get().user)
    address = f"/campaigns/{campaign.slug}/task/"

    page = client.get(address)
    sent = client.post(address, {"file": SimpleUploadedFile("a.tsv", content), "format": "mqm"})
    refused = client.post(address, {"file": SimpleUploadedFile("a.tsv", content), "format": "word"})
    api = Api(other.memberships.get().user)
    body = {"file": SimpleUploadedFile("a.tsv", content), "format": "mqm"}
    asked = api.call("post", f"campaigns/{other.slug}/task/material/", body, is_form=True)
    for job in Job.objects.filter(finished_at=None):
        with django_assert_max_num_queries(60):
            job_run(job_id=job.pk)

    assert "answers: MQM (TSV)" in readable(page)
    assert (sent.status_code, refused.status_code, asked.status_code) == (302, 422, 202)
    assert "30 answers added" in MaterialImport.objects.get(campaign=campaign, answers="mqm").outcome
    assert "Answers from a.tsv" in readable(client.get(sent.headers["Location"]))
    assert Response.objects.filter(assignment__item__campaign=other).count() == 30
    more = "\n".join([HEAD, *(mqm("It <v>rained</v>.", seg=f"{number}", rater="r9") for number in range(30))]).encode()
    with django_assert_max_num_queries(60):
        assert material_import(campaign=other, file_name="b.tsv", content=more, answers="mqm").added == 30


def test_the_command_says_what_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    campaign = spans_campaign(ESA_TEXTS)
    file = tmp_path / "answers.csv"
    file.write_text("".join(SKIPPED))

    call_command("import_answers", file, "--campaign", campaign.slug, "--format", "esa")

    said = capsys.readouterr()
    assert "1 answer added, 0 known before, 2 refused." in said.out
    assert "answers.csv: 1 line is skipped: #bad" in said.err
    assert "answers.csv, line 6: refused" in said.err
    with pytest.raises(CommandError, match="Only mqm has --quoting"):
        call_command("import_answers", file, "--format", "esa", "--quoting", "minimal")


def test_the_database_knows_every_format_that_a_task_reads() -> None:
    assert {form for task in study_tasks().values() for form in task.answer_forms} == set(FILE_FORMS)
    assert preset("mqm").kind("Other").note_wanted  # type: ignore[union-attr]  # or the answers above would show nothing

"""A quiz study from its files to its answers: both visits, the gap, the clock, the design, and what erasures leave."""

import json
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from corpus.services.erasure import worker_erase
from crowd.models import Assignment, Campaign, Enrolment, ItemConflict, Worker
from crowd.services.exclusions import worker_exclude
from protocols.models import DesignRow, PageVisit, Response
from protocols.quiz.pieces import FilesUnready
from protocols.quiz.study import questions_of, study_of
from protocols.quiz.task import TASK
from protocols.quiz.tests.studies import (
    LINES,
    TEXTS,
    at_quiz,
    imported,
    next_address,
    prepare,
    quiz_campaign,
    quiz_study,
    quizzes,
    text_line,
)
from protocols.services.overdue import overdue_hand_in
from tests.support.factories import EDIT, RATE, readable, worker_client

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
WEEK = 7 * 24 * 3600


BAD_LINES: list[tuple[dict[str, Any], str]] = [
    ({"id": "a", "title": "A"}, "utterances must be a list"),
    ({"id": "a", "title": "A", "utterances": ["hello"]}, "utterance 1 is not an object"),
    (text_line("a", utterances=[{"id": "1", "text": "a"}, {"id": "1", "text": "b"}]), "two utterances have the id 1"),
    (text_line("a", slides=[{"title": "S", "first_utterance": "u9"}]), "slide 1: there is no utterance u9"),
    (text_line("a", utterances=[{"id": "1", "text": "a", "start": 5, "end": 4}]), "ends before it starts"),
    (LINES[4] | {"type": 5}, "type must be 1, 2, 3 or 4"),
    (LINES[4] | {"key": []}, "key is missing"),
    (LINES[4] | {"kind": "essay"}, "kind must be one of"),
    (LINES[4] | {"marks": 3}, "of a short answer it is 2"),
    (LINES[6] | {"key": ["nobody"]}, "each answer of the key be one of them"),
    ({"text_id": "t1", "condition": "mmr", "utterances": ["u1", "u1"]}, "each once"),
    ({"text_id": "t1", "condition": "mmr", "utterances": ["u1"], "colour": "red"}, "colour"),
]


def test_lines_that_cannot_be_used_are_refused_by_number_and_in_words() -> None:
    record = imported(quiz_campaign(), [line for line, _words in BAD_LINES])

    assert [line for line, _reason in record.problems] == list(range(1, len(BAD_LINES) + 1))
    for (_line, reason), (_fields, words) in zip(record.problems, BAD_LINES, strict=True):
        assert words in reason


def test_what_crosses_the_files_is_told_all_at_once_and_nothing_is_made() -> None:
    campaign = quiz_campaign({"conditions": "none: none\nmmr: automatic", "people": 4, "warm_up": "x"}, rater_tasks=9)
    slides = {"id": "q9", "text_id": "t1", "type": 1, "question": "?", "key": ["a"]}
    lost = [slides, {**slides, "id": "q10", "text_id": "t9"}]
    summaries = [
        {"text_id": "t1", "condition": "mmr", "utterances": ["u1", "u9"]},
        {"text_id": "t1", "condition": "none", "utterances": ["u1"]},
    ]
    imported(campaign, [text_line("t1"), text_line("t2"), *lost, *summaries])

    with pytest.raises(FilesUnready) as refusal:
        TASK.pieces_make(campaign)

    told = "\n".join(refusal.value.faults)
    for words in (
        "must be 2",
        "no text x for the warm-up",
        "there is no text t9",
        "no questions of types 1 and 2",
        "Text t2 has no question",
        "no utterance u9",
        "no condition none of the kind automatic",
        "no summary of t2 for the condition mmr",
    ):
        assert words in told
    assert not DesignRow.objects.exists()


def test_pieces_of_work_fix_the_files_and_bar_the_rest_of_their_text_and_condition() -> None:
    campaign = quiz_study()

    (problem,) = imported(campaign, [*LINES, text_line("t4")]).problems
    assert (problem[0], "made already" in problem[1]) == (len(LINES) + 1, True)
    TASK.pieces_make(campaign)
    assert set(campaign.items.values_list("round", "wanted")) == {(EDIT, 2), (RATE, 2)}
    assert campaign.items.count() == 18
    assert ItemConflict.objects.count() == 2 * 9 * 4
    rows = list(DesignRow.objects.order_by("block", "row").values_list("cells", flat=True))
    assert Counter(tuple(cell) for row in rows for cell in row) == {
        (text, condition): 2 for text in TEXTS for condition in ("all-of-it", "own-choice", "with-questions")
    }
    assert [each.id for each in questions_of(campaign)][:3] == ["t1-short", "t1-blank", "t1-choice"]


def test_summaries_of_programs_that_are_missing_are_made_if_staff_want_it() -> None:
    campaign = quiz_campaign({"conditions": "none: none\nown: generic\nmmr: automatic"})
    theirs = {"text_id": "t1", "condition": "mmr", "utterances": ["u4"]}
    imported(campaign, [*LINES, theirs])

    with pytest.raises(FilesUnready, match="no summary of t2"):
        TASK.pieces_make(campaign)
    TASK.pieces_make(campaign, fill_in=True)

    made = {each.text_id: each.utterances for each in study_of(campaign).summaries}
    assert made["t1"] == ("u4",)
    assert made["t2"] == made["t3"]
    assert len(made["t2"]) == 2  # 30% of 20 words, five in each utterance: the one that crosses the sixth stays


def test_a_summary_outside_its_bounds_is_refused_with_what_was_chosen() -> None:
    client = worker_client(quiz_study(), EDIT, "one")
    address = next_address(client)

    none = client.post(address, {"version": "0"})
    many = client.post(address, {"u0": "1", "u1": "1", "u2": "1", "version": "0"})
    assert "Choose at least 4 more words" in readable(none)
    assert "Leave out at least 7 words" in readable(many)
    assert many.content.decode().count("checked") == 3
    assert (none.status_code, many.status_code, Response.objects.count()) == (422, 422, 0)

    client.post(address, {"u0": "1", "version": "0"})
    client.post(address, {"u3": "1", "version": "1"})  # a correction
    assert Response.objects.get().answer == {"utterances": ["u4"]}


def test_only_who_is_primed_sees_the_questions_and_only_on_the_first_visit_those_that_prime() -> None:
    campaign = quiz_study()
    client = worker_client(campaign, EDIT, "one")
    address = next_address(client)
    seen = {}
    for _text in TEXTS:
        page = readable(client.get(address))
        condition = Assignment.objects.get(pk=address.split("/")[-2]).item.task_item.material.condition
        seen[condition] = ("What fell?" in page, "Who was called?" in page)
        address = client.post(address, {"u1": "1", "version": "0"}).headers["Location"]

    assert seen == {
        "all-of-it": (False, False),
        "own-choice": (False, False),
        "with-questions": (True, True),
    }


def test_the_second_visit_begins_after_the_gap_and_bars_nobody_before(later: Callable[[float], None]) -> None:
    campaign = quiz_study()
    early = worker_client(campaign, RATE, "one")
    assert next_address(early) == "/work/task/wait/"
    assert "The first part is still to do" in readable(early.get("/work/task/wait/"))

    first = prepare(campaign, "one")
    assert "a second part, which you can begin from May 8, 2030, 09:00 UTC" in readable(first.get("/work/done/"))
    later(WEEK - 60)
    assert next_address(early) == "/work/task/wait/"
    assert "You can begin on May 8, 2030 from 09:00 UTC" in readable(early.get("/work/task/wait/"))
    assert not Assignment.objects.filter(round=RATE, state=Assignment.State.LEASED).exists()

    later(60)
    assert next_address(early) == "/work/task/practice/"
    assert early.get("/work/task/wait/").headers["Location"] == "/work/"


def test_one_person_takes_part_in_both_visits(later: Callable[[float], None]) -> None:
    campaign = quiz_study()
    prepare(campaign, "one")
    later(WEEK)
    client, address = at_quiz(campaign, "one")

    begin = client.get(address)
    assert "What fell?" not in readable(begin)
    client.post(address, {"page": "begin"})
    page = client.get(address)
    later(100)
    asked = client.post(address, {"page": "quiz", "q0": " the bridge "})
    assert (asked.status_code, "2 questions have no answer" in readable(asked)) == (422, True)
    sent = {"page": "quiz", "q0": " the bridge ", "confirmed": "1"}
    following = client.post(address, sent).headers["Location"]
    assert client.post(address, sent).status_code == 302  # sent twice
    assert client.get(address).headers["Location"] == "/work/"  # handed in is handed in
    end = quizzes(client, quizzes(client, following, {}), {"heard": "no"})

    assert end == "/work/done/"
    shown = readable(client.get("/work/done/"))
    assert ("All 3 texts done" in shown, "a second part" in shown) == (True, False)
    study = study_of(campaign)
    row = DesignRow.objects.get(enrolment__isnull=False)
    assert [[each.text_id, each.condition] for each in study.sittings] == row.cells
    assert [each.place for each in study.sittings] == [1, 2, 3]
    first, _second, last = study.sittings
    assert (first.answers, first.seconds, first.closed) == ({f"{first.text_id}-short": "the bridge"}, 100, "handed in")
    assert (first.heard, last.heard) == (None, False)
    assert {(each.kind, each.utterances) for each in study.summaries} == {
        ("own-choice", ("u2",)),
        ("with-questions", ("u2",)),
    }
    read = {each["id"] for each in page.context["utterances"]}
    assert read == ({"u2"} if first.condition != "all-of-it" else {"u1", "u2", "u3", "u4"})


def test_who_gets_no_summary_of_their_own_only_reads_if_staff_want_it_so() -> None:
    campaign = quiz_study({"everyone_summarises": False})
    client = worker_client(campaign, EDIT, "one")
    address = next_address(client)
    for _text in range(3):
        boxes = 'type="checkbox" name="u1"' in " ".join(client.get(address).content.decode().split())
        answers = {"u1": "1"} if boxes else {"u1": "1", "u0": "1", "u2": "1"}
        address = client.post(address, {**answers, "version": "0"}).headers["Location"]

    chosen = Response.objects.values_list("assignment__item__task_item__material__condition", "answer")
    assert dict(chosen) == {
        "all-of-it": {"utterances": []},
        "own-choice": {"utterances": ["u2"]},
        "with-questions": {"utterances": ["u2"]},
    }


def test_a_quiz_that_was_skipped_keeps_its_place(later: Callable[[float], None]) -> None:
    campaign = quiz_study()
    prepare(campaign, "one")
    later(WEEK)
    client, address = at_quiz(campaign, "one")
    client.post(address.replace("/task/", "/tasks/") + "skip/", {"reason": "other", "text": "I cannot."})
    quizzes(client, next_address(client), {})

    assert Assignment.objects.filter(round=RATE, state=Assignment.State.SKIPPED).count() == 1
    (sitting,) = study_of(campaign).sittings
    row = DesignRow.objects.get(enrolment__isnull=False)
    assert sitting.place == 2
    assert row.cells[1] == [sitting.text_id, sitting.condition]


def test_what_was_saved_counts_once_the_time_is_over(later: Callable[[float], None]) -> None:
    campaign = quiz_study()
    prepare(campaign, "one")
    later(WEEK)
    client, address = at_quiz(campaign, "one")
    client.post(address, {"page": "begin"})
    saved = client.post(f"{address}draft/", {"page": "quiz", "q0": "the bridge", "q1": "Mar\x00ch"})
    assert saved.json() == {"seconds_left": 720}

    later(731)
    assert client.post(f"{address}draft/", {"page": "quiz", "q0": "too late"}).status_code == 409
    assert "Your time for this quiz is over" in readable(client.get(address))
    client.post(address, {"page": "quiz", "q0": "too late", "q1": "June"})

    (sitting,) = study_of(campaign).sittings
    assert sorted(sitting.answers.values()) == ["March", "the bridge"]
    assert (sitting.closed, sitting.seconds) == ("time over", 720)


def test_a_quiz_that_nobody_comes_back_to_is_handed_in_with_what_was_saved(later: Callable[[float], None]) -> None:
    campaign = quiz_study()
    prepare(campaign, "one")
    later(WEEK)
    client, address = at_quiz(campaign, "one")
    client.post(address, {"page": "begin"})
    client.post(f"{address}draft/", {"page": "quiz", "q0": "the bridge"})

    later(730)
    assert overdue_hand_in() == 0
    later(1)
    assert overdue_hand_in() == 1
    assert overdue_hand_in() == 0

    (sitting,) = study_of(campaign).sittings
    assert list(sitting.answers.values()) == ["the bridge"]
    assert (sitting.closed, sitting.seconds) == ("time over", 720)
    assert client.get(address).headers["Location"] == "/work/"


def test_no_page_tells_a_condition_or_the_key(later: Callable[[float], None]) -> None:
    campaign = quiz_study()
    client = worker_client(campaign, EDIT, "one")
    pages = []
    address = next_address(client)
    for _text in TEXTS:
        pages.append(client.get(address))
        address = client.post(address, {"u1": "1", "version": "0"}).headers["Location"]
    later(WEEK)
    client, address = at_quiz(campaign, "one")
    for _text in TEXTS:
        pages.append(client.get(address))
        client.post(address, {"page": "begin"})
        pages.append(client.get(address))
        address = client.post(address, {"page": "quiz", "confirmed": "1"}).headers["Location"]
    hidden = ("all-of-it", "own-choice", "with-questions", "the bridge")
    for page in pages:
        told = [word for word in hidden if word in page.content.decode()]
        assert not told


def test_six_people_have_six_rows_and_a_seventh_waits_until_somebody_leaves() -> None:
    campaign = quiz_study()
    clients = [prepare(campaign, f"person {number}") for number in range(6)]
    assert not DesignRow.objects.filter(enrolment=None).exists()
    seventh = worker_client(campaign, EDIT, "seventh")
    assert next_address(seventh) == "/work/done/"

    clients[2].post("/work/withdraw/")
    first = DesignRow.objects.get(enrolment__worker__external_id="person 2")
    assert next_address(seventh).startswith("/work/task/")
    first.refresh_from_db()
    assert first.enrolment is not None
    assert first.enrolment.worker.external_id == "seventh"


ENDS: dict[str, Callable[[Client, Campaign], object]] = {
    "stopped": lambda client, _campaign: client.post("/work/leave/"),
    "withdrew": lambda client, _campaign: client.post("/work/withdraw/"),
    "excluded": lambda _client, campaign: worker_exclude(
        worker=Worker.objects.get(campaign=campaign, external_id="gone"), work_round=EDIT, note="Why not?", user=None
    ),
    "erased": lambda _client, campaign: worker_erase(worker=Worker.objects.get(campaign=campaign, external_id="gone")),
    "never came again": lambda _client, _campaign: Assignment.objects.filter(
        worker__external_id="gone", lease_ends_at__isnull=False
    ).update(lease_ends_at=datetime(2020, 1, 1, tzinfo=UTC)),
}


@pytest.mark.parametrize("end", ENDS)
def test_the_row_of_somebody_who_left_in_the_middle_is_done_by_another_person(end: str) -> None:
    campaign = quiz_study({"people": 3})
    gone = prepare(campaign, "gone", texts=1)
    row = DesignRow.objects.get(enrolment__isnull=False)
    for name in ("one", "two"):
        prepare(campaign, name)

    ENDS[end](gone, campaign)
    heir = prepare(campaign, "heir")

    assert Enrolment.objects.get(worker__external_id="heir").outcome == "done"
    row.refresh_from_db()
    assert row.enrolment is not None
    assert row.enrolment.worker.external_id == "heir"
    done = Response.objects.filter(assignment__worker__external_id="heir")
    about = done.order_by("pk").values_list("assignment__item__task_item__material__name", flat=True)
    assert list(about) == [name for name, _condition in row.cells]
    assert heir.get("/work/done/").status_code == 200


def test_an_erasure_leaves_no_words_no_times_and_no_row(later: Callable[[float], None]) -> None:
    campaign = quiz_study()
    prepare(campaign, "one")
    later(WEEK)
    client, address = at_quiz(campaign, "one")
    following = quizzes(client, address, {"q0": "my own words", "heard": "yes"})
    client.post(following, {"page": "begin"})
    client.post(f"{following}draft/", {"page": "quiz", "q1": "my other words"})

    worker_erase(worker=Worker.objects.get(campaign=campaign))

    stored = [
        *Response.objects.values_list("answer", flat=True),
        *(answer for each in Response.objects.all() for answer in each.versions.values_list("answer", flat=True)),
    ]
    assert "words" not in json.dumps(stored)
    assert not PageVisit.objects.exists()
    assert not DesignRow.objects.filter(enrolment__isnull=False).exists()
    assert study_of(campaign).sittings == []

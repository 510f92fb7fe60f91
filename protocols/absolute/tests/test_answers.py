"""Points on the page: a reference that closes, one text of a source for each person, arms, and bad lines."""

import json
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client

from corpus.services.erasure import worker_erase
from crowd.models import Assignment, Campaign, Enrolment
from crowd.services.claims import assignment_claim
from crowd.services.entry import enrolment_leave
from crowd.services.exclusions import worker_exclude
from measures.experiments.latin_rows import MOST_CONDITIONS
from protocols.absolute.settings import WITH, WITHOUT
from protocols.absolute.tests.answered import SYSTEMS, absolute_campaign, score_all, text_line
from protocols.models import DesignRow, PageVisit, Response, TaskItem
from protocols.services.material import MOST_OF_A_NAME, material_import
from tests.support.factories import RATE, enrol, make_campaign, readable, worker_client

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


ENDS: dict[str, Callable[[Enrolment], object]] = {
    "stopped early": lambda enrolment: enrolment_leave(enrolment=enrolment),
    "excluded": lambda enrolment: worker_exclude(worker=enrolment.worker, work_round=RATE, note="Why not?", user=None),
    "erased": lambda enrolment: worker_erase(worker=enrolment.worker),
    "never came again": lambda _enrolment: Assignment.objects.filter(lease_ends_at__isnull=False).update(
        lease_ends_at=datetime(2020, 1, 1, tzinfo=UTC)
    ),
}


def at_task(campaign: Campaign, name: str = "rater") -> tuple[Client, str]:
    client = worker_client(campaign, RATE, name)
    client.post("/work/guidelines/")
    return client, client.post("/work/next/").headers["Location"]


def test_the_reference_closes_after_five_seconds_and_is_never_shown_again() -> None:
    client, address = at_task(absolute_campaign(1))

    page = readable(client.get(address))
    early = client.post(address, {"page": "reference"})
    Assignment.objects.update(leased_at=F("leased_at") - timedelta(seconds=6))
    client.post(address, {"page": "reference"})
    second = client.get(address)
    back = client.post(address, {"page": "points", "back": "reference"}, follow=True)
    sent = client.post(address, {"page": "points", "score": "4", "version": "0"})

    assert "The mill closed on day 0." in page
    assert "closed on day 0." in readable(second)
    assert "The mill closed on day 0." not in readable(second)
    assert "no-store" in second.headers["Cache-Control"]
    assert early.status_code == 422
    assert "You have read it" in readable(back)
    assert "The mill closed on day 0." not in readable(back)
    assert PageVisit.objects.get(page="reference").back_tries == 1
    assert sent.status_code == 302
    assert Response.objects.get().answer == {"score": 4, "arm": WITH}


def test_points_that_are_missing_are_refused_at_their_field() -> None:
    client, address = at_task(absolute_campaign(1))
    Assignment.objects.update(leased_at=F("leased_at") - timedelta(seconds=6))
    client.post(address, {"page": "reference"})

    refused = client.post(address, {"page": "points", "version": "0"})

    assert refused.status_code == 422
    assert '<a href="#score-1" dir="auto">Choose from 1 to 5 points.</a>' in refused.content.decode()
    assert not Response.objects.exists()


def test_nobody_is_given_two_texts_of_a_source() -> None:
    campaign = absolute_campaign(4)

    score_all(campaign, "ann", lambda _subject: 2)
    more = json.dumps(text_line("0", "late")).encode()
    material_import(campaign=campaign, file_name="more.jsonl", content=more)
    score_all(campaign, "ann", lambda _subject: 2)
    score_all(campaign, "ben", lambda _subject: 2)

    given = Response.objects.values_list("assignment__worker", "assignment__item__task_item__material__name")
    assert len(given) == len(set(given)) == 8


def given_to(person: str) -> list[tuple[str, str]]:
    """The source and the system of each text that somebody answered, in their order."""
    material = "assignment__item__task_item__material__"
    own = Response.objects.filter(assignment__worker__external_id=person).order_by("pk")
    return list(own.values_list(f"{material}name", f"{material}system"))


def test_rows_of_a_latin_square_are_handed_out_as_people_come() -> None:
    campaign = absolute_campaign(6, raters_per_compression=2)

    for person in range(6):
        score_all(campaign, str(person), lambda _subject: 2)

    rows = [given_to(str(person)) for person in range(6)]
    for row in rows:
        assert sorted(name for name, _system in row) == list("012345")
        assert set(Counter(system for _name, system in row).values()) == {2}
        assert {system for _name, system in row[:3]} == set(SYSTEMS)
    for block in (rows[:3], rows[3:]):
        assert len({text for row in block for text in row}) == 18
    assert DesignRow.objects.count() == 6


def test_who_does_few_texts_gets_a_part_of_the_sources_and_the_next_people_the_others() -> None:
    campaign = absolute_campaign(6, raters_per_compression=1, rater_tasks=3)

    for person in range(6):
        score_all(campaign, str(person), lambda _subject: 2)

    rows = [given_to(str(person)) for person in range(6)]
    sources = [{name for name, _system in row} for row in rows]
    assert sources[0] == sources[1] == sources[2]
    assert not sources[0] & sources[3]
    assert len({text for row in rows for text in row}) == 18


@pytest.mark.parametrize("end", ENDS)
def test_the_row_of_somebody_who_leaves_goes_to_the_next_person(end: str) -> None:
    campaign = absolute_campaign(3, raters_per_compression=1)
    gone = enrol(campaign, RATE, "gone")
    assert assignment_claim(enrolment=gone) is not None
    row = DesignRow.objects.get()
    ENDS[end](gone)

    score_all(campaign, "heir", lambda _subject: 2)

    row.refresh_from_db()
    assert row.enrolment is not None
    assert row.enrolment.worker.external_id == "heir"
    own = TaskItem.objects.filter(item__in=row.cells).values_list("material__name", "material__system")
    assert set(given_to("heir")) == set(own)
    for person in ("third", "fourth"):
        score_all(campaign, person, lambda _subject: 2)
    assert Response.objects.count() == 9


@pytest.mark.parametrize("systems", [1, MOST_CONDITIONS + 1])
def test_without_a_square_texts_come_in_the_drawn_order(systems: int) -> None:
    campaign = make_campaign(rating_task="absolute", rater_tasks=50)
    lines = [text_line(name, f"s{number}") for name in "ab" for number in range(systems)]
    content = "\n".join(map(json.dumps, lines)).encode()
    material_import(campaign=campaign, file_name="texts.jsonl", content=content)

    score_all(campaign, "ann", lambda _subject: 3)

    assert sorted(name for name, _system in given_to("ann")) == ["a", "b"]


def test_half_of_the_tasks_come_without_the_reference_and_say_so_in_the_answer() -> None:
    campaign = absolute_campaign(20, task_settings={"reference": "half", "shows_sentences": False})

    for person in ("ann", "ben"):
        score_all(campaign, person, lambda _subject: 3)

    arms = [each.answer["arm"] for each in Response.objects.all()]
    assert len(arms) == 40
    assert 8 < arms.count(WITHOUT) < 32


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        ({"output": 5}, "output must be text"),
        ({"reference": ["a"]}, "reference must be text"),
        ({"sentences": ["one"]}, "sentences must be 2"),
        ({"sentences": "one|"}, "sentences must be 2"),
        ({"expected": 6}, "expected must be from 1 to 5"),
        ({"expected": True}, "expected must be from 1 to 5"),
        ({"language": "x" * 101}, "language must be a tag"),
    ],
)
def test_a_text_that_cannot_be_used_is_refused_with_the_reason(made: dict[str, Any], reason: str) -> None:
    campaign = make_campaign(rating_task="absolute")
    content = json.dumps(text_line("1", "s") | made).encode()

    record = material_import(campaign=campaign, file_name="texts.jsonl", content=content)

    assert record.added == 0
    assert reason in record.problems[0][1]


def test_so_many_texts_of_one_source_and_no_more() -> None:
    campaign = make_campaign(rating_task="absolute")
    lines = [text_line("1", f"s{number}") for number in range(MOST_OF_A_NAME + 2)]

    record = material_import(
        campaign=campaign, file_name="texts.jsonl", content="\n".join(map(json.dumps, lines)).encode()
    )

    assert record.added == MOST_OF_A_NAME
    assert [number for number, _reason in record.problems] == [MOST_OF_A_NAME + 1, MOST_OF_A_NAME + 2]

"""What a participant's next text costs, bounded: whoever adds to the path of every text has to argue for it here.

Statements are counted, and so are the calls of functions, in Python and in C: unlike time, they are the same on every
machine. One person works alone, so what is counted is the path where nothing is out of the ordinary.
"""

import gc
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from compressions.selectors.sources import source_of_assignment
from crowd.models import Assignment, Campaign, Enrolment, Outcome, Round
from tests.support.factories import EDIT, RATE, edit_all, fields_of, make_campaign, submission_of, worker_client

pytestmark = pytest.mark.django_db
LOOPS_BEFORE = 3  # fill the caches


@dataclass
class Cost:
    statements: int = 0
    calls: int = 0


# Of the page, and of the submission that takes the next task along. The calls have a tenth to spare. Looking at what is
# odd about a text takes some 400 of an editor's, a tenth of a millisecond, and no statement. The id of a request, and
# asking whether it is to be counted and logged, takes some 50 of each.
MOST = {
    ("sqlite", EDIT): (Cost(2, 3_250), Cost(15, 6_400)),
    ("sqlite", RATE): (Cost(2, 3_400), Cost(16, 6_300)),
    ("postgresql", EDIT): (Cost(2, 3_550), Cost(15, 8_700)),
    ("postgresql", RATE): (Cost(2, 3_650), Cost(16, 8_700)),
}


@contextmanager
def counted() -> Iterator[Cost]:
    cost = Cost()

    def count(_frame: object, event: str, _argument: object) -> None:
        if event in {"call", "c_call"}:
            cost.calls += 1

    gc.collect()
    gc.disable()
    with CaptureQueriesContext(connection) as captured:
        sys.setprofile(count)
        try:
            yield cost
        finally:
            sys.setprofile(None)
            gc.enable()
    cost.statements = len(captured)


class Person:
    """A participant on their way from one text to the next."""

    def __init__(self, campaign: Campaign, work_round: Round) -> None:
        self.round = work_round
        self.client: Client = worker_client(campaign, work_round, "ann")
        self.address = self.client.get("/work/").headers["Location"]

    def loop(self) -> tuple[Cost, Cost]:
        with counted() as page_cost:
            page = self.client.get(self.address)
        assert page.status_code == 200
        fields = self.answers(page.content.decode())
        with counted() as submission_cost:
            reply = self.client.post(self.address, fields)
        assert reply.status_code == 302
        assert re.fullmatch(rf"/work/{self.round}/\d+/", reply.headers["Location"])
        assert reply.headers["Location"] != self.address
        self.address = reply.headers["Location"]
        return page_cost, submission_cost

    def answers(self, page: str) -> dict[str, Any]:
        task = int(self.address.split("/")[-2])
        if self.round == EDIT:
            assignment = Assignment.objects.select_related("item__source").get(pk=task)
            return fields_of(submission_of(source_of_assignment(assignment)))
        assert f'name="tasks" value="{task}"' in page
        return {"tasks": str(task), f"meaning-{task}": "3", f"grammar-{task}": "2", f"milliseconds-{task}": "900"}


@pytest.mark.parametrize("work_round", [EDIT, RATE])
def test_the_last_text_ends_the_visit_and_costs_no_more_than_one_before_it(work_round: Round) -> None:
    campaign = make_campaign(sources=9, editors_per_source=2, editor_tasks=4, rater_tasks=4, gold_percent=0)
    edit_all(campaign, 1)
    person = Person(campaign, work_round)
    for _ in range(LOOPS_BEFORE):
        person.loop()
    fields = person.answers(person.client.get(person.address).content.decode())

    with counted() as cost:
        reply = person.client.post(person.address, fields)

    assert reply.headers["Location"] == "/work/done/"
    assert Enrolment.objects.get(worker__external_id="ann").outcome == Outcome.DONE
    _, most = MOST[connection.vendor, work_round]
    assert cost.statements <= most.statements


@pytest.mark.parametrize("work_round", [EDIT, RATE])
def test_the_next_text_costs_no_more_than_it_must(work_round: Round) -> None:
    campaign = make_campaign(sources=12, editors_per_source=2, editor_tasks=99, rater_tasks=99, gold_percent=0)
    edit_all(campaign, 1)
    person = Person(campaign, work_round)
    for _ in range(LOOPS_BEFORE):
        person.loop()

    for cost, most in zip(person.loop(), MOST[connection.vendor, work_round], strict=True):
        assert cost.statements <= most.statements
        assert cost.calls <= most.calls

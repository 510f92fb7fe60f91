"""People who share a browser and come, or write, at the same moment."""

from collections.abc import Callable
from functools import partial
from threading import Event

import pytest
from django.db import connection

from crowd.models import Assignment, Campaign, Enrolment
from crowd.services.claims import assignment_claim
from crowd.services.entry import PlatformIds, worker_enter
from crowd.services.remarks import comment_add
from tests.support.factories import EDIT, RATE, enrol, link_of, make_campaign, submit_edit
from tests.support.together import PATIENCE_SECONDS, after_somebody_waits, together

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side"),
]
BROWSER = "f" * 64
State = Assignment.State


def come(campaign: Campaign, work_round: str, name: str) -> Enrolment:
    """Come in the shared browser, which the person has already begun in or not."""
    return worker_enter(link=link_of(campaign, work_round), ids=PlatformIds(name), browser=BROWSER)


def holding(campaign: Campaign, name: str) -> tuple[Enrolment, Assignment]:
    """An editor with a task, not yet in the shared browser."""
    editor = enrol(campaign, EDIT, name)
    task = assignment_claim(enrolment=editor)
    assert task is not None
    return editor, task


@pytest.mark.parametrize("_time", range(5))
def test_two_who_come_at_once_are_kept_apart(_time: int) -> None:
    campaign = make_campaign(sources=4, editors_per_source=1)
    people = [holding(campaign, name) for name in ("ann", "ben")]
    together([partial(come, campaign, EDIT, name) for name in ("ann", "ben")])
    for (one, _), (_, task) in (people, people[::-1]):
        assert one.worker.assignments.get(item=task.item_id).state == State.BLOCKED


@pytest.mark.parametrize("_time", range(5))
def test_two_who_claim_at_once_are_not_given_the_same_source(_time: int) -> None:
    campaign = make_campaign(sources=1)
    people = [enrol(campaign, EDIT, name) for name in ("ann", "ben")]
    for name in ("ann", "ben"):
        come(campaign, EDIT, name)
    begun = together([partial(assignment_claim, enrolment=each) for each in people])
    assert sum(task is not None for task in begun) == 1


def test_who_comes_during_a_submission_is_not_given_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """The text was stored by statements that did not know of the rater yet."""
    campaign = make_campaign(sources=1)
    editor, task = holding(campaign, "ann")
    come(campaign, EDIT, "ann")
    in_submit = Event()
    monkeypatch.setattr("compressions.services.submission.comment_add", after_somebody_waits(comment_add, in_submit))

    def rater_comes() -> Enrolment:
        assert in_submit.wait(PATIENCE_SECONDS)
        return come(campaign, RATE, "ben")

    acts: list[Callable[[], object]] = [partial(submit_edit, editor, task), rater_comes]
    together(acts)
    assert assignment_claim(enrolment=enrol(campaign, RATE, "ben")) is None
    assert assignment_claim(enrolment=enrol(campaign, RATE, "cat")) is not None

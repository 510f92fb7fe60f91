"""People who come by links with ids, sessions and outcomes, and the staff who look at them."""

import csv
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.test import Client

from crowd.models import Assignment, Campaign, Enrolment, JoinLink, Outcome, PastVisit, Role, Round
from crowd.services.entry import PlatformIds, guidelines_accept, worker_enter
from crowd.services.members import member_set
from tests.support.factories import edit_next, make_staff, open_link, rate_next, staff_client

WORK: dict[Round, Callable[[Enrolment], object]] = {Round.EDIT: edit_next, Round.RATE: rate_next}


def named_link(campaign: Campaign, work_round: str, name: str) -> JoinLink:
    link = open_link(campaign=campaign, work_round=work_round, platform_key="prolific")
    link.name = name
    link.save()
    return link


def comes(link: JoinLink, name: str, tasks: int = 0, outcome: str = Outcome.WORKING) -> Enrolment:
    """Someone comes by a link, does some tasks, and their visit is as `outcome` says."""
    ids = PlatformIds(worker_id=name, study_id=f"study-{link.pk}", session_id=f"session-{name}-{link.pk}")
    enrolment = worker_enter(link=link, ids=ids)
    guidelines_accept(enrolment=enrolment)
    return works(enrolment, tasks, outcome)


def works(enrolment: Enrolment, tasks: int, outcome: str = Outcome.WORKING) -> Enrolment:
    enrolment = Enrolment.objects.select_related("worker", "link__campaign").get(pk=enrolment.pk)
    for _ in range(tasks):
        assert WORK[Round(enrolment.round)](enrolment)
    Enrolment.objects.filter(pk=enrolment.pk).update(outcome=outcome)
    enrolment.refresh_from_db()
    return enrolment


def comes_again(enrolment: Enrolment, link: JoinLink, tasks: int = 0, outcome: str = Outcome.WORKING) -> Enrolment:
    """The same person comes by another link of the round: the visit so far is over."""
    now = enrolment.consented_at + timedelta(days=1)
    PastVisit.objects.create(
        enrolment=enrolment,
        link=enrolment.link,
        study_id=enrolment.study_id,
        session_id=enrolment.session_id,
        began_at=enrolment.consented_at,
        ended_at=now,
        outcome=enrolment.outcome,
    )
    enrolment.link, enrolment.visit_began_at, enrolment.outcome = link, now, Outcome.WORKING
    enrolment.study_id, enrolment.session_id = f"study-{link.pk}", f"session-again-{link.pk}"
    enrolment.save()
    return works(enrolment, tasks, outcome)


def takes(enrolment: Enrolment, *, before: int = 0, work: float) -> None:
    """Let someone have begun their tasks some seconds after consent, and submitted the last one later."""
    began: datetime = enrolment.visit_began_at or enrolment.consented_at
    start = began + timedelta(seconds=before)
    own = Assignment.objects.filter(worker=enrolment.worker, round=enrolment.round, link=enrolment.link)
    own.update(leased_at=start, submitted_at=start + timedelta(seconds=work))


def owner_of(campaign: Campaign) -> Client:
    return staff_client(campaign.memberships.get(role=Role.OWNER).user)


def viewer_of(campaign: Campaign) -> Client:
    viewer = make_staff()
    member_set(campaign=campaign, member=viewer, role=Role.VIEWER, user=None)
    return staff_client(viewer)


def rows_of(response: Any) -> list[dict[str, str]]:
    """The rows of a CSV download."""
    assert response.status_code == 200
    return list(csv.DictReader(b"".join(response).decode("utf-8-sig").splitlines()))

"""What pages say of people's work, from what is kept and what came since, is what all of their work says."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from common.clock import database_now
from compressions.models import Compression
from corpus.services.erasure import worker_erase
from corpus.services.people_of_tests import people_of_tests_remove
from crowd.models import Assignment, Campaign, Enrolment, Round, Worker
from crowd.services.claims import assignment_claim
from crowd.services.leases import assignment_skip
from ratings.models import KeptWork, Rating
from ratings.selectors.pay import time_and_pay
from ratings.selectors.visit_work import DoneBy, done_since, people_kept_wrongly, work_by_visit
from ratings.services import visit_work as services
from ratings.services.exclusions import person_exclude, person_readmit
from ratings.services.rating_counts import all_counts_advance
from ratings.services.visit_work import work_advance
from ratings.tests.people.support import comes, comes_again, named_link, works
from tests.support.factories import EDIT, RATE, make_campaign

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
ROUNDS = (Round.EDIT, Round.RATE)


@pytest.fixture
def campaign(monkeypatch: pytest.MonkeyPatch) -> Campaign:
    """Two editors and two raters who have done something; what they have done is kept, however little it is."""
    monkeypatch.setattr(services, "MANY_ITEMS", 0)
    people: dict[str, Any] = {"editors_per_source": 3, "raters_per_compression": 3, "editor_tasks": 9, "rater_tasks": 9}
    campaign = make_campaign(sources=6, gold_percent=0, texts_go_on_erasure=True, **people)
    for work_round, names in ((EDIT, ("ann", "ben")), (RATE, ("cleo", "dan"))):
        link = named_link(campaign, work_round, f"First {work_round}")
        for name in names:
            comes(link, name, tasks=2)
    for model, column in ((Compression, "active_ms"), (Rating, "milliseconds")):
        for number, pk in enumerate(model._default_manager.order_by("pk").values_list("pk", flat=True), start=1):
            model._default_manager.filter(pk=pk).update(**{column: 1000 * number})
    keep(campaign)
    return campaign


def keep(campaign: Campaign) -> None:
    work_advance(campaign=campaign, until=database_now())


def person(name: str) -> Enrolment:
    return Enrolment.objects.select_related("worker__campaign", "link__campaign").get(worker__external_id=name)


def assert_now(campaign: Campaign) -> None:
    """Whoever is asked for by name is counted from their work alone."""
    everyone = list(Worker.objects.filter(campaign=campaign).values_list("pk", flat=True))
    for each in ROUNDS:
        whole = work_by_visit(campaign, each, only=everyone)
        assert whole
        assert work_by_visit(campaign, each) == whole


def works_on(_campaign: Campaign) -> None:
    for name in ("ann", "cleo"):
        works(person(name), 1)


def comes_new(campaign: Campaign) -> None:
    comes(named_link(campaign, EDIT, "Second"), "eve", tasks=2)
    comes(named_link(campaign, RATE, "Second, too"), "fay")


def goes_on_by_another_link(campaign: Campaign) -> None:
    comes_again(person("ann"), named_link(campaign, EDIT, "Again"), tasks=1)


def skips(_campaign: Campaign) -> None:
    enrolment = person("ben")
    assignment = assignment_claim(enrolment=enrolment)
    assert assignment
    Assignment.objects.filter(pk=assignment.pk).update(leased_at=database_now() - timedelta(days=2))
    assignment_skip(assignment_id=assignment.pk, enrolment=enrolment)


def is_excluded(campaign: Campaign) -> None:
    for each in ("ann", "cleo"):
        enrolment = person(each)
        person_exclude(worker=enrolment.worker, work_round=enrolment.round, note="A bot.", user=campaign.staff.get())


def is_readmitted(campaign: Campaign) -> None:
    is_excluded(campaign)
    keep(campaign)
    person_readmit(worker=person("ann").worker, work_round=Round.EDIT, user=campaign.staff.get())


def is_erased(_campaign: Campaign) -> None:
    worker_erase(worker=person("ann").worker)
    assert not Compression.objects.filter(worker__external_id="ann").exists()


def tests_are_removed(campaign: Campaign) -> None:
    Worker.objects.filter(external_id__in=["ben", "dan"]).update(is_test=True)
    people_of_tests_remove(campaign=campaign, user=None)


CHANGES = [
    works_on,
    comes_new,
    goes_on_by_another_link,
    skips,
    is_excluded,
    is_readmitted,
    is_erased,
    tests_are_removed,
]


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_kept_and_what_came_since_is_all_that_was_done(
    campaign: Campaign, change: Callable[[Campaign], None]
) -> None:
    change(campaign)
    assert_now(campaign)
    keep(campaign)
    assert_now(campaign)
    assert not any(map(people_kept_wrongly, KeptWork.objects.all()))


def test_work_that_is_kept_is_not_read_again(campaign: Campaign) -> None:
    works_on(campaign)
    with CaptureQueriesContext(connection) as captured:
        time_and_pay(campaign, Round.EDIT)
    timed = [each["sql"] for each in captured if "active_ms" in each["sql"]]
    assert len(timed) == 1
    assert "submitted_at" in timed[0].split("WHERE")[1]


def test_people_who_are_forgotten_meanwhile_stay_forgotten(campaign: Campaign) -> None:
    """As an erasure is between the reading of the worker and its writing."""
    worker = person("ann").worker

    def slowly(kept: KeptWork, before: datetime) -> DoneBy:
        done = done_since(kept, before)
        if KeptWork.objects.filter(round=EDIT, work__has_key=str(worker.pk)).exists():
            worker_erase(worker=worker)
        return done

    works_on(campaign)
    with patch.object(services, "done_since", slowly):
        keep(campaign)
    assert str(worker.pk) not in KeptWork.objects.get(round=EDIT).work
    assert_now(campaign)
    keep(campaign)
    assert str(worker.pk) in KeptWork.objects.get(round=EDIT).work
    assert_now(campaign)


def test_the_worker_keeps_what_has_settled_in_large_campaigns_alone(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    KeptWork.objects.all().delete()
    Assignment.objects.filter(submitted_at__isnull=False, worker__external_id__in=["ann", "cleo"]).update(
        submitted_at=database_now() - timedelta(hours=1)
    )
    all_counts_advance()
    numbers = {each.round: sum(map(len, each.work.values())) for each in KeptWork.objects.all()}
    assert numbers == {"edit": 1, "rate": 1}
    assert_now(campaign)
    KeptWork.objects.all().delete()
    monkeypatch.setattr(services, "MANY_ITEMS", 1_000)
    all_counts_advance()
    assert not KeptWork.objects.exists()

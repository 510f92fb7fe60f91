"""Whose clock decides about leases: the database's, whatever those of the web servers say."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.utils import timezone

from common.clock import database_now, override_clock
from common.models import RateCount
from common.rate_limits import RateLimit, rate_limit_take
from compressions.models import Draft
from crowd.models import Assignment, Campaign
from crowd.selectors.campaigns import work_is_left
from crowd.services.claims import assignment_claim
from crowd.services.leases import assignment_renew, leases_expire
from tests.support.factories import EDIT, editor_at_work, enrol, fields_of, make_campaign, submission_of

needs_postgresql = [
    pytest.mark.postgresql,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite runs in the process and has no other clock"),
]
pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
LEASE_MINUTES = 30
TOLERANCE = timedelta(minutes=10)  # for a slow computer; the clocks are an hour apart
State = Assignment.State


def clock_of_database() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now


@pytest.fixture(params=[HOUR, -HOUR], ids=["an hour fast", "an hour slow"])
def wrong_clock(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of this process is wrong, in every way that Python reads it."""
    off, true_time, true_now = request.param, time.time, timezone.now

    class WrongDatetime(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return datetime.fromtimestamp(true_time() + off.total_seconds(), tz)  # type: ignore[arg-type]

    monkeypatch.setattr(time, "time", lambda: true_time() + off.total_seconds())
    monkeypatch.setattr(timezone, "now", lambda: true_now() + off)
    monkeypatch.setattr("django.utils.timezone.datetime", WrongDatetime)


def campaign_of_one() -> Campaign:
    return make_campaign(sources=1, editors_per_source=1, lease_minutes=LEASE_MINUTES)


def is_about(time_stored: datetime | None, expected: datetime) -> bool:
    return time_stored is not None and abs(time_stored - expected) < TOLERANCE


class TestWrongClock:
    """What a web server whose clock is an hour off does to leases: nothing."""

    pytestmark = [*needs_postgresql, pytest.mark.usefixtures("wrong_clock")]

    def test_the_clock_of_the_process_is_wrong(self) -> None:
        assert not is_about(timezone.now(), clock_of_database())
        assert is_about(database_now(), clock_of_database())

    def test_a_claim_ends_by_the_database(self) -> None:
        lease = assignment_claim(enrolment=enrol(campaign_of_one(), EDIT))
        assert lease is not None
        assert is_about(lease.leased_at, clock_of_database())
        assert is_about(lease.lease_ends_at, clock_of_database() + timedelta(minutes=LEASE_MINUTES))

    def test_renewing_prolongs_by_the_database(self) -> None:
        client, task = editor_at_work(campaign_of_one())
        Assignment.objects.update(lease_ends_at=clock_of_database() + timedelta(minutes=1))
        reply = client.post(f"/work/tasks/{task.pk}/renew/").json()
        task.refresh_from_db()
        assert is_about(task.lease_ends_at, clock_of_database() + timedelta(minutes=LEASE_MINUTES))
        assert abs(reply["lease_seconds"] - LEASE_MINUTES * 60) < TOLERANCE.total_seconds()

    def test_a_live_lease_is_not_taken_away(self) -> None:
        campaign = campaign_of_one()
        lease = assignment_claim(enrolment=enrol(campaign, EDIT))
        assert not work_is_left(campaign, EDIT)
        assert assignment_claim(enrolment=enrol(campaign, EDIT)) is None
        assert lease is not None
        lease.refresh_from_db()
        assert lease.state == State.LEASED

    def test_a_lease_that_ran_out_goes_to_the_next_person(self) -> None:
        campaign = campaign_of_one()
        lease = assignment_claim(enrolment=enrol(campaign, EDIT))
        Assignment.objects.update(lease_ends_at=clock_of_database() - timedelta(minutes=1))
        assert lease is not None
        assert work_is_left(campaign, EDIT)
        taken = assignment_claim(enrolment=enrol(campaign, EDIT))
        assert taken is not None
        assert taken.item_id == lease.item_id

    def test_the_longest_time_that_a_text_is_held_is_the_databases(self) -> None:
        worker = enrol(campaign_of_one(), EDIT)
        lease = assignment_claim(enrolment=worker)
        assert lease is not None
        first = clock_of_database() - timedelta(hours=3, minutes=15)
        Assignment.objects.update(leased_at=first)
        assert is_about(assignment_renew(assignment_id=lease.pk, enrolment=worker).lease_ends_at, first + 3.75 * HOUR)

    def test_times_of_submits_and_drafts_are_the_databases(self) -> None:
        client, task = editor_at_work(campaign_of_one())
        save = {"sequence": 1, "started_from": "source", "log": [], "comment": ""}
        client.put(f"/work/edit/{task.pk}/drafts/a/", save, content_type="application/json")
        assert is_about(Draft.objects.get().saved_at, clock_of_database())
        client.post(f"/work/edit/{task.pk}/", fields_of(submission_of(task.item.source)))
        task.refresh_from_db()
        assert is_about(task.submitted_at, clock_of_database())

    def test_windows_of_limits_are_the_databases(self) -> None:
        rate_limit_take(RateLimit("short", 1, 60), "ann")
        assert is_about(RateCount.objects.get(limit_name="short").window_start, clock_of_database())


# Summer time: an hour that is not there, and one that is there twice

CHANGES = [
    pytest.param(datetime(2026, 3, 29, 0, 50, tzinfo=UTC), id="to summer time"),
    pytest.param(datetime(2026, 10, 25, 0, 50, tzinfo=UTC), id="back from summer time"),
]


@pytest.fixture
def _in_berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    with timezone.override("Europe/Berlin"):
        yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("_in_berlin")
@pytest.mark.parametrize("before", CHANGES)
def test_a_lease_lasts_as_long_when_the_clocks_change(before: datetime) -> None:
    campaign = campaign_of_one()
    now = before
    with override_clock(lambda: now):
        lease = assignment_claim(enrolment=enrol(campaign, EDIT))
        assert lease is not None
        lease.refresh_from_db()
        assert lease.lease_ends_at == before + timedelta(minutes=LEASE_MINUTES)
        now = before + timedelta(minutes=LEASE_MINUTES - 1)
        assert leases_expire(campaign_id=campaign.pk, now=now) == 0
        assert assignment_claim(enrolment=enrol(campaign, EDIT)) is None
        now = before + timedelta(minutes=LEASE_MINUTES + 1)
        assert assignment_claim(enrolment=enrol(campaign, EDIT)) is not None

"""What a worker does from time to time goes on when its database was away."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from annotation.celery import periodic_maintenance
from common import periodic
from common.jobs import jobs_requeue
from common.models import Job, PeriodicRun
from common.periodic import maintain, periodic_tasks
from maintenance.backups.nightly import backup_when_due
from maintenance.checks.questions import periodic_work_seconds
from tests.support.clock import Clock
from tests.support.factories import make_campaign

pytestmark = pytest.mark.django_db(transaction=True)
closed_by_server = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no server to lose")


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    heard: list[int] = []
    monkeypatch.setattr("common.jobs.run_job.delay", heard.append)
    return heard


def lost_job() -> Job:
    past = timezone.now() - timedelta(seconds=1)
    return Job.objects.create(campaign=make_campaign(), kind="apply_quality", lease_ends_at=past)


def break_connection() -> None:
    """As a restart of the server does, after Django has found the connection in order."""
    Job.objects.exists()
    connection.connection.close()


@closed_by_server
def test_a_connection_that_broke_since_the_last_time_is_replaced(announced: list[int]) -> None:
    job = lost_job()
    break_connection()

    maintain(jobs_requeue)

    assert announced == [job.pk]


@closed_by_server
def test_a_connection_that_breaks_meanwhile_is_replaced_the_next_time(announced: list[int]) -> None:
    job = lost_job()

    def look_without_a_database() -> None:
        break_connection()
        jobs_requeue()

    maintain(look_without_a_database)
    assert announced == []
    maintain(jobs_requeue)

    assert announced == [job.pk]


def test_a_worker_does_it_at_its_start_and_sets_its_timer(announced: list[int]) -> None:
    job, timed = lost_job(), list[tuple[float, object, object]]()

    class Worker:
        class timer:  # noqa: N801 - as Celery calls it
            @staticmethod
            def call_repeatedly(seconds: float, act: object, arguments: object) -> None:
                timed.append((seconds, act, arguments))

    periodic_maintenance(sender=Worker())

    assert announced == [job.pk]
    assert timed == [(seconds, maintain, (task,)) for seconds, task in periodic_tasks()]


def test_a_task_that_fails_keeps_the_worker_from_nothing(caplog: pytest.LogCaptureFixture) -> None:
    def fails() -> None:
        raise ValueError("of some data")

    maintain(fails)
    assert "fails failed" in caplog.text


def test_nightly_backups_are_looked_after() -> None:
    assert backup_when_due in [task for _seconds, task in periodic_tasks()]


@pytest.mark.django_db
def test_periodic_work_that_is_done_is_noted_about_once_a_minute_and_what_fails_is_not(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(periodic, "close_old_connections", lambda: None)  # the test's own is to stay

    def fails() -> None:
        raise ValueError("no")

    assert periodic_work_seconds() is None
    maintain(fails)
    assert periodic_work_seconds() is None
    maintain(jobs_requeue)
    first = PeriodicRun.objects.get().done_at
    clock.advance(minutes=0.5)
    maintain(jobs_requeue)
    assert PeriodicRun.objects.get().done_at == first
    clock.advance(minutes=2)
    assert periodic_work_seconds() == pytest.approx(150, abs=2)
    maintain(jobs_requeue)
    assert periodic_work_seconds() == pytest.approx(0, abs=2)

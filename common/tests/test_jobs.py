"""Long work: run once, its failure kept, taken over when its runner vanished."""

import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import psycopg
import pytest
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.transaction import TransactionManagementError
from django.utils import timezone
from kombu.exceptions import ChannelError
from kombu.exceptions import OperationalError as BrokerError
from pytest_django.fixtures import DjangoCaptureOnCommitCallbacks, Settings

from common import job_attempts, jobs
from common.errors import Refused, TooManyRequests
from common.job_attempts import LEASE, NO_JOB, Attempt, LostLease, heartbeat
from common.jobs import (
    MAX_ATTEMPTS,
    MAX_UNFINISHED,
    Progress,
    job_enqueue,
    job_handler,
    job_run,
    jobs_forget_old,
    jobs_requeue,
)
from common.models import Job, UnnamedPath
from crowd.models import Campaign
from tests.support.factories import make_campaign, make_staff, staff_client

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
State = Job.State


class Work:
    """A job that counts its runs, and ends as it is told."""

    def __init__(self) -> None:
        self.runs = 0
        self.error: Exception | None = None
        self.meanwhile: Callable[[], object] = lambda: None

    def __call__(self, _job: Job, progress: Progress) -> str:
        self.runs += 1
        progress(1, 2)
        self.meanwhile()
        if self.error:
            raise self.error
        progress(2, 2)
        return "All counted."


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    jobs.job_kinds()  # those of the rooms are registered once, and not among these
    monkeypatch.setattr(jobs, "_kinds", {})
    work = Work()
    job_handler("count", label="Counting")(work)
    return work


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The jobs that the broker was told of."""
    heard: list[int] = []
    monkeypatch.setattr(jobs.run_job, "delay", heard.append)
    return heard


def enqueue(campaign: Campaign | None = None) -> Job:
    return job_enqueue(
        campaign_id=(campaign or make_campaign()).pk, kind="count", parameters={"step": 2}, user=make_staff()
    )


def reread(job: Job) -> Job:
    return Job.objects.get(pk=job.pk)


def run_out(job: Job) -> None:
    """As if the runner had vanished long ago."""
    Job.objects.filter(pk=job.pk).update(lease_ends_at=timezone.now() - timedelta(seconds=1))


def test_a_job_runs_once_it_is_committed(
    work: Work, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        job = enqueue()
        assert work.runs == 0
    job = reread(job)
    assert (work.runs, job.state, job.message, job.attempts) == (1, State.DONE, "All counted.", 1)
    assert (job.done, job.total) == (2, 2)
    assert job.finished_at is not None


def test_a_job_of_a_transaction_that_failed_is_never_announced(
    work: Work, announced: list[int], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    @transaction.atomic
    def fail() -> None:
        enqueue()
        raise Refused

    with django_capture_on_commit_callbacks(execute=True), pytest.raises(Refused):
        fail()
    assert announced == []
    assert not Job.objects.exists()


def test_a_job_that_nobody_can_do_is_refused(work: Work) -> None:
    with pytest.raises(ValueError, match="no handler"):
        job_enqueue(campaign_id=make_campaign().pk, kind="dance", parameters={}, user=None)
    assert not Job.objects.exists()


def test_a_refusal_is_kept_in_its_own_words(work: Work) -> None:
    work.error = Refused("There is nothing to count.")
    job = enqueue()
    job_run(job_id=job.pk)
    assert (reread(job).state, reread(job).message) == (State.FAILED, "There is nothing to count.")


def test_an_error_is_kept_with_its_kind(work: Work) -> None:
    work.error = OSError("no space left")
    job = enqueue()
    job_run(job_id=job.pk)
    assert (reread(job).state, reread(job).message) == (State.FAILED, "OSError: no space left")
    assert reread(job).is_finished


def test_an_error_that_repeats_a_row_is_kept_without_it(work: Work) -> None:
    work.error = IntegrityError("DETAIL: Key (external_id)=(5f1c0ffee) already exists.")
    job = enqueue()
    job_run(job_id=job.pk)
    assert (reread(job).state, reread(job).message) == (State.FAILED, "IntegrityError")


def test_a_job_announced_twice_runs_once(work: Work) -> None:
    job = enqueue()
    for _ in range(2):
        job_run(job_id=job.pk)
    assert (work.runs, reread(job).attempts) == (1, 1)


def test_a_job_that_is_running_is_not_run_again(work: Work) -> None:
    job = enqueue()
    work.meanwhile = lambda: job_run(job_id=job.pk)
    job_run(job_id=job.pk)
    assert work.runs == 1


def test_a_job_that_does_not_exist_is_no_error(work: Work) -> None:
    job_run(job_id=404)
    assert work.runs == 0


def test_progress_keeps_the_lease_alive(work: Work) -> None:
    job = enqueue()
    before = timezone.now()
    seen: list[Job] = []
    work.meanwhile = lambda: seen.append(reread(job))
    job_run(job_id=job.pk)
    (running,) = seen
    assert (running.state, running.done, running.total) == (State.RUNNING, 1, 2)
    assert running.lease_ends_at is not None
    assert running.lease_ends_at >= before + LEASE


def test_a_job_whose_runner_vanished_is_announced_again_and_runs(work: Work, announced: list[int]) -> None:
    job = enqueue()
    Job.objects.filter(pk=job.pk).update(state=State.RUNNING, attempts=1)
    run_out(job)
    assert jobs_requeue() == 1
    assert announced == [job.pk]
    job_run(job_id=job.pk)
    assert (reread(job).state, reread(job).attempts) == (State.DONE, 2)


def test_a_queued_job_that_nobody_heard_of_is_announced_again(work: Work, announced: list[int]) -> None:
    job = enqueue()
    assert jobs_requeue() == 0
    run_out(job)
    assert jobs_requeue() == 1
    assert announced == [job.pk]


def test_a_queued_job_is_not_announced_at_every_look(work: Work, announced: list[int]) -> None:
    run_out(enqueue())
    assert (jobs_requeue(), jobs_requeue()) == (1, 0)
    assert len(announced) == 1


def test_a_job_that_runs_or_is_finished_is_left_alone(work: Work, announced: list[int]) -> None:
    running, done, failed = enqueue(), enqueue(), enqueue()
    Job.objects.filter(pk=running.pk).update(state=State.RUNNING)
    for job, state in ((done, State.DONE), (failed, State.FAILED)):
        Job.objects.filter(pk=job.pk).update(state=state)
        run_out(job)
    assert jobs_requeue() == 0
    assert announced == []


def test_a_job_that_loses_every_runner_is_given_up(work: Work, announced: list[int]) -> None:
    job = enqueue()
    Job.objects.filter(pk=job.pk).update(state=State.RUNNING, attempts=MAX_ATTEMPTS)
    run_out(job)
    job_run(job_id=job.pk)
    assert jobs_requeue() == 0
    given_up = reread(job)
    assert (given_up.state, given_up.message) == (State.FAILED, "The worker was lost 3 times on this job.")
    assert given_up.finished_at is not None
    assert (work.runs, announced) == (0, [])


def test_a_running_job_has_a_lease(work: Work) -> None:
    job = enqueue()
    with pytest.raises(IntegrityError, match="job_running_has_lease"), transaction.atomic():
        Job.objects.filter(pk=job.pk).update(state=State.RUNNING, lease_ends_at=None)


# A broker that goes away


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> "Broker":
    broker = Broker()
    monkeypatch.setattr(jobs.run_job, "delay", broker.take)
    return broker


class Broker:
    """Takes messages, or fails as each kind of broker does."""

    def __init__(self) -> None:
        self.error: Exception | None = None
        self.calls, self.heard = 0, list[int]()

    def take(self, job_id: int) -> None:
        self.calls += 1
        if self.error:
            raise self.error
        self.heard.append(job_id)


@pytest.mark.parametrize(
    "error",
    [BrokerError("Error 111 connecting to redis"), ChannelError("Cannot add file"), OSError("no space left on device")],
)
def test_a_job_that_the_broker_does_not_take_is_announced_at_the_next_look(
    work: Work,
    broker: Broker,
    error: Exception,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    broker.error = error
    with django_capture_on_commit_callbacks(execute=True):
        job = enqueue()
    assert (reread(job).state, broker.calls, jobs_requeue()) == (State.QUEUED, 1, 0)
    broker.error = None
    assert (jobs_requeue(), broker.heard) == (1, [job.pk])
    job_run(job_id=job.pk)
    assert (reread(job).state, work.runs) == (State.DONE, 1)


def test_a_look_at_many_jobs_asks_a_silent_broker_once(work: Work, broker: Broker) -> None:
    campaign = make_campaign()
    lost = [enqueue(campaign) for _ in range(3)]
    for job in lost:
        run_out(job)
    broker.error = BrokerError("Timeout reading from socket")
    assert (jobs_requeue(), broker.calls) == (0, 1)
    broker.error = None
    assert (jobs_requeue(), sorted(broker.heard)) == (3, [job.pk for job in lost])


def test_a_job_that_began_meanwhile_keeps_its_lease(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    job = enqueue()

    def begins_and_is_not_heard_of(_job_id: int) -> None:
        Job.objects.filter(pk=job.pk).update(state=State.RUNNING, attempts=1, lease_ends_at=timezone.now() + LEASE)
        raise BrokerError

    run_out(job)
    monkeypatch.setattr(jobs.run_job, "delay", begins_and_is_not_heard_of)
    assert jobs_requeue() == 0
    assert lease_ends_at(job) > timezone.now()


# Attempts


def test_a_stale_attempt_neither_reports_progress_nor_ends_the_job(work: Work) -> None:
    job = enqueue()

    def overtaken() -> None:
        Job.objects.filter(pk=job.pk).update(attempts=2)

    work.meanwhile = overtaken
    job_run(job_id=job.pk)
    current = reread(job)
    assert (current.state, current.done, current.total, current.message) == (State.RUNNING, 1, 2, "")


@pytest.mark.parametrize("changed", [{"attempts": 2}, {"state": State.DONE}, {"state": State.FAILED}])
def test_a_fence_stops_an_attempt_that_has_lost_its_job(work: Work, changed: dict[str, Any]) -> None:
    job = enqueue()
    Job.objects.filter(pk=job.pk).update(state=State.RUNNING, attempts=1)
    with transaction.atomic():
        Attempt(job.pk, 1).fence()
    Job.objects.filter(pk=job.pk).update(**changed)
    with pytest.raises(LostLease), transaction.atomic():
        Attempt(job.pk, 1).fence()


@pytest.mark.django_db(transaction=True)
def test_a_fence_wants_the_transaction_that_it_protects() -> None:
    with pytest.raises(TransactionManagementError, match="transaction"):
        Attempt(1, 1).fence()
    with transaction.atomic():
        NO_JOB.fence()


@pytest.mark.django_db(transaction=True)
def test_a_long_step_keeps_its_lease(work: Work, announced: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_attempts, "HEARTBEAT_SECONDS", 0.01)
    job = enqueue()

    def one_long_step() -> None:
        run_out(job)
        for _ in range(3000):
            if jobs_requeue() == 0 and lease_ends_at(job) > timezone.now():
                return
            time.sleep(0.01)
        raise AssertionError("nobody renewed the lease")

    work.meanwhile = one_long_step
    job_run(job_id=job.pk)
    assert (reread(job).state, reread(job).attempts, work.runs) == (State.DONE, 1, 1)
    assert not [thread for thread in threading.enumerate() if thread.name == "heartbeat"]


@pytest.mark.django_db(transaction=True)
def test_a_heartbeat_ends_when_the_job_is_lost(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_attempts, "HEARTBEAT_SECONDS", 0.01)
    job = enqueue()
    Job.objects.filter(pk=job.pk).update(state=State.RUNNING, attempts=2)
    run_out(job)
    with heartbeat(Attempt(job.pk, 1)):
        (thread,) = (thread for thread in threading.enumerate() if thread.name == "heartbeat")
        thread.join(30)
        assert not thread.is_alive()
    assert lease_ends_at(job) < timezone.now()


def lease_ends_at(job: Job) -> datetime:
    ends = reread(job).lease_ends_at
    assert ends
    return ends


# A database that goes away

closed_by_server = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no server to lose")


def break_connection() -> None:
    """As a restart of the server does."""
    connection.ensure_connection()
    connection.connection.close()


@closed_by_server
@pytest.mark.django_db(transaction=True)
def test_a_job_that_loses_its_database_is_not_failed_but_tried_again(work: Work, announced: list[int]) -> None:
    job = enqueue()
    work.meanwhile = break_connection
    work.error = OperationalError("the connection is closed")
    job_run(job_id=job.pk)
    assert reread(job).state == State.RUNNING
    run_out(job)
    work.meanwhile, work.error = lambda: None, None
    assert jobs_requeue() == 1
    job_run(job_id=job.pk)
    assert (reread(job).state, reread(job).attempts) == (State.DONE, 2)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("cause", "state"),
    [
        (psycopg.errors.AdminShutdown("terminating connection due to unexpected postmaster exit"), State.RUNNING),
        (psycopg.OperationalError("server closed the connection unexpectedly"), State.RUNNING),
        (psycopg.errors.DiskFull("could not extend file"), State.FAILED),
    ],
)
def test_a_job_whose_error_says_that_the_server_ended_is_tried_again_even_if_it_is_back(
    work: Work, cause: Exception, state: str
) -> None:
    work.error = OperationalError(str(cause))
    work.error.__cause__ = cause
    job = enqueue()
    job_run(job_id=job.pk)
    assert reread(job).state == state


def test_an_error_of_a_database_that_is_there_fails_the_job(work: Work) -> None:
    work.error = OperationalError("database or disk is full")
    job = enqueue()
    job_run(job_id=job.pk)
    assert (reread(job).state, reread(job).message) == (State.FAILED, "OperationalError: database or disk is full")


def test_a_job_of_another_campaign_does_not_exist(work: Work) -> None:
    owner = make_staff()
    own, other = make_campaign(owner=owner), make_campaign()
    job = enqueue(other)
    client = staff_client(owner)
    for slug in (own.slug, other.slug):
        assert client.get(f"/campaigns/{slug}/jobs/{job.pk}/").status_code == 404


def test_a_job_is_shown_whole_and_to_htmx_its_moving_part(work: Work) -> None:
    owner = make_staff()
    job = enqueue(make_campaign(owner=owner))
    address = f"/campaigns/{job.campaign.slug}/jobs/{job.pk}/"
    whole = staff_client(owner).get(address).content.decode()
    part = staff_client(owner).get(address, headers={"HX-Request": "true"}).content.decode()
    assert "<html" in whole
    assert "<html" not in part
    assert part.strip()


# One campaign cannot fill the queue that all share


@pytest.mark.usefixtures("work", "announced")
def test_the_unfinished_jobs_of_a_campaign_are_bounded() -> None:
    greedy, other = make_campaign(), make_campaign()
    queued = [enqueue(greedy) for _ in range(MAX_UNFINISHED)]
    with pytest.raises(TooManyRequests, match="Wait until some have finished"):
        enqueue(greedy)
    assert enqueue(other).state == State.QUEUED
    job_run(job_id=queued[0].pk)
    assert enqueue(greedy).state == State.QUEUED


def test_staff_who_ask_for_too_many_jobs_are_told_on_the_page() -> None:
    campaign = make_campaign(owner=(owner := make_staff()))
    waiting = {"campaign": campaign, "kind": "anything", "lease_ends_at": timezone.now()}
    Job.objects.bulk_create(Job(**waiting) for _ in range(MAX_UNFINISHED))
    reply = staff_client(owner).post(f"/campaigns/{campaign.slug}/quality/apply/", {})
    assert (reply.status_code, reply.headers["Retry-After"]) == (429, "60")
    assert "Wait until some have finished" in reply.content.decode()
    assert Job.objects.count() == MAX_UNFINISHED


# What is kept


def test_jobs_that_ended_long_ago_are_forgotten_unless_a_row_names_them(settings: Settings) -> None:
    settings.JOBS_KEPT_DAYS = 30
    campaign, now = make_campaign(), timezone.now()

    def job(state: str, days: int) -> Job:
        ended = None if state in {State.QUEUED, State.RUNNING} else now - timedelta(days=days)
        made = Job.objects.create(campaign=campaign, kind="count", state=state, finished_at=ended, lease_ends_at=now)
        Job.objects.filter(pk=made.pk).update(created_at=now - timedelta(days=days))
        return made

    old = [job(State.DONE, 31), job(State.FAILED, 31)]
    kept = [job(State.DONE, 29), job(State.FAILED, 29), job(State.QUEUED, 99), job(State.RUNNING, 99)]
    named = job(State.DONE, 99)
    UnnamedPath.objects.create(storage="releases", path="a", job=named, begun_at=now)

    assert jobs_forget_old() == len(old)
    assert set(Job.objects.values_list("pk", flat=True)) == {each.pk for each in (*kept, named)}
    assert UnnamedPath.objects.get().job == named
    assert jobs_forget_old() == 0

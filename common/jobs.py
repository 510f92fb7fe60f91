"""Background jobs: enqueued once, run by any free worker, taken over when a worker dies.

Each app registers a handler for its kinds of job, with the label and link that pages show (`job_handler`).
"""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from celery import shared_task
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q, QuerySet

from common.clock import database_now
from common.errors import Refused
from common.models import Job

logger = logging.getLogger(__name__)

LEASE = timedelta(minutes=2)
MAX_ATTEMPTS = 3
Progress = Callable[[int, int], None]
JobHandler = Callable[[Job, Progress], str]


@dataclass(frozen=True)
class ResultLink:
    """The link to a finished job's result: its address for a job, and its texts."""

    address: Callable[[Job], str]
    done: str
    failed: str


@dataclass(frozen=True)
class JobKind:
    """A kind of job: its handler, its label and the link to its result."""

    handler: JobHandler
    label: str
    result: ResultLink | None = None


_kinds: dict[str, JobKind] = {}


def job_handler(kind: str, *, label: str, result: ResultLink | None = None) -> Callable[[JobHandler], JobHandler]:
    """Register the decorated function as the handler for a kind of job. Handlers must be idempotent."""

    def register(handler: JobHandler) -> JobHandler:
        _kinds[kind] = JobKind(handler, label, result)
        return handler

    return register


def job_kind(kind: str) -> JobKind | None:
    """Return the registered kind, or None for one that only earlier versions had."""
    return _kinds.get(kind)


@transaction.atomic
def job_enqueue(*, campaign_id: int, kind: str, parameters: Mapping[str, Any], user: User | None) -> Job:
    """Store a job and announce it to the workers once the transaction commits."""
    if kind not in _kinds:
        raise ValueError(f"no handler is registered for jobs of kind {kind!r}")
    job = Job.objects.create(
        campaign_id=campaign_id,
        kind=kind,
        parameters=dict(parameters),
        requested_by=user,
        lease_ends_at=database_now() + LEASE,
    )
    transaction.on_commit(lambda: _announce(job.pk))
    return job


def job_run(*, job_id: int) -> None:
    """Run a job if nobody else is running it; a failure is recorded in its row."""
    if not _claim_job(job_id):
        return
    job = Job.objects.select_related("campaign").get(pk=job_id)
    try:
        message = _kinds[job.kind].handler(job, _progress_reporter(job_id))
    except Refused as refusal:
        _finish(job_id, Job.State.FAILED, str(refusal))
    except Exception as error:
        logger.exception("job %s (%s) failed", job_id, job.kind)
        _finish(job_id, Job.State.FAILED, f"{type(error).__name__}: {error}")
    else:
        _finish(job_id, Job.State.DONE, message)


def jobs_requeue() -> int:
    """Announce lost jobs again, queued or running, and fail those out of attempts; return how many were announced.

    A lost job is a queued one whose message never arrived, or a running one whose worker died.
    """
    now = database_now()
    exhausted = Job.objects.filter(state=Job.State.RUNNING, lease_ends_at__lt=now, attempts__gte=MAX_ATTEMPTS)
    exhausted.update(
        state=Job.State.FAILED,
        finished_at=now,
        message=f"The worker was lost {MAX_ATTEMPTS} times on this job.",
    )
    overdue = _claimable_jobs(now).filter(lease_ends_at__lt=now)
    lost = list(overdue.values_list("pk", flat=True))
    # A job that is merely waiting its turn should not be announced on every call.
    overdue.filter(state=Job.State.QUEUED).update(lease_ends_at=now + LEASE)
    for job_id in lost:
        _announce(job_id)
    return len(lost)


@shared_task(name="common.run_job")
def run_job(job_id: int) -> None:
    job_run(job_id=job_id)


def _announce(job_id: int) -> None:
    run_job.delay(job_id)


def _claimable_jobs(now: datetime) -> QuerySet[Job]:
    return Job.objects.filter(
        Q(state=Job.State.QUEUED) | Q(state=Job.State.RUNNING, lease_ends_at__lt=now),
        attempts__lt=MAX_ATTEMPTS,
    )


def _claim_job(job_id: int) -> bool:
    now = database_now()
    claimed = (
        _claimable_jobs(now)
        .filter(pk=job_id)
        .update(state=Job.State.RUNNING, attempts=F("attempts") + 1, lease_ends_at=now + LEASE, done=0)
    )
    return claimed == 1


def _progress_reporter(job_id: int) -> Progress:
    """Return a progress callback that writes at most twice a second and renews the job's lease."""
    last = 0.0

    def progress(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last < 0.5 and done < total:
            return
        last = time.monotonic()
        Job.objects.filter(pk=job_id).update(done=done, total=total, lease_ends_at=database_now() + LEASE)

    return progress


def _finish(job_id: int, state: str, message: str) -> None:
    Job.objects.filter(pk=job_id).update(state=state, message=message, finished_at=database_now())

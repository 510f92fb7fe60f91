"""Long work: requested once, run by any free worker, taken over when its runner vanishes.

A room registers the function that does jobs of a kind together with what pages say about them (`job_handler`).
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
    """Where a finished job leads: the name of an address that takes the campaign, and what its link says."""

    address: str
    done: str
    failed: str


@dataclass(frozen=True)
class JobKind:
    """A kind of job: the function that does it, what it is called, and where it leads."""

    handler: JobHandler
    label: str
    result: ResultLink | None = None


_kinds: dict[str, JobKind] = {}


def job_handler(kind: str, *, label: str, result: ResultLink | None = None) -> Callable[[JobHandler], JobHandler]:
    """Register the function that does jobs of a kind. Running it twice must do no harm."""

    def register(handler: JobHandler) -> JobHandler:
        _kinds[kind] = JobKind(handler, label, result)
        return handler

    return register


def job_kind(kind: str) -> JobKind | None:
    """The registered kind; None for a job of an earlier version that no room does any more."""
    return _kinds.get(kind)


@transaction.atomic
def job_enqueue(*, campaign_id: int, kind: str, parameters: Mapping[str, Any], user: User | None) -> Job:
    """Write a job down and tell the workers of it once it is committed."""
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
    """Run a job if it is free; its failure is kept in its row."""
    if not _taken(job_id):
        return
    job = Job.objects.select_related("campaign").get(pk=job_id)
    try:
        message = _kinds[job.kind].handler(job, _progress_of(job_id))
    except Refused as refusal:
        _finish(job_id, Job.State.FAILED, str(refusal))
    except Exception as error:
        logger.exception("job %s (%s) failed", job_id, job.kind)
        _finish(job_id, Job.State.FAILED, f"{type(error).__name__}: {error}")
    else:
        _finish(job_id, Job.State.DONE, message)


def jobs_requeue() -> int:
    """Announce again what was lost: queued jobs nobody heard of, running ones whose runner vanished."""
    now = database_now()
    given_up = Job.objects.filter(state=Job.State.RUNNING, lease_ends_at__lt=now, attempts__gte=MAX_ATTEMPTS)
    given_up.update(
        state=Job.State.FAILED,
        finished_at=now,
        message=f"The worker was lost {MAX_ATTEMPTS} times on this job.",
    )
    unheard = _free_jobs(now).filter(lease_ends_at__lt=now)
    lost = list(unheard.values_list("pk", flat=True))
    # A job that only waits its turn is not announced again at every look.
    unheard.filter(state=Job.State.QUEUED).update(lease_ends_at=now + LEASE)
    for job_id in lost:
        _announce(job_id)
    return len(lost)


@shared_task(name="common.run_job")
def run_job(job_id: int) -> None:
    job_run(job_id=job_id)


def _announce(job_id: int) -> None:
    run_job.delay(job_id)


def _free_jobs(now: datetime) -> QuerySet[Job]:
    return Job.objects.filter(
        Q(state=Job.State.QUEUED) | Q(state=Job.State.RUNNING, lease_ends_at__lt=now),
        attempts__lt=MAX_ATTEMPTS,
    )


def _taken(job_id: int) -> bool:
    now = database_now()
    changed = (
        _free_jobs(now)
        .filter(pk=job_id)
        .update(state=Job.State.RUNNING, attempts=F("attempts") + 1, lease_ends_at=now + LEASE, done=0)
    )
    return changed == 1


def _progress_of(job_id: int) -> Progress:
    """A progress function that writes at most twice a second and keeps the job's lease alive."""
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

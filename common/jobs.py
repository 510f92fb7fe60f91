"""Background jobs: enqueued once, run by any free worker, taken over when a worker dies.

Each app registers a handler for its kinds of job, with the label and link that pages show (`job_handler`).
"""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import psycopg
from celery import Task, shared_task
from celery.signals import before_task_publish
from django.conf import settings
from django.contrib.auth.models import User
from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from django.db.models import Count, Exists, ForeignObjectRel, Max, OuterRef, Q, QuerySet
from django.utils.module_loading import autodiscover_modules
from django.utils.translation import gettext as _
from kombu.exceptions import ChannelError
from kombu.exceptions import OperationalError as BrokerError

from common.clock import database_now
from common.errors import Refused, TooManyRequests
from common.job_attempts import LEASE, Attempt, LostLease, heartbeat
from common.models import Job
from common.telemetry import Trace, current_trace, job_counted, sane_request_id, traced
from common.words import Words

logger = logging.getLogger(__name__)
ends = logging.getLogger("precis.jobs")
REQUEST_HEADER = "precis_request"

MAX_ATTEMPTS = 3
MAX_UNFINISHED = 20  # jobs of one campaign
FORGOTTEN_AT_ONCE = 1000  # in one transaction, for which others wait on SQLite
REMEMBERED = timedelta(hours=1)  # how long it is known whose job has ended
Progress = Callable[[int, int], None]
JobHandler = Callable[[Job, Progress], str]


@dataclass(frozen=True)
class ResultLink:
    """The link to a finished job's result: its address for a job, and its texts."""

    address: Callable[[Job], str]
    done: Words
    failed: Words


@dataclass(frozen=True)
class JobKind:
    """A kind of job: its handler, its label and the link to its result."""

    handler: JobHandler
    label: Words
    result: ResultLink | None = None


_kinds: dict[str, JobKind] = {}


@cache
def _handlers_load() -> None:
    autodiscover_modules("jobs")


def _registered() -> dict[str, JobKind]:
    """Return the kinds by name. The rooms register theirs in their modules `jobs`, loaded when one is first needed."""
    _handlers_load()
    return _kinds


def job_handler(kind: str, *, label: Words, result: ResultLink | None = None) -> Callable[[JobHandler], JobHandler]:
    """Register the decorated function as the handler for a kind of job. Handlers must be idempotent."""

    def register(handler: JobHandler) -> JobHandler:
        _kinds[kind] = JobKind(handler, label, result)
        return handler

    return register


def job_kind(kind: str) -> JobKind | None:
    """Return the registered kind, or None for one that only earlier versions had."""
    return _registered().get(kind)


def job_kinds() -> list[str]:
    """Return the names of all registered kinds."""
    return list(_registered())


@transaction.atomic
def job_enqueue(*, campaign_id: int, kind: str, parameters: Mapping[str, Any], user: User | None) -> Job:
    """Store a job and announce it to the workers once the transaction commits."""
    if kind not in _registered():
        raise ValueError(f"no handler is registered for jobs of kind {kind!r}")
    _refuse_greed(campaign_id, user)
    job = Job.objects.create(
        campaign_id=campaign_id,
        kind=kind,
        parameters=dict(parameters),
        requested_by=user,
        lease_ends_at=database_now() + LEASE,
    )
    transaction.on_commit(lambda: _announce(job.pk))
    return job


def unfinished_jobs() -> QuerySet[Job]:
    """Return the jobs that wait or run."""
    return Job.objects.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING])


def _refuse_greed(campaign_id: int, user: User | None) -> None:
    """Keep one campaign and one account from filling the queue that all share; call inside a transaction."""
    # One after the other, or requests of the same moment would all find room.
    Job._meta.get_field("campaign").related_model._base_manager.select_for_update(no_key=True).get(pk=campaign_id)
    if user is not None and unfinished_jobs().filter(requested_by=user).count() >= settings.JOBS_PER_ACCOUNT:
        raise TooManyRequests(
            _("%(n)s jobs that you have asked for are waiting or running. Wait until some have finished.")
            % {"n": settings.JOBS_PER_ACCOUNT},
            retry_after=60,
        )
    if unfinished_jobs().filter(campaign_id=campaign_id).count() >= MAX_UNFINISHED:
        raise TooManyRequests(
            _("%(n)s jobs of this campaign are waiting or running. Wait until some have finished.")
            % {"n": MAX_UNFINISHED},
            retry_after=60,
        )


def job_run(*, job_id: int) -> bool:
    """Run a job if nobody else is running it, and return whether it was run; a failure is recorded in its row."""
    job = _claim_job(job_id)
    if job is None:
        return False
    begun = time.monotonic()
    with traced(Trace(current_trace().request_id, job.pk, job.kind, job.attempts)):
        result = _attempt(job)
        seconds = time.monotonic() - begun
        job_counted(kind=job.kind, result=result, seconds=seconds)
        added = {"result": result, "duration_ms": round(seconds * 1000, 1)}
        ends.info("job %s (%s): %s after %.1f s", job.pk, job.kind, result, seconds, extra=added)
    return True


def _attempt(job: Job) -> str:
    """Run the handler, record its outcome and return it in a word."""
    attempt = Attempt.of(job)
    try:
        with heartbeat(attempt):
            message = _registered()[job.kind].handler(job, _progress_reporter(attempt))
    except LostLease:
        logger.warning("attempt %s at job %s was overtaken, and has written nothing since", job.attempts, job.pk)
        return "overtaken"
    except Refused as refusal:
        _finish(attempt, Job.State.FAILED, str(refusal))
        return "refused"
    except Exception as error:
        if _is_database_gone(error):
            logger.warning("job %s lost its database, and is tried again: %s", job.pk, error)
            connection.close()
            return "interrupted"
        logger.exception("job %s (%s) failed", job.pk, job.kind)
        _finish(attempt, Job.State.FAILED, _described(error))
        return "failed"
    _finish(attempt, Job.State.DONE, message)
    return "done"


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
    for number, job_id in enumerate(lost):
        if not _announce(job_id):
            _look_again_soon(lost[number:])
            return number
    return len(lost)


def jobs_forget_old() -> int:
    """Delete jobs that ended long ago and that no row names; return how many.

    A release, an import or a part of a report keeps its job. Of a result that was never computed the state is then that
    no job is computing it.
    """
    old = Job.objects.filter(
        state__in=[Job.State.DONE, Job.State.FAILED],
        finished_at__lt=database_now() - timedelta(days=settings.JOBS_KEPT_DAYS),
    )
    for relation in Job._meta.get_fields(include_hidden=True):
        if isinstance(relation, ForeignObjectRel):
            naming = relation.related_model._base_manager.filter(**{relation.field.name: OuterRef("pk")})
            old = old.filter(~Exists(naming))
    deleted, _rows = Job.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])).delete()
    return deleted


@shared_task(name="common.run_job", bind=True)
def run_job(task: "Task[[int], None]", job_id: int) -> None:
    """Run a job for the request that asked for it; in the process of the request itself, that is the current one.

    A message says that there is work, not whose comes next: those who have asked for some take turns.
    """
    request_id = sane_request_id(str(task.request.get(REQUEST_HEADER) or "")) or current_trace().request_id
    with traced(Trace(request_id)):
        if task.request.is_eager:
            job_run(job_id=job_id)
            return
        while (chosen := job_in_turn(job_id)) is not None and not job_run(job_id=chosen):
            pass  # another worker was quicker


def job_in_turn(announced: int) -> int | None:
    """Return the waiting job of whoever has the fewest running, and of these the one who was served longest ago.

    A job that was announced again, since its worker was lost, is taken at once; None if nothing is to be done. There
    are as many messages as waiting jobs, so that none is left over by those that others have taken in their turn.
    """
    now = database_now()
    claimable = _claimable_jobs(now)
    if claimable.filter(pk=announced, state=Job.State.RUNNING).exists():
        return announced
    waiting: dict[int | None, int] = {}
    for pk, owner in claimable.filter(state=Job.State.QUEUED).order_by("-pk").values_list("pk", "requested_by"):
        waiting[owner] = pk  # the oldest of each in the end
    if len(waiting) < 2:
        return next(iter(waiting.values()), None)
    of_owners = Job.objects.order_by().values_list("requested_by")
    running = dict(of_owners.filter(state=Job.State.RUNNING).annotate(Count("pk")))
    served = dict(of_owners.filter(finished_at__gte=now - REMEMBERED).annotate(Max("finished_at")))
    never = datetime.min.replace(tzinfo=UTC)
    return min(waiting.items(), key=lambda each: (running.get(each[0], 0), served.get(each[0], never), each[1]))[1]


@before_task_publish.connect(sender="common.run_job")
def _name_request(headers: dict[str, Any], **_signal: Any) -> None:
    headers[REQUEST_HEADER] = current_trace().request_id


def _announce(job_id: int) -> bool:
    """Tell the workers of a job; return whether the broker took it.

    Whoever asked for the job has it in the table, so they need not know that the broker is away.
    """
    try:
        run_job.delay(job_id)
    except (BrokerError, ChannelError, OSError) as error:
        logger.warning("job %s is announced later, since the broker does not answer: %s", job_id, type(error).__name__)
        _look_again_soon([job_id])
        return False
    return True


def _look_again_soon(job_ids: list[int]) -> None:
    """Let the next call of `jobs_requeue` announce these jobs, without waiting until their leases end."""
    Job.objects.filter(pk__in=job_ids, state=Job.State.QUEUED).update(lease_ends_at=database_now())


def _claimable_jobs(now: datetime) -> QuerySet[Job]:
    return Job.objects.filter(
        Q(state=Job.State.QUEUED) | Q(state=Job.State.RUNNING, lease_ends_at__lt=now),
        attempts__lt=MAX_ATTEMPTS,
    )


def _claim_job(job_id: int) -> Job | None:
    """Take a job over if nobody has it, and return it with the number of this attempt."""
    now = database_now()
    job = _claimable_jobs(now).filter(pk=job_id).select_related("campaign").first()
    if job is None:
        return None
    # Only if nobody has begun another attempt since: its number is the fencing token, and no two share one.
    unclaimed = _claimable_jobs(now).filter(pk=job_id, attempts=job.attempts)
    claim = {"state": Job.State.RUNNING, "attempts": job.attempts + 1, "lease_ends_at": now + LEASE, "done": 0}
    if not unclaimed.update(**claim):
        return None
    for name, value in claim.items():
        setattr(job, name, value)
    return job


def _progress_reporter(attempt: Attempt) -> Progress:
    """Return a progress callback that writes at most twice a second, and raises LostLease once the job is lost."""
    last = 0.0

    def progress(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last < 0.5 and done < total:
            return
        last = time.monotonic()
        if not attempt.renew(done=done, total=total):
            raise LostLease(f"job {attempt.job_id} is no longer the work of attempt {attempt.number}")

    return progress


def _finish(attempt: Attempt, state: str, message: str) -> None:
    # A job that deletes its campaign is deleted with it.
    if not attempt.finish(state, message) and Job.objects.filter(pk=attempt.job_id).exists():
        logger.warning("attempt %s at job %s was overtaken before it ended", attempt.number, attempt.job_id)


def _described(error: Exception) -> str:
    """Return what pages say of an error. A broken constraint repeats the row, and a row may hold a person's id."""
    is_about_rows = isinstance(error, DatabaseError) and not isinstance(error, OperationalError)
    return type(error).__name__ if is_about_rows else f"{type(error).__name__}: {error}"


def _is_database_gone(error: Exception) -> bool:
    """Whether an error means that the connection broke: the job itself has not failed."""
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    # Whatever cleaned up after the error may have connected again: then only the error tells, by its SQLSTATE. Those of
    # a broken connection or a server that ends begin so; without one, the error is of the connection as well.
    is_told = isinstance(error, OperationalError) and isinstance(error.__cause__, psycopg.OperationalError)
    sqlstate = (getattr(error.__cause__, "sqlstate", None) or "08") if is_told else ""
    return sqlstate.startswith(("08", "57P")) or not connection.is_usable()

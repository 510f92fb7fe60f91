"""What is being worked on: jobs, parts of score runs, texts that participants hold, and what the broker says."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from celery import current_app
from celery.exceptions import CeleryError
from django.db.models import Count, Min, QuerySet
from kombu.exceptions import KombuError

from common.clock import database_now
from common.models import Job
from crowd.models import Assignment
from scoring.models import ScorePart

REPLY_SECONDS = 1.5
CONNECT_SECONDS = 3


@dataclass(frozen=True)
class WorkerSeen:
    """A worker that answers, with the jobs (by id) that it is running."""

    name: str
    queues: list[str]
    jobs: list[int]


@dataclass(frozen=True)
class BrokerState:
    """What the broker said; `error` is set, and the rest empty, if it did not answer."""

    messages: dict[str, int] = field(default_factory=dict)
    workers: list[WorkerSeen] = field(default_factory=list)
    error: str = ""


def broker_state() -> BrokerState:
    """Ask the broker, which may take some seconds."""
    limits = {"socket_connect_timeout": CONNECT_SECONDS, "socket_timeout": CONNECT_SECONDS}
    is_redis = current_app.conf.broker_url.startswith(("redis", "sentinel"))
    try:
        with current_app.connection_for_read(transport_options=limits if is_redis else {}) as connection:
            connection.ensure_connection(max_retries=1, timeout=CONNECT_SECONDS)
            return BrokerState(_messages(connection), _workers(connection))
    except (CeleryError, KombuError, OSError) as error:
        return BrokerState(error=type(error).__name__)


def _messages(connection: Any) -> dict[str, int]:
    """Return how many messages wait in each queue."""
    with connection.channel() as channel:
        return {
            name: channel.queue_declare(queue=name, passive=False).message_count for name in current_app.amqp.queues
        }


def _workers(connection: Any) -> list[WorkerSeen]:
    asked = current_app.control.inspect(timeout=REPLY_SECONDS, connection=connection)
    queues, active = asked.active_queues() or {}, asked.active() or {}
    names = {*queues, *active}
    return [
        WorkerSeen(
            name,
            [queue["name"] for queue in queues.get(name, [])],
            [int(number) for task in active.get(name, []) for number in task["args"]],
        )
        for name in sorted(names)
    ]


@dataclass(frozen=True)
class JobLine:
    """A job that is waiting or running; `lease_left` is negative for one that its worker has lost."""

    id: int
    kind: str
    campaign: str
    state: str
    age: int
    attempts: int
    done: int
    total: int
    lease_left: int | None
    parts: list[int]


@dataclass(frozen=True)
class LeaseLine:
    """The texts of one round that participants hold."""

    campaign: str
    round: str
    live: int
    next_end: int | None
    run_out: int


@dataclass(frozen=True)
class Work:
    jobs: list[JobLine]
    leases: list[LeaseLine]

    @property
    def lost_jobs(self) -> list[JobLine]:
        """The running jobs whose lease ran out: a worker takes them over."""
        return [job for job in self.jobs if job.state == Job.State.RUNNING and (job.lease_left or 0) < 0]


def work_now() -> Work:
    """Return all that is waiting, running or held, in four queries."""
    now = database_now()
    return Work(_jobs(now), _leases(now))


def _jobs(now: datetime) -> list[JobLine]:
    jobs = Job.objects.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING]).select_related("campaign")
    held = ScorePart.objects.filter(outputs=None, lease_ends_at__gte=now, job__isnull=False)
    parts: dict[int, list[int]] = {}
    for job, number in held.order_by("number").values_list("job_id", "number"):
        parts.setdefault(job, []).append(number)
    return [
        JobLine(
            id=job.pk,
            kind=job.kind,
            campaign=job.campaign.slug,
            state=job.state,
            age=_seconds(now, job.created_at),
            attempts=job.attempts,
            done=job.done,
            total=job.total,
            lease_left=None if job.lease_ends_at is None else -_seconds(now, job.lease_ends_at),
            parts=parts.get(job.pk, []),
        )
        for job in jobs.order_by("pk")
    ]


def _leases(now: datetime) -> list[LeaseLine]:
    held = Assignment.objects.filter(state=Assignment.State.LEASED)
    live, run_out = _by_round(held.filter(lease_ends_at__gte=now)), _by_round(held.filter(lease_ends_at__lt=now))
    return [
        LeaseLine(
            campaign=campaign,
            round=work_round,
            live=live.get((campaign, work_round), (0, now))[0],
            next_end=-_seconds(now, live[campaign, work_round][1]) if (campaign, work_round) in live else None,
            run_out=run_out.get((campaign, work_round), (0, now))[0],
        )
        for campaign, work_round in sorted({*live, *run_out})
    ]


def _by_round(held: QuerySet[Assignment]) -> dict[tuple[str, str], tuple[int, datetime]]:
    """Return by campaign and round how many leases there are, and when the first one ends."""
    rows = held.values_list("item__campaign__slug", "round").annotate(n=Count("pk"), first=Min("lease_ends_at"))
    return {(campaign, work_round): (n, first) for campaign, work_round, n, first in rows.order_by()}


def _seconds(now: datetime, since: datetime) -> int:
    return int((now - since).total_seconds())

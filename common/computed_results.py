"""What takes long to compute: asked for once, however often the same is asked, and stored once."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db import models
from django.db.models import Manager, QuerySet

from common.jobs import job_enqueue
from common.models import Job

TELLING = {Job.State.RUNNING: 0, Job.State.QUEUED: 1, Job.State.FAILED: 2, Job.State.DONE: 3}


Row = TypeVar("Row", bound=models.Model)


def get_or_request(rows: Manager[Row], defaults: Mapping[str, Any], **question: Any) -> tuple[Row, bool]:
    """Return the row of a question, locked until the transaction ends, and whether it is new.

    The lock serialises concurrent requests, so that the second sees the job of the first.
    """
    row, is_new = rows.get_or_create(**question, defaults=defaults)
    return rows.select_for_update(no_key=True).get(pk=row.pk), is_new


@dataclass(frozen=True)
class JobsOf:
    """The jobs that compute results: their kind, the parameter that names the result, and how many may be at one."""

    kind: str
    named_by: str
    at_once: int = 1

    def of(self, result: int) -> QuerySet[Job]:
        """Return the jobs that were queued to compute a result, newest first."""
        return Job.objects.filter(kind=self.kind, **{f"parameters__{self.named_by}": result}).order_by("-pk")

    def enqueue(self, result: int, *, campaign_id: int, user: User | None, parts: int = 1) -> None:
        """Enqueue a job for each of the parts that are open, as many as may be at it, unless some are under way."""
        if self.of(result).filter(state__in=[Job.State.QUEUED, Job.State.RUNNING]).exists():
            return
        for _number in range(max(1, min(self.at_once, parts))):
            job_enqueue(campaign_id=campaign_id, kind=self.kind, parameters={self.named_by: result}, user=user)

    def telling(self, result: int) -> Job | None:
        """Return the job that best shows the state of a result: a running one, or else queued, failed or done."""
        return _telling(self.of(result)[: self.at_once])

    def telling_of_each(self, results: Collection[int], *, campaign_id: int) -> dict[int, Job]:
        """Return that job of each result that has any."""
        if not results:
            return {}
        named = {f"parameters__{self.named_by}__in": list(results)}
        by_result: dict[int, list[Job]] = {}
        for job in Job.objects.filter(campaign=campaign_id, kind=self.kind, **named).order_by("-pk"):
            by_result.setdefault(job.parameters[self.named_by], []).append(job)
        told = {result: _telling(jobs[: self.at_once]) for result, jobs in by_result.items()}
        return {result: job for result, job in told.items() if job is not None}


def _telling(latest: Iterable[Job]) -> Job | None:
    return min(latest, key=lambda job: TELLING[Job.State(job.state)], default=None)

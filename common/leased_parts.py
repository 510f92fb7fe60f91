"""Long computations in parts: a worker leases each part to compute it; if the lease expires, another takes it over.

The count of attempts is the fencing token: a part is only written through `held(part)`, which is empty once another
worker has claimed it.
"""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import ClassVar, TypeVar

from django.db import models, transaction
from django.db.models import F, Q, QuerySet

from common.clock import database_now
from common.job_attempts import Attempt
from common.jobs import Progress
from common.models import Job

LEASE_DURATION = timedelta(minutes=2)
POLL_SECONDS = 0.5


class LostPart(Exception):
    """Another worker has taken the part over since it was claimed."""


class LeasedPart(models.Model):
    """A slice of a release's sources; a model adds the part's results, and `job`, which computes it."""

    number = models.PositiveIntegerField()
    begin = models.PositiveIntegerField(help_text="The place of its first source.")
    stop = models.PositiveIntegerField(help_text="The place after its last source.")
    lease_ends_at = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0, help_text="How often it was claimed; the latest claim holds it.")

    HAS_SOURCES: ClassVar[Q] = Q(begin__lt=F("stop"))

    class Meta:
        abstract = True


Part = TypeVar("Part", bound=LeasedPart)


def slices_of(sources: int, size: int) -> list[dict[str, int]]:
    """Return number, begin and stop of the parts of so many sources."""
    begins = range(0, sources, size)
    return [
        {"number": number, "begin": begin, "stop": min(begin + size, sources)} for number, begin in enumerate(begins)
    ]


def part_claim(open_parts: QuerySet[Part], job: Job | None) -> Part | None:
    """Lease an open part that nobody holds, or whose lease has expired."""
    now = database_now()
    is_free = Q(lease_ends_at=None) | Q(lease_ends_at__lt=now)
    if job is not None:
        is_free |= Q(job=job)  # a requeued job may resume the parts it held
    for part in open_parts.filter(is_free).order_by("number"):
        with transaction.atomic():
            Attempt.of(job).fence()  # a stale attempt must not take the parts of its job from the one at work
            leasable = open_parts.filter(is_free, pk=part.pk, attempts=part.attempts)
            if leasable.update(lease_ends_at=now + LEASE_DURATION, job=job, attempts=part.attempts + 1):
                part.attempts += 1
                return part
    return None


def held(part: Part) -> QuerySet[Part]:
    """Return the part's row unless another worker has claimed it since."""
    return type(part)._default_manager.filter(pk=part.pk, attempts=part.attempts)


def lease_renew(part: LeasedPart) -> None:
    """Renew the lease of a part; raise LostPart if another worker has taken it over."""
    if not held(part).update(lease_ends_at=database_now() + LEASE_DURATION):
        raise LostPart


def parts_compute(
    parts: QuerySet[Part],
    is_open: Q,
    compute: Callable[[Part, Callable[[], None]], None],
    progress: Progress,
    job: Job | None,
) -> None:
    """Compute parts until none is free. `compute` stores the part and regularly calls the function that it is given.

    That function renews the lease, and raises LostPart if another worker has taken the part over.
    """
    total = parts.count()
    while (part := part_claim(parts.filter(is_open), job)) is not None:
        done = total - parts.filter(is_open).count()
        try:
            compute(part, partial(_heartbeat, part, partial(progress, done, total)))
        except LostPart:  # whoever has taken it over computes the same
            continue
        except BaseException:  # release the lease, so that the part can be claimed again at once
            held(part).update(lease_ends_at=None)
            raise
        progress(done + 1, total)


def _heartbeat(part: LeasedPart, report_progress: Callable[[], None]) -> None:
    lease_renew(part)
    report_progress()

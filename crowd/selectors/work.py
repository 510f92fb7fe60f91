"""Where a worker stands."""

from dataclasses import dataclass
from datetime import datetime

from crowd.errors import NotYours
from crowd.models import Assignment, Enrolment


def assignment_of_worker(enrolment: Enrolment, assignment_id: int) -> Assignment:
    """An assignment of this worker; anybody else's does not exist for them."""
    assignment = (
        Assignment.objects.filter(
            pk=assignment_id, worker_id=enrolment.worker_id, item__campaign_id=enrolment.worker.campaign_id
        )
        .filter(round=enrolment.round)
        .exclude(state=Assignment.State.BARRED)
        .first()
    )
    if assignment is None:
        raise NotYours("This task does not exist, or it is not yours.")
    return assignment


def live_lease(enrolment: Enrolment) -> Assignment | None:
    return Assignment.objects.filter(
        worker_id=enrolment.worker_id, round=enrolment.round, state=Assignment.State.LEASED
    ).first()


@dataclass(frozen=True)
class Standing:
    """How far a worker is: task `number` of `total`, and when the lease of this one ends."""

    submitted: int
    total: int
    lease_ends_at: datetime | None = None

    @property
    def number(self) -> int:
        return min(self.submitted + 1, self.total)

    @property
    def is_full(self) -> bool:
        return self.submitted >= self.total


def standing(enrolment: Enrolment, assignment: Assignment | None = None) -> Standing:
    submitted = Assignment.objects.filter(
        worker_id=enrolment.worker_id, round=enrolment.round, state=Assignment.State.SUBMITTED
    ).count()
    total = enrolment.campaign.tasks_per_worker(enrolment.round)
    return Standing(submitted, total, assignment.lease_ends_at if assignment else None)

"""Store workers' remarks on tasks."""

from django.db import transaction

from common.clock import database_now
from crowd.models import Enrolment, Remark
from crowd.selectors.work import assignment_of_worker
from crowd.services.claims import assignment_skip


@transaction.atomic
def task_skip(*, enrolment: Enrolment, assignment_id: int, reason: str, text: str) -> None:
    """Give a task back for good and store the reason."""
    assignment_skip(assignment_id=assignment_id, enrolment=enrolment)
    _remark_set(assignment_id, Remark.Kind.SKIP, reason, text)


def problem_report(*, enrolment: Enrolment, assignment_id: int, reason: str, text: str) -> None:
    """Report a problem with the text of a task to staff; the task stays open."""
    assignment = assignment_of_worker(enrolment, assignment_id, related=())
    _remark_set(assignment.pk, Remark.Kind.PROBLEM, reason, text)


def comment_set(*, assignment_id: int, text: str) -> None:
    """Set or replace the comment on a task; an empty text deletes it."""
    if text.strip():
        comment_add(assignment_id=assignment_id, text=text)
    else:
        Remark.objects.filter(assignment_id=assignment_id, kind=Remark.Kind.COMMENT).delete()


def comment_add(*, assignment_id: int, text: str) -> None:
    """Store a comment on a task unless it is empty; call inside the transaction that stores the work."""
    if text.strip():
        _remark_set(assignment_id, Remark.Kind.COMMENT, "", text.strip())


def _remark_set(assignment_id: int, kind: str, reason: str, text: str) -> None:
    Remark.objects.update_or_create(
        assignment_id=assignment_id,
        kind=kind,
        defaults={"reason": reason, "text": text.strip(), "created_at": database_now()},
    )

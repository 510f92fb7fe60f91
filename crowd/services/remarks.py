"""What workers say about a task."""

from django.db import transaction

from common.clock import database_now
from crowd.models import Enrolment, Remark
from crowd.selectors.work import assignment_of_worker
from crowd.services.claims import assignment_skip


@transaction.atomic
def task_skip(*, enrolment: Enrolment, assignment_id: int, reason: str, text: str) -> None:
    """Give a task back for good and say why."""
    assignment_skip(assignment_id=assignment_id, enrolment=enrolment)
    _remark_set(assignment_id, Remark.Kind.SKIP, reason, text)


def problem_report(*, enrolment: Enrolment, assignment_id: int, reason: str, text: str) -> None:
    """Tell staff what is wrong with the text of a task. The task goes on."""
    assignment = assignment_of_worker(enrolment, assignment_id, related=())
    _remark_set(assignment.pk, Remark.Kind.PROBLEM, reason, text)


def comment_set(*, assignment_id: int, text: str) -> None:
    """The same where a comment can be changed: an emptied one goes."""
    if text.strip():
        comment_add(assignment_id=assignment_id, text=text)
    else:
        Remark.objects.filter(assignment_id=assignment_id, kind=Remark.Kind.COMMENT).delete()


def comment_add(*, assignment_id: int, text: str) -> None:
    """Keep what somebody says along with their work, inside the transaction that stores it."""
    if text.strip():
        _remark_set(assignment_id, Remark.Kind.COMMENT, "", text.strip())


def _remark_set(assignment_id: int, kind: str, reason: str, text: str) -> None:
    Remark.objects.update_or_create(
        assignment_id=assignment_id,
        kind=kind,
        defaults={"reason": reason, "text": text.strip(), "created_at": database_now()},
    )

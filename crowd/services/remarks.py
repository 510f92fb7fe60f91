"""Store workers' remarks on tasks."""

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from common.clock import database_now
from crowd.models import Enrolment, Remark
from crowd.selectors.work import assignment_of_worker
from crowd.services.leases import assignment_skip
from crowd.services.write_locks import writer_lock

OPEN: dict[str, Any] = {"answered_at": None, "answered_by": None, "answer_note": ""}
"""Of a remark that nobody has answered."""


@transaction.atomic
def task_skip(*, enrolment: Enrolment, assignment_id: int, reason: str, text: str) -> None:
    """Give a task back for good and store the reason."""
    assignment_skip(assignment_id=assignment_id, enrolment=enrolment)
    _remark_set(assignment_id, Remark.Kind.SKIP, reason, text)


@transaction.atomic
def problem_report(*, enrolment: Enrolment, assignment_id: int, reason: str, text: str) -> None:
    """Report a problem with the text of a task to staff; the task stays open."""
    writer_lock(enrolment.worker_id)
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
    """Store a remark, or what it says now, which nobody has answered; the same again changes nothing."""
    said = {"reason": reason, "text": text.strip()}
    defaults = {**said, "created_at": database_now()}
    remark, is_new = Remark.objects.get_or_create(assignment_id=assignment_id, kind=kind, defaults=defaults)
    if not is_new and (remark.reason, remark.text) != (reason, said["text"]):
        Remark.objects.filter(pk=remark.pk).update(**defaults, **OPEN)


def remark_answer(*, remark: Remark, note: str, user: User | None) -> None:
    """Record that staff have answered a remark; a later note replaces an earlier one."""
    answer = {"answered_at": database_now(), "answered_by": user, "answer_note": note.strip()}
    Remark.objects.filter(pk=remark.pk).update(**answer)


def remark_reopen(*, remark: Remark) -> None:
    """Let a remark wait for an answer again; the note goes."""
    Remark.objects.filter(pk=remark.pk).update(**OPEN)

"""Store what people answer: the first answer, corrections during the visit, and practice."""

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.clock import database_now
from common.errors import Refused
from crowd.models import Assignment, Enrolment, Worker
from crowd.services.claims import TaskAhead
from crowd.services.leases import assignment_complete
from crowd.services.remarks import comment_add, comment_set
from protocols.models import Material, PageVisit, PracticeAnswer, Response, ResponseVersion, TaskDraft
from protocols.selectors import StudyWork
from protocols.services.design import row_free
from protocols.services.fusions import fusions_forget
from protocols.services.pages import OnPage, page_end
from protocols.task import Answer, StudyTask, study_task

VISIT_OVER = gettext_lazy("Your answers can’t be changed any more.")


class OtherAnswerCounts(Refused):
    """A different answer is stored already and is not overwritten."""


def response_submit(
    *,
    enrolment: Enrolment,
    work: StudyWork,
    answer: Answer,
    on: OnPage | None = None,
    known_version: int = 0,
    milliseconds: int | None = None,
    comment: str | None = None,
    ahead: TaskAhead | None = None,
) -> Response:
    """Store an answer that the task has checked, or a new version of it, and lease the task `ahead` with a new one.

    `known_version` is the version that the page showed, 0 for none, and `on` the page that was sent. Idempotent: an
    answer that is sent again returns the stored one.
    """
    assignment = work.assignment
    with transaction.atomic():
        if not assignment_complete(assignment_id=assignment.pk, enrolment=enrolment):
            return _correct(enrolment, work, answer, known_version, milliseconds, comment)
        if on is not None:
            page_end(assignment=assignment, on=on)
        comment_add(assignment_id=assignment.pk, text=comment or "")
        response = Response.objects.create(
            assignment=assignment,
            task_version=work.study.version,
            answer=answer,
            milliseconds=_milliseconds(assignment, milliseconds),
            created_at=database_now(),
            settings_version_id=enrolment.campaign.settings_version_id,
            guidelines_version_id=enrolment.guidelines_version_id,
        )
        _store_version(response, assignment, milliseconds)
        work.study.answered(assignment)
        if ahead is not None:
            ahead.take()
        return response


def _milliseconds(assignment: Assignment, milliseconds: int | None) -> int | None:
    """Return the time measured by the page, capped at the time since the lease by the server's clock."""
    if assignment.leased_at is None or milliseconds is None:
        return None
    since_lease = int((database_now() - assignment.leased_at).total_seconds() * 1000)
    return max(0, min(milliseconds, since_lease))


def _store_version(response: Response, assignment: Assignment, milliseconds: int | None) -> None:
    ResponseVersion.objects.create(
        response=response,
        number=response.version,
        answer=response.answer,
        milliseconds=_milliseconds(assignment, milliseconds),
        created_at=database_now(),
    )


def _correct(
    enrolment: Enrolment,
    work: StudyWork,
    answer: Answer,
    known_version: int,
    milliseconds: int | None,
    comment: str | None,
) -> Response:
    """Handle a second answer: an identical one changes nothing, another is a new version while the visit lasts."""
    assignment = work.assignment
    response = Response.objects.select_for_update(no_key=True).get(assignment=assignment)
    # What was done by another link of the round may be paid already.
    is_of_past_visit = assignment.link_id not in {None, enrolment.link_id}
    is_closed = enrolment.is_closed or enrolment.is_excluded or is_of_past_visit
    if known_version == response.version and not is_closed and comment is not None:
        comment_set(assignment_id=assignment.pk, text=comment)
    if response.answer == answer:
        return response
    if known_version != response.version:
        raise OtherAnswerCounts(_("You had already submitted this text. Your earlier answer counts."))
    if is_closed or not work.study.takes_corrections:
        raise OtherAnswerCounts(VISIT_OVER)
    response.version += 1
    response.answer = answer
    response.settings_version_id = enrolment.campaign.settings_version_id
    response.guidelines_version_id = enrolment.guidelines_version_id
    response.save(update_fields=["version", "answer", "settings_version", "guidelines_version"])
    _store_version(response, assignment, milliseconds)
    work.study.answered(assignment)
    return response


def practice_answer(*, enrolment: Enrolment, material: Material, answer: Answer) -> None:
    """Record that a person has done some practice; their first answer stays."""
    PracticeAnswer.objects.get_or_create(
        enrolment=enrolment, material=material, defaults={"answer": answer, "created_at": database_now()}
    )


def worker_responses_erase(worker: Worker) -> None:
    """Erase what a person's answers say of them: their words, their times, and their practice."""
    fusions_forget(worker)
    PracticeAnswer.objects.filter(enrolment__worker=worker).delete()
    row_free(worker=worker)
    TaskDraft.objects.filter(assignment__worker=worker).delete()
    PageVisit.objects.filter(assignment__worker=worker).delete()
    task = study_task(worker.campaign.rating_task) if worker.campaign.task.has_material else None
    if task is None:
        return
    task.forgotten(worker)
    responses = Response.objects.filter(assignment__worker=worker)
    versions = ResponseVersion.objects.filter(response__assignment__worker=worker)
    to_material = "assignment__item__task_item__material"
    _erase(task, responses, to_material)
    _erase(task, versions, f"response__{to_material}")


def _erase(task: StudyTask, rows: "QuerySet[Response] | QuerySet[ResponseVersion]", to_material: str) -> None:
    rows.update(milliseconds=None)
    for row in rows.select_related(to_material):
        response = row if isinstance(row, Response) else row.response
        row.answer = task.part(response.assignment.item.task_item.material.task).erased(row.answer)
        row.save(update_fields=["answer"])

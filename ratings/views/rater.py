"""Rater pages: the tasks, and the submitted answers."""

from dataclasses import dataclass, field, replace

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from common.errors import Refused, SlotTaken
from common.prepared_pages import Holes, render_filled
from common.telemetry import refusal_counted, submission_counted
from common.typed_text import TextRefused
from crowd.access import worker_only
from crowd.limits import Act, at_most
from crowd.models import Assignment, Enrolment, Remark
from crowd.models.remarks import MAX_REMARK_LENGTH
from crowd.page_records import page_record_read
from crowd.scales import Scale
from crowd.selectors.work import WITHDRAWN, is_withdrawn, live_lease, standing, work_is_left_for
from crowd.services.claims import TaskAhead
from crowd.sessions import redirect_or_json, refused_json, resume_token, wants_json
from crowd.views.worker import next_task
from ratings.answers import posted_judgement
from ratings.models import Rating
from ratings.selectors.rating_tasks import (
    RaterTask,
    nuggets_shown,
    rater_tasks,
    rating_of_assignment,
    ratings_of_worker,
)
from ratings.services.rating import (
    VISIT_OVER,
    Incomplete,
    Judgement,
    OtherAnswerCounts,
    judgements_check,
    rating_submit,
)
from ratings.subjects import Subject, is_swapped, mirrored, subject_of

State = Assignment.State
ANSWERS_PER_PAGE = 50
MAX_TASKS = 50
HOLES: Holes = {
    "assignment.pk": int,
    "tasks_sent": str,
    "kept_under": str,
    "resume_token": str,
    "standing.number": str,
    "standing.total": str,
    "standing.latest": str,
    "standing.steps_done": str,
    "standing.steps_left": str,
    "standing.lease_seconds": str,
}


@dataclass
class ShownTask:
    """A task as the page shows it: the texts in display order, and the points chosen so far."""

    assignment: Assignment
    source_text: str
    texts: list[tuple[str, str]]
    scales: list[tuple[Scale, int]] = field(default_factory=list)
    version: int = 0
    comment: str = ""
    is_missing: bool = False
    nuggets: list[str] = field(default_factory=list)

    @property
    def pk(self) -> int:
        return self.assignment.pk

    @property
    def is_untouched(self) -> bool:
        """Whether nothing has been chosen or written yet."""
        return not (self.version or self.comment or any(chosen for _, chosen in self.scales))


@worker_only
@never_cache
@require_http_methods(["GET", "POST"])
@at_most(Act.SUBMIT)
def task(request: HttpRequest, enrolment: Enrolment, assignment_id: int) -> HttpResponse:
    """Show a page of tasks; a submitted task is shown alone, for correction during the visit."""
    requested, page = rater_tasks(enrolment, assignment_id)
    if request.method == "POST":
        return _store_answers(request, enrolment, requested, page)
    state = requested.assignment.state
    if state == State.SKIPPED:
        messages.info(request, _("You skipped this text."))
        return redirect("crowd:work")
    if state in {State.SUBMITTED, State.DISCARDED}:
        return _correction(request, enrolment, requested)
    if is_withdrawn(requested.assignment):
        messages.info(request, str(WITHDRAWN))
        return redirect("crowd:work")
    if state != State.LEASED:  # the lease has expired; submitting claims a free slot again
        page = [requested]
    shown = [_shown_task(enrolment, each.assignment, each.subject) for each in page]
    return _task_page(request, enrolment, requested, shown)


def _store_answers(
    request: HttpRequest, enrolment: Enrolment, requested: RaterTask, page: list[RaterTask]
) -> HttpResponse:
    """Store all answers of the page, each in its own transaction: a refused one does not lose the others."""
    tasks = _posted_tasks(request, enrolment, requested, page)
    scales = enrolment.shown_scales
    sent = [_posted(request, enrolment, scales, each.assignment) for each in tasks]
    if enrolment.campaign.record_leaving:  # if not, pages of raters send no record, unless they were open before
        sent[0] = replace(sent[0], page_record=page_record_read(request.POST.get("page_record", "")))
    try:
        judgements_check(sent, scales)
    except (Incomplete, TextRefused) as refusal:
        return _refusal_response(request, enrolment, requested, tasks, sent, refusal, 422)
    is_last = request.POST.get("then") == "answers"
    ahead = TaskAhead(enrolment, requested.assignment) if len(tasks) == 1 and not is_last else None
    lost: Refused | None = None
    for each, judgement in zip(tasks, sent, strict=True):
        try:
            rating_submit(
                enrolment=enrolment,
                assignment=each.assignment,
                subject=each.subject,
                judgement=judgement,
                ahead=ahead,
            )
            if each.assignment.state != State.SUBMITTED:  # and not a correction
                submission_counted(enrolment.round)
        except OtherAnswerCounts as refusal:
            messages.warning(request, str(refusal))
        except SlotTaken as refusal:
            saved = _("Your other answers on this page are saved.") if len(tasks) > 1 else ""
            lost = type(refusal)(f"{refusal} {saved}".strip())
    if lost is not None:
        return _refusal_response(request, enrolment, requested, tasks, sent, lost, 409)
    if is_last:
        return redirect_or_json(request, enrolment, redirect("ratings:answers"))
    return redirect_or_json(request, enrolment, next_task(enrolment, ahead=ahead))


def _posted_tasks(
    request: HttpRequest, enrolment: Enrolment, requested: RaterTask, page: list[RaterTask]
) -> list[RaterTask]:
    """Return the tasks named in the form, or the one in the URL if it names none."""
    names = request.POST.get("tasks", "").split(",")
    named = [int(name) for name in names if name.isascii() and name.isdecimal() and len(name) < 19]
    at_hand = {each.pk: each for each in (*page, requested)}
    return [at_hand.get(pk) or rater_tasks(enrolment, pk)[0] for pk in named[:MAX_TASKS]] or [requested]


def _posted(request: HttpRequest, enrolment: Enrolment, scales: tuple[Scale, ...], assignment: Assignment) -> Judgement:
    return posted_judgement(request.POST, scales, assignment, swapped=_is_shown_swapped(enrolment, assignment))


def _refusal_response(
    request: HttpRequest,
    enrolment: Enrolment,
    requested: RaterTask,
    tasks: list[RaterTask],
    sent: list[Judgement],
    refusal: Refused,
    status: int,
) -> HttpResponse:
    if wants_json(request):
        return refused_json(refusal, status)
    refusal_counted(refusal)
    shown = [
        _shown_task(enrolment, each.assignment, each.subject, judgement)
        for each, judgement in zip(tasks, sent, strict=True)
    ]
    for each in shown:
        each.is_missing = not all(chosen for _, chosen in each.scales)
    return _task_page(request, enrolment, requested, shown, refusal, status)


def _is_shown_swapped(enrolment: Enrolment, assignment: Assignment) -> bool:
    return enrolment.campaign.task.makes_pairs and is_swapped(assignment)


def _shown_task(
    enrolment: Enrolment, assignment: Assignment, subject: Subject, judgement: Judgement | None = None
) -> ShownTask:
    swapped = _is_shown_swapped(enrolment, assignment)
    texts = subject.texts[::-1] if swapped else subject.texts
    names = ("A", "B") if len(texts) > 1 else ("",)
    scores = dict(judgement.scores) if judgement else {}
    chosen = mirrored(scores) if swapped else scores
    return ShownTask(
        assignment,
        subject.source_text,
        list(zip(names, texts, strict=True)),
        [(scale, chosen.get(scale.key, 0)) for scale in enrolment.shown_scales],
        judgement.known_version if judgement else 0,
        (judgement.comment or "") if judgement else "",
        nuggets=nuggets_shown(enrolment, subject.source_text, None if subject.gold else subject.nuggets),
    )


def _correction(request: HttpRequest, enrolment: Enrolment, task: RaterTask) -> HttpResponse:
    """Show a rated task with its current answer."""
    assignment = task.assignment
    if enrolment.is_closed:
        messages.info(request, str(VISIT_OVER))
        return redirect("crowd:work")
    rating = rating_of_assignment(assignment)
    comment = assignment.remarks.filter(kind=Remark.Kind.COMMENT).first()
    judgement = Judgement(_scores(rating), known_version=rating.version, comment=comment.text if comment else "")
    return _task_page(request, enrolment, task, [_shown_task(enrolment, assignment, task.subject, judgement)])


def _scores(rating: Rating) -> dict[str, int]:
    return {score.scale: score.value for score in rating.scores.all()}


def _task_page(
    request: HttpRequest,
    enrolment: Enrolment,
    requested: RaterTask,
    tasks: list[ShownTask],
    refusal: Refused | None = None,
    status: int = 200,
) -> HttpResponse:
    progress = standing(enrolment, requested.assignment, requested.submitted)
    is_correction = requested.assignment.state == State.SUBMITTED
    context = {
        "enrolment": enrolment,
        "campaign": enrolment.campaign,
        "assignment": requested.assignment,
        "tasks": tasks,
        "tasks_sent": ",".join([str(each.pk) for each in tasks]),
        "kept_under": "-".join([f"{each.pk}.{each.version}" for each in tasks]),
        "is_correction": is_correction,
        "aside": _("Change your rating") if is_correction else "",
        "standing": progress,
        "resume_token": resume_token(enrolment),
        "reasons": Remark.CANNOT_RATE_REASONS,
        "longest_remark": MAX_REMARK_LENGTH,
        "refusal": str(refusal) if refusal else "",
        "is_incomplete": isinstance(refusal, Incomplete),
        "lost": isinstance(refusal, SlotTaken),
    }
    is_ordinary = not refusal and all(each.is_untouched and not each.nuggets for each in tasks)
    if not is_ordinary or enrolment.campaign.settings_version_id is None:
        return render(request, "ratings/task.html", context, status=status)
    same = (
        (enrolment.campaign.settings_version_id, enrolment.campaign.language),
        (enrolment.round, enrolment.arm, enrolment.outcome, progress.submitted > 0, progress.has_steps),
        tuple([len(each.texts) for each in tasks]),
    )
    return render_filled(request, "ratings/task.html", context, same=same, holes=_holes(tasks))


def _holes(tasks: list[ShownTask]) -> Holes:
    """Return what differs from page to page while nothing is out of the ordinary."""
    holes: dict[str, type[int] | type[str]] = dict(HOLES)
    for place, task in enumerate(tasks):
        path = f"tasks.{place}"
        holes |= {f"{path}.pk": int, f"{path}.source_text": str}
        holes |= {f"{path}.texts.{number}.1": str for number in range(len(task.texts))}
    return holes


@worker_only
@never_cache
@require_safe
def answers(request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    """List all ratings of this person, for review and correction during the visit."""
    page = Paginator(ratings_of_worker(enrolment.worker_id, enrolment.round), ANSWERS_PER_PAGE).get_page(
        request.GET.get("page")
    )
    context = {
        "enrolment": enrolment,
        "page": page,
        "answers": [
            _shown_task(enrolment, each.assignment, subject_of(each.assignment), Judgement(_scores(each)))
            for each in page
            if each.assignment
        ],
        "standing": standing(enrolment),
        "more": live_lease(enrolment) is not None or work_is_left_for(enrolment),
    }
    return render(request, "ratings/answers.html", context)

"""Rater pages: the tasks, and the submitted answers."""

from dataclasses import dataclass, field

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from common.errors import Refused, SlotTaken
from common.typed_text import TextRefused
from crowd.access import worker_only
from crowd.limits import Act, at_most
from crowd.models import Assignment, Enrolment, Remark
from crowd.models.remarks import MAX_REMARK_LENGTH
from crowd.responses import redirect_or_json, wants_json
from crowd.scales import Scale
from crowd.selectors.work import standing, work_is_left_for
from crowd.sessions import resume_token
from crowd.views.worker import next_task
from ratings.answers import posted_judgement
from ratings.models import Rating
from ratings.selectors.rating_tasks import page_of_tasks, rater_task, rating_of_assignment, ratings_of_worker
from ratings.services.rating import Incomplete, Judgement, OtherAnswerCounts, judgement_check, rating_submit
from ratings.subjects import is_swapped, mirrored, subject_of

State = Assignment.State
ANSWERS_PER_PAGE = 50
MAX_TASKS = 50


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

    @property
    def pk(self) -> int:
        return self.assignment.pk

    @property
    def name(self) -> str:
        return str(self.pk)


@worker_only
@never_cache
@require_http_methods(["GET", "POST"])
@at_most(Act.SUBMIT)
def task(request: HttpRequest, enrolment: Enrolment, assignment_id: int) -> HttpResponse:
    """Show a page of tasks; a submitted task is shown alone, for correction during the visit."""
    requested = rater_task(enrolment, assignment_id)
    subject_of(requested)  # raises NotYours, a 404, for other kinds of work
    if request.method == "POST":
        return _store_answers(request, enrolment, requested)
    if requested.state == State.SKIPPED:
        messages.info(request, "You skipped that text.")
        return redirect("crowd:work")
    if requested.state in {State.SUBMITTED, State.DISCARDED}:
        return _correction(request, enrolment, requested)
    page = page_of_tasks(enrolment)
    if requested not in page:  # the lease has expired; submitting claims a free slot again
        page = [requested]
    return _task_page(request, enrolment, requested, [_shown_task(enrolment, each) for each in page])


def _store_answers(request: HttpRequest, enrolment: Enrolment, requested: Assignment) -> HttpResponse:
    """Store all answers of the page, each in its own transaction: a refused one does not lose the others."""
    tasks = _posted_tasks(request, enrolment, requested)
    scales = enrolment.campaign.shown_scales
    sent = [posted_judgement(request.POST, scales, each, swapped=_is_shown_swapped(enrolment, each)) for each in tasks]
    try:
        for judgement in sent:
            judgement_check(judgement, scales)
    except (Incomplete, TextRefused) as refusal:
        return _refusal_response(request, enrolment, requested, tasks, sent, refusal, 422)
    lost: Refused | None = None
    for each, judgement in zip(tasks, sent, strict=True):
        try:
            rating_submit(enrolment=enrolment, assignment=each, subject=subject_of(each), judgement=judgement)
        except OtherAnswerCounts as refusal:
            messages.warning(request, str(refusal))
        except SlotTaken as refusal:
            others = " The other answers of the page are stored." if len(tasks) > 1 else ""
            lost = SlotTaken(f"{refusal}{others}")
    if lost is not None:
        return _refusal_response(request, enrolment, requested, tasks, sent, lost, 409)
    if request.POST.get("then") == "answers":
        return redirect_or_json(request, enrolment, redirect("ratings:answers"))
    return redirect_or_json(request, enrolment, next_task(enrolment))


def _posted_tasks(request: HttpRequest, enrolment: Enrolment, requested: Assignment) -> list[Assignment]:
    """Return the tasks named in the form, or the one in the URL if it names none."""
    names = request.POST.get("tasks", "").split(",")
    named = [int(name) for name in names if name.isascii() and name.isdecimal() and len(name) < 19]
    return [rater_task(enrolment, pk) for pk in named[:MAX_TASKS]] or [requested]


def _refusal_response(
    request: HttpRequest,
    enrolment: Enrolment,
    requested: Assignment,
    tasks: list[Assignment],
    sent: list[Judgement],
    refusal: Refused,
    status: int,
) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({"error": str(refusal)}, status=status)
    shown = [_shown_task(enrolment, each, judgement) for each, judgement in zip(tasks, sent, strict=True)]
    for each in shown:
        each.is_missing = not all(chosen for _, chosen in each.scales)
    return _task_page(request, enrolment, requested, shown, refusal, status)


def _is_shown_swapped(enrolment: Enrolment, assignment: Assignment) -> bool:
    return enrolment.campaign.is_side_by_side and is_swapped(assignment)


def _shown_task(enrolment: Enrolment, assignment: Assignment, judgement: Judgement | None = None) -> ShownTask:
    subject, swapped = subject_of(assignment), _is_shown_swapped(enrolment, assignment)
    texts = subject.texts[::-1] if swapped else subject.texts
    names = ("A", "B") if len(texts) > 1 else ("",)
    scores = dict(judgement.scores) if judgement else {}
    chosen = mirrored(scores) if swapped else scores
    return ShownTask(
        assignment,
        subject.source_text,
        list(zip(names, texts, strict=True)),
        [(scale, chosen.get(scale.key, 0)) for scale in enrolment.campaign.shown_scales],
        judgement.known_version if judgement else 0,
        (judgement.comment or "") if judgement else "",
    )


def _correction(request: HttpRequest, enrolment: Enrolment, assignment: Assignment) -> HttpResponse:
    """Show a rated task with its current answer."""
    if enrolment.is_closed:
        messages.info(request, "Your visit is over, so your answers are final now.")
        return redirect("crowd:work")
    rating = rating_of_assignment(assignment)
    comment = assignment.remarks.filter(kind=Remark.Kind.COMMENT).first()
    judgement = Judgement(_scores(rating), known_version=rating.version, comment=comment.text if comment else "")
    return _task_page(request, enrolment, assignment, [_shown_task(enrolment, assignment, judgement)])


def _scores(rating: Rating) -> dict[str, int]:
    return {score.scale: score.value for score in rating.scores.all()}


def _task_page(
    request: HttpRequest,
    enrolment: Enrolment,
    requested: Assignment,
    tasks: list[ShownTask],
    refusal: Refused | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "enrolment": enrolment,
        "campaign": enrolment.campaign,
        "assignment": requested,
        "tasks": tasks,
        "tasks_sent": ",".join(str(each.pk) for each in tasks),
        "kept_under": "-".join(f"{each.pk}.{each.version}" for each in tasks),
        "is_correction": requested.state == State.SUBMITTED,
        "standing": standing(enrolment, requested),
        "resume_token": resume_token(enrolment),
        "reasons": Remark.CANNOT_JUDGE_REASONS,
        "longest_remark": MAX_REMARK_LENGTH,
        "refusal": str(refusal) if refusal else "",
        "lost": isinstance(refusal, SlotTaken),
    }
    return render(request, "ratings/task.html", context, status=status)


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
            _shown_task(enrolment, each.assignment, Judgement(_scores(each))) for each in page if each.assignment
        ],
        "standing": standing(enrolment),
        "more": bool(page_of_tasks(enrolment)) or work_is_left_for(enrolment),
    }
    return render(request, "ratings/answers.html", context)

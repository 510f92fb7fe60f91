"""The rater's pages: the tasks, and the answers so far."""

from dataclasses import dataclass, field

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from common.errors import Refused, SlotTaken
from crowd.access import worker_only
from crowd.models import Assignment, Enrolment, Remark
from crowd.models.remarks import MAX_REMARK_LENGTH
from crowd.responses import redirect_or_json, wants_json
from crowd.scales import Scale
from crowd.selectors.work import standing, work_is_left_for
from crowd.sessions import resume_token
from crowd.views.worker import next_task
from ratings.answers import judgement_in
from ratings.models import Rating
from ratings.selectors.rating_tasks import page_of_tasks, rater_task, rating_of_assignment, ratings_of_worker
from ratings.services.rating import Incomplete, Judgement, OtherAnswerCounts, judgement_check, rating_submit
from ratings.subjects import is_swapped, mirrored, subject_of

State = Assignment.State
ANSWERS_PER_PAGE = 50
MAX_TASKS = 50


@dataclass
class ShownTask:
    """A task as the page shows it: the texts in their order there, the points chosen so far."""

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
def task(request: HttpRequest, enrolment: Enrolment, assignment_id: int) -> HttpResponse:
    """One page of tasks; a task that was submitted is shown alone, to be corrected while the visit lasts."""
    asked = rater_task(enrolment, assignment_id)
    subject_of(asked)  # what is not for raters does not exist here
    if request.method == "POST":
        return _store_answers(request, enrolment, asked)
    if asked.state == State.SKIPPED:
        messages.info(request, "You skipped that text.")
        return redirect("crowd:work")
    if asked.state in {State.SUBMITTED, State.DISCARDED}:
        return _correction(request, enrolment, asked)
    page = page_of_tasks(enrolment)
    if asked not in page:  # its time ran out; it is theirs again if it is free
        page = [asked]
    return _page(request, enrolment, asked, [_shown(enrolment, each) for each in page])


def _store_answers(request: HttpRequest, enrolment: Enrolment, asked: Assignment) -> HttpResponse:
    """Store all answers of the page, each in a transaction of its own; none is lost because of another."""
    tasks = _tasks_sent(request, enrolment, asked)
    scales = enrolment.campaign.shown_scales
    sent = [judgement_in(request.POST, scales, each, swapped=_swaps(enrolment, each)) for each in tasks]
    try:
        for judgement in sent:
            judgement_check(judgement, scales)
    except Incomplete as refusal:
        return _refused(request, enrolment, asked, tasks, sent, refusal, 422)
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
        return _refused(request, enrolment, asked, tasks, sent, lost, 409)
    if request.POST.get("then") == "answers":
        return redirect_or_json(request, enrolment, redirect("ratings:answers"))
    return redirect_or_json(request, enrolment, next_task(enrolment))


def _tasks_sent(request: HttpRequest, enrolment: Enrolment, asked: Assignment) -> list[Assignment]:
    """The tasks that the form names; the one in the address if it names none."""
    names = request.POST.get("tasks", "").split(",")
    named = [int(name) for name in names if name.isascii() and name.isdecimal() and len(name) < 19]
    return [rater_task(enrolment, pk) for pk in named[:MAX_TASKS]] or [asked]


def _refused(
    request: HttpRequest,
    enrolment: Enrolment,
    asked: Assignment,
    tasks: list[Assignment],
    sent: list[Judgement],
    refusal: Refused,
    status: int,
) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({"error": str(refusal)}, status=status)
    shown = [_shown(enrolment, each, judgement) for each, judgement in zip(tasks, sent, strict=True)]
    for each in shown:
        each.is_missing = not all(chosen for _, chosen in each.scales)
    return _page(request, enrolment, asked, shown, refusal, status)


def _swaps(enrolment: Enrolment, assignment: Assignment) -> bool:
    return enrolment.campaign.is_side_by_side and is_swapped(assignment)


def _shown(enrolment: Enrolment, assignment: Assignment, judgement: Judgement | None = None) -> ShownTask:
    subject, swapped = subject_of(assignment), _swaps(enrolment, assignment)
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
    """The page of a text that was judged, with the answer in force."""
    if enrolment.is_closed:
        messages.info(request, "Your visit is over, so your answers are final now.")
        return redirect("crowd:work")
    rating = rating_of_assignment(assignment)
    said = assignment.remarks.filter(kind=Remark.Kind.COMMENT).first()
    judgement = Judgement(_scores(rating), known_version=rating.version, comment=said.text if said else "")
    return _page(request, enrolment, assignment, [_shown(enrolment, assignment, judgement)])


def _scores(rating: Rating) -> dict[str, int]:
    return {score.scale: score.value for score in rating.scores.all()}


def _page(
    request: HttpRequest,
    enrolment: Enrolment,
    asked: Assignment,
    tasks: list[ShownTask],
    refusal: Refused | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "enrolment": enrolment,
        "campaign": enrolment.campaign,
        "assignment": asked,
        "tasks": tasks,
        "tasks_sent": ",".join(str(each.pk) for each in tasks),
        "kept_under": "-".join(f"{each.pk}.{each.version}" for each in tasks),
        "is_correction": asked.state == State.SUBMITTED,
        "standing": standing(enrolment, asked),
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
    """All that this person has judged, to be looked over and corrected while the visit lasts."""
    page = Paginator(ratings_of_worker(enrolment.worker_id, enrolment.round), ANSWERS_PER_PAGE).get_page(
        request.GET.get("page")
    )
    context = {
        "enrolment": enrolment,
        "page": page,
        "answers": [_shown(enrolment, each.assignment, Judgement(_scores(each))) for each in page if each.assignment],
        "standing": standing(enrolment),
        "more": bool(page_of_tasks(enrolment)) or work_is_left_for(enrolment),
    }
    return render(request, "ratings/answers.html", context)

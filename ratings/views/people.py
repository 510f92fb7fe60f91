"""Staff pages: one person's work, expert samples."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from common.errors import Refused
from compressions.visit_evidence import visit_evidence
from crowd.access import campaign_staff, sees_ids, staff_user
from crowd.models import Campaign, Enrolment, Round, Worker
from crowd.selectors.members import exclusions_of_worker
from crowd.selectors.shared_browsers import workers_of_same_browsers
from ratings.forms import ExclusionForm, ExpertSampleForm, InclusionForm
from ratings.participant_list import platform_name
from ratings.selectors.people import person_rounds, worker_in_round, workers_of_campaign
from ratings.selectors.qualification import expert_samples
from ratings.selectors.quality import decisions_of_worker, inclusions_of_worker
from ratings.services.exclusions import person_exclude, person_readmit
from ratings.services.experts import expert_sample_draw
from ratings.services.qualification import qualification_reset
from ratings.services.quality import inclusion_withdraw, person_include

DECISIONS_SHOWN = 20


@campaign_staff
@require_safe
def person(request: HttpRequest, campaign: Campaign, number: int) -> HttpResponse:
    """Show one person: their rounds, work, tries at the test, and the decisions about them."""
    return _person_page(request, campaign, get_object_or_404(workers_of_campaign(campaign), number=number))


def _person_page(
    request: HttpRequest, campaign: Campaign, worker: Worker, form: ExclusionForm | InclusionForm | None = None
) -> HttpResponse:
    rounds = person_rounds(worker)
    context = {
        "campaign": campaign,
        "worker": worker,
        "title": _name_of(worker, [part.round for part in rounds]),
        "rounds": rounds,
        "shows_ids": sees_ids(request),
        "same_browser": workers_of_same_browsers(worker.pk),
        "platform": platform_name(worker.platform_key),
        "exclusions": exclusions_of_worker(worker),
        "inclusions": inclusions_of_worker(worker),
        "kept_in": {each.round for each in inclusions_of_worker(worker) if each.withdrawn_at is None},
        "decisions": decisions_of_worker(worker)[:DECISIONS_SHOWN],
        "form": form or ExclusionForm(),
        "evidence": visit_evidence(worker) if Round.EDIT in {part.round for part in rounds} else None,
    }
    return render(request, "ratings/person.html", context, status=422 if form else 200)


def _name_of(worker: Worker, rounds: list[Round]) -> str:
    """Return what a person is called: by their role if they have one."""
    roles = {
        Round.EDIT: _("Editor %(name)s"),
        Round.RATE: _("Rater %(name)s"),
        Round.EXPERT: _("Expert %(name)s"),
    }
    words = roles[rounds[0]] if len(rounds) == 1 else _("Participant %(name)s")
    return words % {"name": worker.public_name}


@campaign_staff
@require_POST
def exclude(request: HttpRequest, campaign: Campaign, number: int, work_round: str) -> HttpResponse:
    """Exclude a person from a round, or readmit them; the form posts the target state."""
    worker = worker_in_round(campaign, number, work_round)
    if request.POST.get("excluded") == "0":
        try:
            person_readmit(worker=worker, work_round=work_round, user=staff_user(request))
        except Refused as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, _("This participant can work again, and their work counts."))
        return redirect("ratings:person", campaign.slug, worker.number)
    form = ExclusionForm(request.POST)
    if not form.is_valid():
        return _person_page(request, campaign, worker, form)
    person_exclude(worker=worker, work_round=work_round, user=staff_user(request), **form.cleaned_data)
    messages.success(request, _("This participant gets no more work; their places are open to others."))
    return redirect("ratings:person", campaign.slug, worker.number)


@campaign_staff
@require_POST
def include(request: HttpRequest, campaign: Campaign, number: int, work_round: str) -> HttpResponse:
    """Keep a person whatever the worker filter decides, or no longer; the form posts the target state."""
    worker = worker_in_round(campaign, number, work_round)
    if request.POST.get("included") == "0":
        inclusion_withdraw(worker=worker, work_round=work_round, user=staff_user(request))
        messages.success(request, _("The next rule decides about this participant again."))
        return redirect("ratings:person", campaign.slug, worker.number)
    form = InclusionForm(request.POST)
    if not form.is_valid():
        return _person_page(request, campaign, worker, form)
    try:
        person_include(worker=worker, work_round=work_round, user=staff_user(request), **form.cleaned_data)
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("This participant is always kept, whatever a rule says."))
    return redirect("ratings:person", campaign.slug, worker.number)


@campaign_staff
@require_POST
def reset_test(request: HttpRequest, campaign: Campaign, number: int) -> HttpResponse:
    """Let a rater take the test again."""
    worker = get_object_or_404(workers_of_campaign(campaign), number=number)
    enrolment = get_object_or_404(Enrolment, worker=worker, round=Round.RATE)
    qualification_reset(enrolment=enrolment, user=staff_user(request))
    messages.success(request, _("This participant can take the test again, using the same link."))
    return redirect("ratings:person", campaign.slug, number)


@campaign_staff
@require_http_methods(["GET", "POST"])
def experts(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """List the expert samples, and draw a new one."""
    form = ExpertSampleForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            sample = expert_sample_draw(campaign=campaign, user=staff_user(request), **form.cleaned_data)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            words = ngettext("%(n)s text is ready for experts.", "%(n)s texts are ready for experts.", sample.size)
            messages.success(request, words % {"n": sample.size})
            return redirect("ratings:experts", campaign.slug)
    context = {"campaign": campaign, "form": form, "samples": expert_samples(campaign)}
    return render(request, "ratings/experts.html", context, status=422 if request.method == "POST" else 200)

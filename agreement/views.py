"""Staff pages: rating plans."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from agreement.forms import PlanForm
from agreement.planning.asking import plan_request, plans_found
from agreement.planning.plot import plan_plot
from crowd.access import campaign_staff, staff_user
from crowd.models import Campaign


@campaign_staff
@require_safe
def plan(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show how more ratings or more texts would narrow the intervals, and what they would cost."""
    form = PlanForm(request.GET or None, campaign=campaign)
    submitted = form if form.is_bound else PlanForm({}, campaign=campaign)  # without a query, plan with the defaults
    context: dict[str, Any] = {"campaign": campaign, "form": form}
    if submitted.is_valid():
        context |= _found_plans(campaign, submitted)
    return render(request, "agreement/plan.html", context)


def _found_plans(campaign: Campaign, form: PlanForm) -> dict[str, Any]:
    """Return plans with their plots; of those that take long also what is kept, and what has come since."""
    found = plans_found(campaign, form.cleaned_data["raters"], form.cleaned_data["texts"], form.prices)
    context: dict[str, Any] = {"is_slow": True, "kept": found.kept, "asked": form.as_typed} if found.is_slow else {}
    if found.plans is not None:
        context["found"] = [(of_scale, plan_plot(of_scale)) for of_scale in found.plans]
    if found.since is not None:
        context["since"] = found.since
    return context


@campaign_staff
@require_POST
def plan_compute(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Have plans computed by a job, and show their page."""
    form = PlanForm(request.POST, campaign=campaign)
    if not form.is_valid():
        return render(request, "agreement/plan.html", {"campaign": campaign, "form": form}, status=422)
    raters, texts = form.cleaned_data["raters"], form.cleaned_data["texts"]
    plan_request(campaign=campaign, raters=raters, texts=texts, user=staff_user(request))
    return redirect(f"{reverse('agreement:plan', args=[campaign.slug])}?{urlencode(form.as_typed)}")

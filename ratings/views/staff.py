"""Staff pages: quality control. The worker filter is previewed before it is applied, and runs can be withdrawn."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from common.errors import Refused
from common.spreadsheets import csv_download
from crowd.access import campaign_staff, staff_user
from crowd.models import Campaign, Round
from measures.quality_control.parameters import FilterParameters, Order, RaterQuality
from ratings.forms import FilterForm
from ratings.models import QualityRun
from ratings.selectors.preview import SHARES, filter_preview
from ratings.selectors.quality import (
    all_decisions,
    decisions_of_run,
    latest_quality_run,
    manual_decisions,
    measure_of,
    parameters_of,
    quality_runs,
)
from ratings.services.quality import quality_request, quality_withdraw


@campaign_staff
@require_safe
def quality(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show the run in force with its decisions, the manual decisions, and earlier runs."""
    latest = latest_quality_run(campaign)
    context: dict[str, Any] = {
        "campaign": campaign,
        "runs": quality_runs(campaign)[:20],
        "latest": latest,
        "manual": manual_decisions(campaign),
    }
    if latest:
        context |= {
            "parameters": parameters_of(latest.parameters),
            "editors": decisions_of_run(latest, Round.EDIT),
            "raters": decisions_of_run(latest, Round.RATE),
            "rater_measure": measure_of(latest, Round.RATE),
        }
    return render(request, "ratings/quality.html", context)


@campaign_staff
@require_safe
def preview(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Preview whom and what the worker filter would leave out; nothing is written."""
    form = FilterForm(request.GET or None)
    filled = form if form.is_bound else FilterForm({})
    context = {"campaign": campaign, "form": form, "scales": campaign.rating_scales}
    if filled.is_valid():
        context["parameters"] = filled.parameters
        try:
            context["preview"] = filter_preview(campaign, filled.parameters, shown_shares(filled.parameters))
        except Refused as refusal:
            form = filled
            form.add_error(None, str(refusal))
            context["form"] = form
    return render(request, "ratings/preview.html", context)


def shown_shares(parameters: FilterParameters) -> tuple[float, ...]:
    """Return the shares to preview; none where each would need another fit of the Dawid-Skene model."""
    is_slow = parameters.rater_quality is RaterQuality.DAWID_SKENE and parameters.order is Order.EDITORS_FIRST
    return () if is_slow else SHARES


@campaign_staff
@require_POST
def quality_apply(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    form = FilterForm(request.POST)
    if not form.is_valid():
        return render(request, "ratings/preview.html", {"campaign": campaign, "form": form}, status=422)
    job = quality_request(campaign=campaign, parameters=form.parameters, user=staff_user(request))
    return redirect("crowd:job", campaign.slug, job.pk)


@campaign_staff
@require_POST
def withdraw(request: HttpRequest, campaign: Campaign, run_id: int) -> HttpResponse:
    """Withdraw a run."""
    quality_withdraw(run=get_object_or_404(QualityRun, pk=run_id, campaign=campaign), user=staff_user(request))
    messages.success(request, "The decisions of that run count no more.")
    return redirect("ratings:quality", campaign.slug)


@campaign_staff
@require_safe
def decisions_csv(_request: HttpRequest, campaign: Campaign) -> StreamingHttpResponse:
    """Download the decisions of all runs, withdrawn ones too."""
    header = ("run", "applied_at", "withdrawn_at", "rule", "round", "worker", "quality", "items", "left_out", "reason")
    rows = (
        (
            each.run_id,
            each.run.created_at.isoformat(),
            each.run.withdrawn_at.isoformat() if each.run.withdrawn_at else "",
            each.run.rule,
            each.round,
            each.worker.public_name,
            "" if each.quality is None else each.quality,
            each.items,
            int(each.removed),
            each.reason,
        )
        for each in all_decisions(campaign)
    )
    return csv_download(f"{campaign.slug}-quality-decisions", header, rows)

"""Staff pages: quality control. The worker filter is previewed before it is applied, and runs can be withdrawn."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from common.errors import Refused
from common.spreadsheets import csv_download
from crowd.access import campaign_staff, staff_user
from crowd.models import Campaign, Round
from measures.quality_control.parameters import FilterParameters
from ratings.forms import FilterForm, late_work_notice, preview_address, preview_query
from ratings.models import KeptResult, QualityRun
from ratings.quality_notes import notes_of_run
from ratings.quality_words import MEASURES, rule_words
from ratings.selectors.kept import Basis, changes_since, kept_notice, kept_result
from ratings.selectors.preview import filter_preview, preview_is_quick
from ratings.selectors.quality import (
    all_decisions,
    decisions_of_run,
    kept_rule,
    latest_quality_run,
    manual_decisions,
    measure_of,
    parameters_of,
    quality_runs,
    rule_to_begin_with,
)
from ratings.selectors.shown_preview import preview_dump, preview_question, shown_editors, shown_raters
from ratings.services.quality import preview_request, quality_request, quality_rule_set, quality_withdraw

DECISIONS_PER_PAGE = 8


@campaign_staff
@require_safe
def quality(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show the active run with its decisions, the manual decisions, and earlier runs."""
    latest = latest_quality_run(campaign)
    context: dict[str, Any] = {
        "campaign": campaign,
        "runs": quality_runs(campaign)[:20],
        "latest": latest,
        "manual": manual_decisions(campaign),
        "notice": late_work_notice(campaign),
    }
    if latest:
        parameters = parameters_of(latest.parameters)
        tells_cut = "cut" in latest.summary["editors"]  # early runs do not
        context |= {
            "parameters": parameters,
            "tells_editors_cut": tells_cut and parameters.judges_editors,
            "tells_raters_cut": tells_cut and parameters.judges_raters,
            **_pages_of_decisions(request, latest),
            "rule_words": rule_words(parameters),
            "editor_measure": MEASURES[measure_of(latest, Round.EDIT)],
            "rater_measure": MEASURES[measure_of(latest, Round.RATE)],
            "editor_notes": notes_of_run(latest.summary, Round.EDIT, parameters),
            "rater_notes": notes_of_run(latest.summary, Round.RATE, parameters),
        }
    return render(request, "ratings/quality.html", context)


def _pages_of_decisions(request: HttpRequest, run: QualityRun) -> dict[str, Any]:
    """Return a page of the editors and one of the raters."""
    editors, raters = (
        Paginator(decisions_of_run(run, work_round), DECISIONS_PER_PAGE).get_page(request.GET.get(name))
        for name, work_round in (("editors", Round.EDIT), ("raters", Round.RATE))
    )
    return {"editors": editors, "raters": raters}


@campaign_staff
@require_safe
def preview(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Preview whom and what the worker filter would exclude; where that takes long, show what a job has found."""
    rule = rule_to_begin_with(campaign)
    form = FilterForm(request.GET or None, rule=rule)
    filled = form if form.is_bound else FilterForm({}, rule=rule)
    context: dict[str, Any] = {"campaign": campaign, "form": form, "scales": campaign.rating_scales}
    context["kept_rule"] = kept = kept_rule(campaign)
    if filled.is_valid():
        parameters = filled.parameters
        is_kept = kept is not None and kept.parameters == parameters
        context |= {"parameters": parameters, "asked": preview_query(parameters), "is_kept": is_kept}
        try:
            found = _found_preview(campaign, parameters)
        except Refused as refusal:
            filled.add_error(None, str(refusal))
            return render(request, "ratings/preview.html", context | {"form": filled})
        context |= found
        if stored := found["preview"]:
            context["editors"] = shown_editors(stored, request.GET.get("editors"))
            context["raters"] = shown_raters(stored, parameters, request.GET.get("raters"))
    return render(request, "ratings/preview.html", context)


def _found_preview(campaign: Campaign, parameters: FilterParameters) -> dict[str, Any]:
    """Compute a quick preview; of others return what is kept, and what has come since."""
    if preview_is_quick(campaign, parameters):
        return {"preview": preview_dump(filter_preview(campaign, parameters))}
    kept = kept_result(campaign, KeptResult.Kind.PREVIEW, preview_question(parameters))
    since = changes_since(campaign, Basis(**kept.basis)) if kept and kept.basis else None
    address = reverse("ratings:quality-preview-compute", args=[campaign.slug])
    notice = kept_notice(kept, since, address=address, sent=preview_query(parameters))
    return {"is_slow": True, "kept": kept, "notice": notice, "preview": kept and kept.result}


@campaign_staff
@require_POST
def preview_compute(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Have a preview computed by a job, and show its page."""
    form = FilterForm(request.POST, rule=rule_to_begin_with(campaign))
    if not form.is_valid():
        return render(request, "ratings/preview.html", {"campaign": campaign, "form": form}, status=422)
    preview_request(campaign=campaign, parameters=form.parameters, user=staff_user(request))
    return redirect(preview_address(campaign, form.parameters))


@campaign_staff
@require_POST
def quality_apply(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    form = FilterForm(request.POST, rule=rule_to_begin_with(campaign))
    if not form.is_valid():
        return render(request, "ratings/preview.html", {"campaign": campaign, "form": form}, status=422)
    job = quality_request(campaign=campaign, parameters=form.parameters, user=staff_user(request))
    return redirect("crowd:job", campaign.slug, job.pk)


@campaign_staff
@require_POST
def rule_keep(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Keep a rule as the campaign's own, without applying it."""
    form = FilterForm(request.POST, rule=rule_to_begin_with(campaign))
    if not form.is_valid():
        return render(request, "ratings/preview.html", {"campaign": campaign, "form": form}, status=422)
    quality_rule_set(campaign=campaign, parameters=form.parameters, user=staff_user(request))
    messages.success(request, _("This is now the campaign’s rule. It excludes nobody until you apply it."))
    return redirect(preview_address(campaign, form.parameters))


@campaign_staff
@require_POST
def withdraw(request: HttpRequest, campaign: Campaign, run_id: int) -> HttpResponse:
    """Withdraw a run."""
    quality_withdraw(run=get_object_or_404(QualityRun, pk=run_id, campaign=campaign), user=staff_user(request))
    messages.success(request, _("The decisions of that run no longer count."))
    return redirect("ratings:quality", campaign.slug)


@campaign_staff
@require_safe
def decisions_csv(_request: HttpRequest, campaign: Campaign) -> StreamingHttpResponse:
    """Download the decisions of all runs, withdrawn ones too."""
    header = (
        *("run", "applied_at", "withdrawn_at", "rule", "round", "worker", "quality", "standard_error"),
        *("gap_to_cut", "gap_in_standard_errors", "items", "left_out", "reason"),
    )
    rows = (
        (
            each.run_id,
            each.run.created_at.isoformat(),
            each.run.withdrawn_at.isoformat() if each.run.withdrawn_at else "",
            each.run.rule,
            each.round,
            each.worker.public_name,
            *("" if value is None else value for value in (each.quality, each.standard_error)),
            *("" if value is None else value for value in (each.gap, each.gap_in_errors)),
            each.items,
            int(each.removed),
            each.reason,
        )
        for each in all_decisions(campaign)
    )
    return csv_download(f"{campaign.slug}-quality-decisions", header, rows)

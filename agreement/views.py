"""Staff pages: agreement reports and rating plans."""

import re
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from agreement.downloads import report_as
from agreement.forms import PlanForm, ReportForm, display_parameters
from agreement.models import AgreementResult
from agreement.page_words import label_of
from agreement.planning.asking import plan_request
from agreement.planning.found_plans import plans_found
from agreement.planning.plot import plan_plot
from agreement.plots import plots_of
from agreement.report import FIRST_WITH_SOURCES
from agreement.report_rows import FEW_TEXTS
from agreement.sections.by_rater import ONE_RATER, PAIR
from agreement.sections.over_time import OVER_TIME
from agreement.sections.registry import SECTIONS
from agreement.sections.subgroups import GROUPINGS
from agreement.selectors import (
    Shortened,
    coefficient_lines,
    few_expert_texts,
    group_lines,
    headlines,
    latest_report,
    part_lines,
    report_by_digest,
    reports_without_rows,
    spread_lines,
    table_lines,
)
from agreement.services import agreement_request
from common.errors import Refused
from corpus.models import Release
from corpus.selectors import release_or_404
from crowd.access import campaign_staff, staff_user
from crowd.models import Campaign
from reports.downloads import download

MAX_PEOPLE = 200
DIGEST = re.compile("[0-9a-f]{1,64}")


def _result(request: HttpRequest, release: Release) -> AgreementResult | None:
    """Return the report named in the URL, or by default the one requested last."""
    prefix = request.GET.get("question")
    if prefix is None:
        return latest_report(release)
    result = report_by_digest(release, prefix) if DIGEST.fullmatch(prefix) else None
    if result is None:
        raise Http404(_("There is no such report."))
    return result


@campaign_staff
@require_safe
def report(request: HttpRequest, campaign: Campaign, version: int) -> HttpResponse:
    release = release_or_404(campaign, version)
    result = _result(request, release)
    context: dict[str, Any] = {
        "campaign": campaign,
        "release": release,
        "result": result,
        "scales": campaign.rating_scales,
        "form": ReportForm(initial=result.parameters if result else None),
        "questions": reports_without_rows(release),
        "job": result.job if result else None,
    }
    if result and result.rows is not None:
        context |= {
            "is_current": result.report_version >= FIRST_WITH_SOURCES,
            "headlines": headlines(result),
            "few_below": FEW_TEXTS,
            "few_expert_texts": few_expert_texts(result),
            "lines": table_lines(result),
            "spread": spread_lines(result),
            "coefficients": coefficient_lines(result),
            "periods": group_lines(result, OVER_TIME),
            "parameters": display_parameters(result.parameters),
            "groups": [(label_of(grouping), part_lines(result, grouping)) for grouping in GROUPINGS],
            "more_sections": [
                (section.heading, group_lines(result, section.comparison)) for section in SECTIONS if section.heading
            ],
            "raters": Shortened.of(group_lines(result, ONE_RATER), MAX_PEOPLE),
            "pairs": Shortened.of(group_lines(result, PAIR), MAX_PEOPLE),
            "plots": plots_of(result),
        }
    return render(request, "agreement/report.html", context)


@campaign_staff
@require_POST
def report_request(request: HttpRequest, campaign: Campaign, version: int) -> HttpResponse:
    release = release_or_404(campaign, version)
    form = ReportForm(request.POST)
    if not form.is_valid():
        context = {"campaign": campaign, "release": release, "form": form, "scales": campaign.rating_scales}
        return render(request, "agreement/report.html", context, status=422)
    try:
        result = agreement_request(release=release, parameters=form.parameters, user=staff_user(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("corpus:release", campaign.slug, version)
    address = reverse("agreement:report", args=[campaign.slug, version])
    return redirect(f"{address}?question={result.digest[:16]}")


@campaign_staff
@require_safe
def report_download(request: HttpRequest, campaign: Campaign, version: int, form: str) -> HttpResponseBase:
    release = release_or_404(campaign, version)
    result = _result(request, release)
    if result is None or result.rows is None:
        raise Http404(_("This report has not been computed."))
    return download(report_as(form, result), release, "agreement", form)


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

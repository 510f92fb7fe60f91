"""Staff pages: reports on metrics against ratings."""

import re
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from common.errors import Refused
from corpus.models import Release
from corpus.selectors import release_or_404
from crowd.access import campaign_staff, staff_user
from crowd.models import Campaign
from evaluation.downloads import report_as
from evaluation.forms import EvaluationForm, initial_of, shown_parameters
from evaluation.models import EvaluationReport
from evaluation.news import news_since
from evaluation.report_names import name_of
from evaluation.report_page import report_context
from evaluation.selectors import latest_report, report_by_digest, reports_without_rows, running_job
from evaluation.services.reports import report_request
from reports.downloads import download
from reports.names import named_reports

DIGEST = re.compile("[0-9a-f]{1,64}")


def report_named(request: HttpRequest, release: Release) -> EvaluationReport | None:
    """Return the report named in the URL, or by default the one requested last."""
    prefix = request.GET.get("report")
    if prefix is None:
        return latest_report(release)
    found = report_by_digest(release, prefix) if DIGEST.fullmatch(prefix) else None
    if found is None:
        raise Http404(_("There is no such report."))
    return found


def finished_report(request: HttpRequest, release: Release) -> EvaluationReport:
    """Return the same report if it is computed; anything else is a 404."""
    found = report_named(request, release)
    if found is None or found.rows is None:
        raise Http404(_("This report has not been computed."))
    return found


@campaign_staff
@require_safe
def report(request: HttpRequest, campaign: Campaign, version: int) -> HttpResponse:
    release = release_or_404(campaign, version)
    found = report_named(request, release)
    return _page(request, release, found, EvaluationForm(initial=initial_of(found)))


def _page(
    request: HttpRequest, release: Release, found: EvaluationReport | None, form: EvaluationForm, status: int = 200
) -> HttpResponse:
    context: dict[str, Any] = {
        "campaign": release.campaign,
        "release": release,
        "report": found,
        "form": form,
        "is_finished": found is not None and found.rows is not None,
        "is_under_way": False,
        "reports": named_reports(reports_without_rows(release), name_of),
    }
    if found and found.rows is None:
        context |= {"job": found.job, "is_under_way": _is_under_way(found)}
    elif found:
        context |= report_context(found, request.GET)
        context |= {"parameters": shown_parameters(found.parameters), "news": news_since(found)}
    return render(request, "evaluation/report.html", context, status=status)


def _is_under_way(found: EvaluationReport) -> bool:
    return running_job(found) is not None or (found.job is not None and not found.job.is_finished)


@campaign_staff
@require_POST
def request_report(request: HttpRequest, campaign: Campaign, version: int) -> HttpResponse:
    release = release_or_404(campaign, version)
    form = EvaluationForm(request.POST)
    if not form.is_valid():
        return _page(request, release, latest_report(release), form, status=422)
    try:
        found = report_request(release=release, parameters=form.parameters, user=staff_user(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("evaluation:report", campaign.slug, version)
    address = reverse("evaluation:report", args=[campaign.slug, version])
    return redirect(f"{address}?report={found.digest[:16]}")


@campaign_staff
@require_safe
def report_download(request: HttpRequest, campaign: Campaign, version: int, form: str) -> HttpResponseBase:
    release = release_or_404(campaign, version)
    return download(report_as(form, finished_report(request, release)), release, "evaluation", form)

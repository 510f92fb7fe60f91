"""Staff pages: reports on editing operations."""

import re
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from common.errors import Refused
from compressions.selectors.alignments import last_correction
from corpus.models import Release
from corpus.selectors import release_or_404, youngest_output_since
from crowd.access import accepts_upload, campaign_staff, role_of, staff_user
from crowd.models import Campaign, Role
from edit_operations.downloads import alignment_lines, report_as
from edit_operations.forms import OperationsForm, display_parameters
from edit_operations.models import OperationsReport
from edit_operations.report_names import name_of
from edit_operations.report_page import report_context
from edit_operations.selectors import (
    correction_ids,
    is_being_computed,
    job_of_report,
    latest_report,
    report_by_digest,
    reports_without_rows,
)
from edit_operations.services.reports import report_request
from reports.downloads import download
from reports.names import named_reports

DIGEST = re.compile("[0-9a-f]{1,64}")


def report_named(request: HttpRequest, release: Release) -> OperationsReport | None:
    """Return the report named in the URL, or by default the one requested last."""
    prefix = request.GET.get("report")
    if prefix is None:
        return latest_report(release)
    found = report_by_digest(release, prefix) if DIGEST.fullmatch(prefix) else None
    if found is None:
        raise Http404(_("There is no such report."))
    return found


def finished_report(request: HttpRequest, release: Release) -> OperationsReport:
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
    form = OperationsForm(initial=found.parameters if found else None, language=campaign.language)
    return _page(request, release, found, form)


def _page(
    request: HttpRequest, release: Release, found: OperationsReport | None, form: OperationsForm, status: int = 200
) -> HttpResponse:
    corrections = correction_ids(release.campaign)
    context: dict[str, Any] = {
        "campaign": release.campaign,
        "release": release,
        "report": found,
        "form": form,
        "is_finished": found is not None and found.rows is not None,
        "is_under_way": False,
        "may_request": role_of(request) != Role.VIEWER and not release.campaign.is_archived,
        "reports": named_reports(reports_without_rows(release), partial(name_of, corrections=corrections)),
    }
    if found:
        context |= _state(found)
    if found and found.rows is not None:
        context |= report_context(found, request.GET) | {"parameters": display_parameters(found.parameters)}
    return render(request, "edit_operations/report.html", context, status=status)


def _state(found: OperationsReport) -> dict[str, Any]:
    """Return the progress of a report, or what has changed since it was computed."""
    if found.rows is not None:
        return {
            "lacks_corrections": (found.last_correction or 0) != last_correction(found.release.campaign),
            "lacks_outputs": found.last_output != youngest_output_since(found.release),
        }
    job = job_of_report(found)
    return {
        "job": job,
        "done": found.parts.exclude(sources=None).count(),
        "parts": found.parts.count(),
        "is_under_way": is_being_computed(found) or (job is not None and not job.is_finished),
    }


@accepts_upload
@campaign_staff
@require_POST
def request_report(request: HttpRequest, campaign: Campaign, version: int) -> HttpResponse:
    release = release_or_404(campaign, version)
    form = OperationsForm(request.POST, request.FILES, language=campaign.language)
    if not form.is_valid():
        return _page(request, release, latest_report(release), form, status=form.refusal_status)
    try:
        found = report_request(release=release, parameters=form.parameters, pairs=form.pairs, user=staff_user(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("edit-operations:report", campaign.slug, version)
    address = reverse("edit-operations:report", args=[campaign.slug, version])
    return redirect(f"{address}?report={found.digest[:16]}")


@campaign_staff
@require_safe
def report_download(request: HttpRequest, campaign: Campaign, version: int, form: str) -> HttpResponseBase:
    release = release_or_404(campaign, version)
    return download(report_as(form, finished_report(request, release)), release, "operations", form)


@campaign_staff
@require_safe
def alignments(request: HttpRequest, campaign: Campaign, version: int) -> StreamingHttpResponse:
    release = release_or_404(campaign, version)
    lines = alignment_lines(finished_report(request, release))
    response = StreamingHttpResponse(lines, content_type="application/jsonl; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{release.name}-alignments.jsonl"'
    return response

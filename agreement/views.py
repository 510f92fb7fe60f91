"""Staff: agreement in a release."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from agreement.models import AgreementResult
from agreement.report import ReportParameters
from agreement.selectors import agreement_of_release, alpha_rows, table_lines
from agreement.services import agreement_request
from agreement.table import agreement_csv
from corpus.models import Release
from corpus.selectors import releases_of_campaign
from crowd.access import campaign_staff, staff_user
from crowd.errors import Refused
from crowd.models import Campaign


def _release(campaign: Campaign, version: int) -> Release:
    return get_object_or_404(releases_of_campaign(campaign), version=version)


@campaign_staff
@require_safe
def report(request: HttpRequest, campaign: Campaign, version: int) -> HttpResponse:
    release = _release(campaign, version)
    result = agreement_of_release(release)
    finished = result if result and result.rows is not None else None
    context = {
        "campaign": campaign,
        "release": release,
        "result": result,
        "scales": campaign.rating_scales,
        "lines": table_lines(finished) if finished else [],
        "alphas": alpha_rows(finished) if finished else [],
        "job": result.job if result else None,
    }
    return render(request, "agreement/report.html", context)


@campaign_staff
@require_POST
def report_request(request: HttpRequest, campaign: Campaign, version: int) -> HttpResponse:
    release = _release(campaign, version)
    try:
        agreement_request(release=release, parameters=ReportParameters(), user=staff_user(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("corpus:release", campaign.slug, version)
    return redirect("agreement:report", campaign.slug, version)


@campaign_staff
@require_safe
def report_csv(_request: HttpRequest, campaign: Campaign, version: int) -> HttpResponse:
    release = _release(campaign, version)
    finished = AgreementResult.objects.filter(release=release, rows__isnull=False).order_by("-pk")
    result = get_object_or_404(finished.select_related("release__campaign")[:1])
    response = HttpResponse(agreement_csv(result), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{release.name}-agreement.csv"'
    return response

"""Staff pages: one metric of a report, and the outputs where it and people disagree."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from corpus.selectors import release_or_404
from crowd.access import campaign_staff
from crowd.models import Campaign
from evaluation.kind import KIND
from evaluation.metric_links import MetricLinks, metrics_of_report
from evaluation.metric_page import metric_context
from reports.views import finished_report


@campaign_staff
@require_safe
def metric(request: HttpRequest, campaign: Campaign, version: int) -> HttpResponse:
    release = release_or_404(campaign, version)
    report = finished_report(request, release, KIND)
    known = metrics_of_report(report)
    found = known.get(request.GET.get("metric", next(iter(known), "")))
    if found is None:
        raise Http404(_("This report has no such metric."))
    context = metric_context(report, found, MetricLinks(report, "", known), request.GET)
    about = {"campaign": campaign, "release": release, "report": report, "metric": found}
    return render(request, "evaluation/metric.html", context | about)

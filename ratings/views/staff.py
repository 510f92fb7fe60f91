"""Staff: quality control."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from crowd.access import campaign_staff, staff_user
from crowd.models import Campaign, Round
from ratings.selectors.quality import decisions_of_run, quality_runs
from ratings.services.quality import quality_request


@campaign_staff
@require_safe
def quality(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """The latest run: who is left out, how good everybody is."""
    runs = list(quality_runs(campaign)[:20])
    latest = runs[0] if runs else None
    context = {
        "campaign": campaign,
        "runs": runs,
        "latest": latest,
        "editors": decisions_of_run(latest, Round.EDIT) if latest else [],
        "raters": decisions_of_run(latest, Round.RATE) if latest else [],
    }
    return render(request, "ratings/quality.html", context)


@campaign_staff
@require_POST
def quality_apply(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    job = quality_request(campaign=campaign, user=staff_user(request))
    return redirect("crowd:job", campaign.slug, job.pk)

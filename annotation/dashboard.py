"""The dashboard: one page from which a campaign is read and run."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from agreement.selectors import latest_agreement, table_lines
from compressions.selectors.sources import genres_of_campaign
from corpus.selectors import releases_of_campaign
from crowd.access import campaign_staff, public
from crowd.models import Campaign, Round
from crowd.selectors.campaigns import links_of_campaign, round_progress, workers_of_round
from ratings.scales import SCALES
from ratings.selectors.quality import latest_quality_run
from ratings.selectors.targets import rating_summary

WORKERS_SHOWN = 15


@public
@require_GET
def home(_request: HttpRequest) -> HttpResponse:
    return redirect("crowd:campaigns")


@campaign_staff
@require_GET
def dashboard(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """How far the campaign is, who works and how well, agreement so far, and the next steps."""
    agreement = latest_agreement(campaign)
    keys = tuple(scale.key for scale in SCALES)
    context = {
        "campaign": campaign,
        "rounds": [
            {
                "name": Round(key).label,
                "key": key,
                "progress": round_progress(campaign, key),
                "workers": workers_of_round(campaign, key),
            }
            for key in Round.values
        ],
        "workers_shown": WORKERS_SHOWN,
        "genres": genres_of_campaign(campaign),
        "ratings": rating_summary(campaign),
        "scales": SCALES,
        "quality_run": latest_quality_run(campaign),
        "releases": releases_of_campaign(campaign)[:5],
        "agreement": agreement,
        "lines": table_lines(agreement, keys) if agreement else [],
        "links": [(link, request.build_absolute_uri(f"/join/{link.token}/")) for link in links_of_campaign(campaign)],
    }
    return render(request, "annotation/dashboard.html", context)

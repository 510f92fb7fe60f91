"""The dashboard, from which staff follow and manage a campaign."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from agreement.selectors import latest_agreement, table_lines
from compressions.selectors.sources import genres_of_campaign
from corpus.selectors import releases_of_campaign
from crowd.access import campaign_staff, public
from crowd.models import Campaign, Round
from crowd.selectors.campaigns import (
    busiest_workers,
    open_browser_requests,
    round_progress,
    workers_count,
)
from crowd.selectors.links import links_of_campaign
from ratings.models import QualityRun
from ratings.selectors.experts import expert_samples
from ratings.selectors.gold import gold_records
from ratings.selectors.qualification import qualification_items
from ratings.selectors.quality import (
    LeftOutPerson,
    decisions_by_worker,
    latest_quality_run,
    measure_of,
    people_left_out,
)
from ratings.selectors.tally import rating_summary_now

WORKERS_SHOWN = 15


@public
@require_safe
def home(_request: HttpRequest) -> HttpResponse:
    return redirect("crowd:campaigns")


@campaign_staff
@require_safe
def dashboard(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show the progress of the campaign, its workers and their quality, current agreement, and the next steps."""
    agreement = latest_agreement(campaign)
    quality_run = latest_quality_run(campaign)
    excluded = people_left_out(campaign, quality_run)
    ratings = rating_summary_now(campaign)
    context = {
        "campaign": campaign,
        "rounds": [_round_context(campaign, work_round, quality_run, excluded) for work_round in _rounds(campaign)],
        "genres": genres_of_campaign(campaign),
        "ratings": ratings,
        "rated_things": "pairs" if campaign.is_side_by_side else "texts",
        "distributions": [(scale, ratings.scales[scale.key]) for scale in campaign.rating_scales],
        "has_test": qualification_items(campaign).exists(),
        "scales": campaign.rating_scales,
        "quality_run": quality_run,
        "low_on_gold": sum(record.is_low(campaign.gold_warn_percent) for record in gold_records(campaign).values()),
        "releases": releases_of_campaign(campaign)[:5],
        "agreement": agreement,
        "lines": table_lines(agreement) if agreement else [],
        "browser_requests": open_browser_requests(campaign).count(),
        "links": [(link, request.build_absolute_uri(link.get_absolute_url())) for link in links_of_campaign(campaign)],
    }
    return render(request, "annotation/dashboard.html", context)


def _rounds(campaign: Campaign) -> list[Round]:
    """Return the rounds to show; the expert round only if the campaign has expert samples."""
    has_experts = expert_samples(campaign).exists()
    return [work_round for work_round in Round if work_round != Round.EXPERT or has_experts]


def _round_context(
    campaign: Campaign, work_round: Round, quality_run: QualityRun | None, excluded: list[LeftOutPerson]
) -> dict[str, Any]:
    """Return the progress of a round and its busiest workers with the decisions of the worker filter."""
    workers = busiest_workers(campaign, work_round, WORKERS_SHOWN)
    decisions = decisions_by_worker(quality_run, work_round, [row.worker for row in workers])
    return {
        "name": work_round.label,
        "key": work_round.value,
        "measure": measure_of(quality_run, work_round),
        "progress": round_progress(campaign, work_round),
        "left_out": {each.worker.pk for each in excluded if each.round == work_round},
        "workers": [(row, decisions.get(row.worker.pk)) for row in workers],
        "workers_count": workers_count(campaign, work_round),
    }

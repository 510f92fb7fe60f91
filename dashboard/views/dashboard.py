"""The dashboard, from which staff follow and manage a campaign."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from agreement.table_lines import table_lines
from compressions.selectors.flags import flags_to_see
from compressions.selectors.sources import genres_of_campaign
from corpus.selectors import releases_of_campaign
from crowd.access import campaign_staff, public, role_of, staff_user
from crowd.models import Campaign, Role, Round
from crowd.selectors.campaigns import busiest_workers, deletion_has_begun, open_browser_requests, workers_count
from crowd.selectors.members import workers_of_tests
from crowd.selectors.progress import RoundProgress, progress_of_rounds
from dashboard.next_steps import Facts, next_step
from dashboard.pace import remaining_of, remaining_words
from dashboard.selectors import LinkRow, link_rows, staff_pages, total_notes
from dashboard.services.notices import mail_is_set
from dashboard.views.campaign_states import meaning_of, other_states
from protocols.selectors import material_counts
from ratings.models import QualityRun
from ratings.selectors.gold import gold_records
from ratings.selectors.qualification import expert_samples, qualification_items
from ratings.selectors.quality import (
    LeftOutPerson,
    decisions_by_worker,
    latest_quality_run,
    measure_of,
    people_left_out,
)
from ratings.selectors.rating_counts import rating_summary_now
from ratings.selectors.setup_warnings import setup_warnings
from reports.selectors import latest_of_campaign

WORKERS_SHOWN = 15


@public
@require_safe
def home(_request: HttpRequest) -> HttpResponse:
    return redirect("crowd:campaigns")


@campaign_staff
@require_safe
def dashboard(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show the state and progress of a campaign, what comes next, its people, their quality, and agreement."""
    reports = latest_of_campaign(campaign)
    agreement = reports.get("agreement")
    quality_run = latest_quality_run(campaign)
    excluded = people_left_out(campaign, quality_run)
    ratings, tests = rating_summary_now(campaign), set(workers_of_tests(campaign).values_list("pk", flat=True))
    gold = [record for worker, record in gold_records(campaign).items() if worker not in tests]
    progress = _progress(campaign)
    releases, genres = list(releases_of_campaign(campaign)[:5]), genres_of_campaign(campaign)
    links = link_rows(campaign)
    material = material_counts(campaign) if campaign.task.has_material else None
    facts = Facts(
        has_texts=bool(material.items if material else genres),
        has_link=any(row.link.is_active for row in links),
        has_ratings=bool(material.answers if material else ratings.count),
        has_rule=quality_run is not None,
        has_release=bool(releases),
        has_agreement=agreement is not None,
        progress=progress,
    )
    context = {
        "campaign": campaign,
        **_life(request, campaign),
        "next_step": next_step(campaign, facts),
        "warnings": [] if campaign.is_final else setup_warnings(campaign),
        "rounds": [
            _round_context(campaign, work_round, progress, quality_run, excluded) for work_round in _rounds(campaign)
        ],
        "genres": genres,
        "material": material,
        "ratings": ratings,
        "rated_things": campaign.task.things,
        "distributions": [(scale, ratings.scales[scale.key]) for scale in campaign.rating_scales],
        "has_test": qualification_items(campaign).exists(),
        "scales": campaign.rating_scales,
        "quality_run": quality_run,
        "low_on_gold": sum(record.is_low(campaign.gold_warn_percent) for record in gold),
        "test_people": len(tests),
        "releases": releases,
        "agreement": agreement,
        "operations": reports.get("operations"),
        "evaluation": reports.get("evaluation"),
        "lines": table_lines(agreement) if agreement else [],
        "flags_to_see": flags_to_see(campaign).count(),
        "browser_requests": open_browser_requests(campaign).count(),
        "links": [(row, _address(request, row)) for row in links],
    }
    return render(request, "dashboard/dashboard.html", context)


def _address(request: HttpRequest, row: LinkRow) -> str:
    """Return the address as staff paste it into the platform."""
    return row.link.platform.address_to_paste(request.build_absolute_uri(row.link.get_absolute_url()))


def _life(request: HttpRequest, campaign: Campaign) -> dict[str, Any]:
    """Return the campaign's state, the states that it can be put into, and the pages that this account may see."""
    role = role_of(request)
    return {
        "role": role,
        "may_change": role in {Role.OWNER, Role.MANAGER},
        "meaning": meaning_of(campaign),
        "states": other_states(campaign),
        "is_being_deleted": deletion_has_begun(campaign),
        "pages": staff_pages(campaign, role),
        "preview_rounds": _own_rounds(campaign) or list(Round),
        "member": campaign.memberships.filter(user=staff_user(request)).first(),
        "sends_mail": mail_is_set(),
    }


def _progress(campaign: Campaign) -> dict[str, RoundProgress]:
    found = progress_of_rounds([campaign.pk])
    return {each: found.get((campaign.pk, each), RoundProgress()) for each in Round.values}


def _rounds(campaign: Campaign) -> list[Round]:
    """Return the rounds to show: all that the campaign has work for, and first of all those that it is for."""
    if own := _own_rounds(campaign):
        return [Round.EDIT, *own] if genres_of_campaign(campaign) and Round.EDIT not in own else own
    has_experts = expert_samples(campaign).exists()
    return [work_round for work_round in Round if work_round != Round.EXPERT or has_experts]


def _own_rounds(campaign: Campaign) -> list[Round]:
    """Return the rounds of a judgement task with material of its own; none of another."""
    return [Round(each) for each in campaign.task.rounds]


def _round_context(
    campaign: Campaign,
    work_round: Round,
    progress: dict[str, RoundProgress],
    quality_run: QualityRun | None,
    excluded: list[LeftOutPerson],
) -> dict[str, Any]:
    """Return the progress of a round and its busiest workers with the decisions of the worker filter."""
    workers = busiest_workers(campaign, work_round, WORKERS_SHOWN)
    decisions = decisions_by_worker(quality_run, work_round, [row.worker for row in workers])
    own = progress[work_round]
    remaining = remaining_of(campaign, work_round, own)
    counted = "task" if work_round == Round.RATE and campaign.task.has_material else work_round.value
    return {
        "name": work_round.label,
        "key": work_round.value,
        "is_writing": work_round == Round.EDIT and work_round not in campaign.task.rounds,
        "measure": measure_of(quality_run, work_round),
        "progress": own,
        # More is to be rated as long as more is written.
        "is_growing": work_round == Round.RATE
        and not campaign.task.has_material
        and not progress[Round.EDIT].is_complete
        and own.is_complete,
        "is_paused": campaign.is_paused(work_round),
        "remaining": remaining_words(remaining, counted) if own.missing and not campaign.is_final else "",
        "notes": list(total_notes(campaign, work_round, own)),
        "left_out": {each.worker.pk for each in excluded if each.round == work_round},
        "workers": [(row, decisions.get(row.worker.pk)) for row in workers],
        "workers_count": workers_count(campaign, work_round),
    }

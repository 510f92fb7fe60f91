"""The dashboard, from which staff follow and manage a campaign: what it shows depends on where that is in its life."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from agreement.table_lines import table_lines
from compressions.selectors.sources import genres_of_campaign
from corpus.selectors import releases_of_campaign
from crowd.access import campaign_staff, public, role_of, staff_user
from crowd.models import Campaign, CampaignState, JoinLink, Role, Round
from crowd.selectors.campaigns import deletion_has_begun
from crowd.selectors.members import workers_of_tests
from crowd.selectors.progress import RoundProgress, progress_of_rounds
from dashboard.checklist import Results, next_step, steps_after_the_work, steps_before_opening, steps_while_open
from dashboard.money import money_of
from dashboard.pace import remaining_of, remaining_words
from dashboard.selectors import LinkRow, link_rows, total_notes
from dashboard.services.notices import mail_is_set
from dashboard.today import tasks_of_today
from dashboard.views.campaign_states import meaning_of, other_states
from protocols.selectors import material_counts
from ratings.selectors.qualification import expert_samples
from ratings.selectors.quality import latest_quality_run
from ratings.selectors.rating_counts import rating_summary_now
from reports.selectors import latest_of_campaign

RELEASES_SHOWN = 5


@public
@require_safe
def home(_request: HttpRequest) -> HttpResponse:
    return redirect("crowd:campaigns")


@campaign_staff
@require_safe
def dashboard(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show a draft with what is to be set up, an open campaign with its work, a closed one with its results."""
    genres = genres_of_campaign(campaign)
    texts, links = sum(each.sources for each in genres), link_rows(campaign)
    handed_out = [row.link for row in links]
    for link in handed_out:
        link.campaign = campaign
    context = {
        "campaign": campaign,
        **_life(request, campaign),
        "links": [(row, _address(request, row)) for row in links],
        "texts": texts,
    }
    if campaign.state == CampaignState.DRAFT:
        context["steps"] = steps_before_opening(campaign, texts=texts, links=handed_out)
        name = "draft"
    elif campaign.is_final:
        context |= _after_the_work(campaign, texts)
        name = "closed"
    else:
        context |= _at_work(campaign, texts, handed_out)
        name = "open"
    return render(request, f"dashboard/{name}.html", context | {"next_step": next_step(context["steps"])})


def _address(request: HttpRequest, row: LinkRow) -> str:
    """Return the address as staff paste it into the platform."""
    return row.link.platform.address_to_paste(request.build_absolute_uri(row.link.get_absolute_url()))


def _life(request: HttpRequest, campaign: Campaign) -> dict[str, Any]:
    """Return the campaign's state, the states that it can be put into, and what each state's page has."""
    role = role_of(request)
    return {
        "role": role,
        "may_change": role in {Role.OWNER, Role.MANAGER},
        "meaning": meaning_of(campaign),
        "states": other_states(campaign),
        "is_being_deleted": deletion_has_begun(campaign),
        "preview_rounds": [Round(each) for each in campaign.task.rounds] or list(Round),
        "test_people": workers_of_tests(campaign).count(),
        "member": campaign.memberships.filter(user=staff_user(request)).first(),
        "sends_mail": mail_is_set(),
    }


def _at_work(campaign: Campaign, texts: int, links: Sequence[JoinLink]) -> dict[str, Any]:
    progress = _progress(campaign)
    return {
        "steps": steps_while_open(campaign, texts=texts, links=links, progress=progress),
        "tasks": tasks_of_today(campaign, links),
        "money": money_of(campaign, progress),
        "rounds": _rounds(campaign, texts, progress),
        **_answers(campaign),
    }


def _after_the_work(campaign: Campaign, texts: int) -> dict[str, Any]:
    reports, quality_run = latest_of_campaign(campaign), latest_quality_run(campaign)
    releases, answers = list(releases_of_campaign(campaign)[:RELEASES_SHOWN]), _answers(campaign)
    material, agreement = answers["material"], reports.get("agreement")
    has_ratings = bool(material.answers if material else answers["ratings"].count)
    results = Results(has_ratings, quality_run, releases[0] if releases else None, reports)
    return {
        "steps": [] if campaign.is_archived else steps_after_the_work(campaign, results),
        "rounds": _rounds(campaign, texts, _progress(campaign)),
        "quality_run": quality_run,
        "releases": releases,
        "scales": campaign.rating_scales,
        "agreement": agreement,
        "lines": table_lines(agreement) if agreement else [],
        "operations": reports.get("operations"),
        "evaluation": reports.get("evaluation"),
        **answers,
    }


def _answers(campaign: Campaign) -> dict[str, Any]:
    """Return what people judged: the answers to a task with material of its own, or else the ratings of each scale."""
    if campaign.task.has_material:
        return {"material": material_counts(campaign)}
    ratings = rating_summary_now(campaign)
    return {
        "material": None,
        "ratings": ratings,
        "rated_things": campaign.task.things,
        "distributions": [(scale, ratings.scales[scale.key]) for scale in campaign.rating_scales],
    }


def _progress(campaign: Campaign) -> dict[str, RoundProgress]:
    found = progress_of_rounds([campaign.pk])
    return {each: found.get((campaign.pk, each), RoundProgress()) for each in Round.values}


def _rounds(campaign: Campaign, texts: int, progress: dict[str, RoundProgress]) -> list[dict[str, Any]]:
    """Return the rounds to show: all that the campaign has work for, and first of all those that it is for."""
    own = [Round(each) for each in campaign.task.rounds]
    if own:
        shown = [Round.EDIT, *own] if texts and Round.EDIT not in own else own
    else:
        has_experts = expert_samples(campaign).exists()
        shown = [each for each in Round if each != Round.EXPERT or has_experts]
    return [_round_context(campaign, each, progress) for each in shown]


def _round_context(campaign: Campaign, work_round: Round, progress: dict[str, RoundProgress]) -> dict[str, Any]:
    """Return the progress of a round, with what is missing and what has changed its total."""
    own = progress[work_round]
    counted = "task" if work_round == Round.RATE and campaign.task.has_material else work_round.value
    is_missing = own.missing and not campaign.is_final
    return {
        "name": work_round.label,
        "key": work_round.value,
        "is_writing": work_round == Round.EDIT and work_round not in campaign.task.rounds,
        "progress": own,
        # More is to be rated as long as more is written.
        "is_growing": work_round == Round.RATE
        and not campaign.task.has_material
        and not progress[Round.EDIT].is_complete
        and own.is_complete,
        "is_paused": campaign.is_paused(work_round),
        "remaining": remaining_words(remaining_of(campaign, work_round, own), counted) if is_missing else "",
        "notes": list(total_notes(campaign, work_round, own)),
    }

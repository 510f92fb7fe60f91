"""What staff do next in a campaign, from its state."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from crowd.models import Campaign, CampaignState, Round
from crowd.selectors.progress import RoundProgress


@dataclass(frozen=True)
class Facts:
    """What the next step depends on, apart from the campaign itself."""

    has_texts: bool
    """Or material, where raters do a judgement task of its own."""
    has_link: bool
    has_ratings: bool
    """Or answers to such a task."""
    has_rule: bool
    has_release: bool
    has_agreement: bool
    progress: Mapping[str, RoundProgress]


@dataclass(frozen=True)
class NextStep:
    """What to do, why, and where; `address` may be a part of the dashboard itself."""

    title: str
    why: str
    address: str


def next_step(campaign: Campaign, facts: Facts) -> NextStep | None:
    """Return the first thing that is still to be done; None if all is, or only waiting is left."""
    if campaign.is_archived:
        return None
    return next(_steps(campaign, facts), None)


def _steps(campaign: Campaign, facts: Facts) -> Iterator[NextStep]:
    yield from _before_opening(campaign, facts)
    rounds = campaign.task.rounds or (Round.EDIT, Round.RATE)
    is_done = all(facts.progress[each].is_complete for each in rounds)
    if campaign.task.has_material:
        if facts.has_ratings and is_done and not campaign.is_final:
            yield NextStep(_("Close it"), _("All work is done."), "#state")
        return
    if facts.has_ratings and (is_done or campaign.is_final):
        yield from _after_the_work(campaign, facts)


def _before_opening(campaign: Campaign, facts: Facts) -> Iterator[NextStep]:
    def at(name: str) -> str:
        return reverse(name, args=[campaign.slug])

    if campaign.is_final:
        return
    if not facts.has_texts and campaign.task.has_material:
        yield NextStep(_("Import material"), _("There is no material to judge yet."), at("protocols:set-up"))
    elif not facts.has_texts:
        yield NextStep(_("Import texts"), _("There are no texts to shorten yet."), at("compressions:imports"))
    if not facts.has_link:
        yield NextStep(_("Make a link"), _("There is no open link for participants to join by."), at("crowd:links"))
    if campaign.state == CampaignState.DRAFT:
        yield NextStep(_("Try it, then open it"), _("Only test links and previews work in a draft."), "#state")
    if campaign.state == CampaignState.PAUSED:
        yield NextStep(_("Open it again"), _("While it is paused, nobody is given new texts."), "#state")


def _after_the_work(campaign: Campaign, facts: Facts) -> Iterator[NextStep]:
    def at(name: str) -> str:
        return reverse(name, args=[campaign.slug])

    if not facts.has_rule and not facts.has_release:
        yield NextStep(
            _("Apply the quality rule"),
            _("See whose work a release would exclude before you decide."),
            at("ratings:quality-preview"),
        )
    if not facts.has_release:
        yield NextStep(
            _("Freeze a release"), _("Freeze a version of the corpus that never changes."), at("corpus:freeze")
        )
    if not facts.has_agreement:
        yield NextStep(_("Compute agreement"), _("See how far raters agree in the release."), "#agreement")
    if not campaign.is_final:
        yield NextStep(_("Close it"), _("All work is done, and a release is frozen."), "#state")

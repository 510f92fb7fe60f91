"""The states of a campaign as the dashboard offers them: what a button is called and what it does."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from common.words import Words
from crowd.models import Campaign, CampaignState


@dataclass(frozen=True)
class StateChoice:
    state: str
    button: Words
    meaning: Words


MEANINGS = {
    CampaignState.DRAFT: _("Only test links and previews work."),
    CampaignState.OPEN: _("Participants can join by your links and are given texts."),
    CampaignState.PAUSED: _("Nobody is given new texts. Participants can still submit the texts they have open."),
    CampaignState.CLOSED: _("Nothing more can be submitted, not even open texts, and answers are final."),
    CampaignState.ARCHIVED: _("Closed, read-only, and hidden from the list of campaigns."),
}
BUTTONS = {
    CampaignState.DRAFT: _("Make it a draft"),
    CampaignState.OPEN: _("Open"),
    CampaignState.PAUSED: _("Pause"),
    CampaignState.CLOSED: _("Close"),
    CampaignState.ARCHIVED: _("Archive"),
}
DONE = {
    CampaignState.DRAFT: _("The campaign is a draft."),
    CampaignState.OPEN: _("The campaign is open."),
    CampaignState.PAUSED: _("The campaign is paused."),
    CampaignState.CLOSED: _("The campaign is closed."),
    CampaignState.ARCHIVED: _("The campaign is archived."),
}

PAUSE_FIRST = _("Pause first to let participants finish.")


def meaning_of(campaign: Campaign) -> Words:
    return MEANINGS[CampaignState(campaign.state)]


def other_states(campaign: Campaign) -> list[StateChoice]:
    """Return the states that a campaign can be put into."""
    return [
        StateChoice(state, BUTTONS[state], _meaning_of_choice(campaign, state))
        for state in CampaignState
        if state != campaign.state
    ]


def _meaning_of_choice(campaign: Campaign, state: CampaignState) -> Words:
    lets_finish = state == CampaignState.CLOSED and not campaign.is_final
    return f"{MEANINGS[state]} {PAUSE_FIRST}" if lets_finish else MEANINGS[state]

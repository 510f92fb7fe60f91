"""The states of a campaign as the dashboard offers them: what a button is called and what it does."""

from dataclasses import dataclass

from crowd.models import Campaign, CampaignState


@dataclass(frozen=True)
class StateChoice:
    state: str
    button: str
    meaning: str


MEANINGS = {
    CampaignState.DRAFT: "Only test links and previews work.",
    CampaignState.OPEN: "Participants can join by your links and are given texts.",
    CampaignState.PAUSED: "Nobody is given new texts. Participants can still submit the texts they have open.",
    CampaignState.CLOSED: "Nothing more can be submitted, not even open texts, and answers are final.",
    CampaignState.ARCHIVED: "Closed, read-only, and hidden from the list of campaigns.",
}
BUTTONS = {
    CampaignState.DRAFT: "Make it a draft",
    CampaignState.OPEN: "Open",
    CampaignState.PAUSED: "Pause",
    CampaignState.CLOSED: "Close",
    CampaignState.ARCHIVED: "Archive",
}
DONE = {
    CampaignState.DRAFT: "The campaign is a draft.",
    CampaignState.OPEN: "The campaign is open.",
    CampaignState.PAUSED: "The campaign is paused.",
    CampaignState.CLOSED: "The campaign is closed.",
    CampaignState.ARCHIVED: "The campaign is archived.",
}


def meaning_of(campaign: Campaign) -> str:
    return MEANINGS[CampaignState(campaign.state)]


def other_states(campaign: Campaign) -> list[StateChoice]:
    """Return the states that a campaign can be put into."""
    return [
        StateChoice(state, BUTTONS[state], _meaning_of_choice(campaign, state))
        for state in CampaignState
        if state != campaign.state
    ]


def _meaning_of_choice(campaign: Campaign, state: CampaignState) -> str:
    lets_finish = state == CampaignState.CLOSED and not campaign.is_final
    return f"{MEANINGS[state]} Pause first to let people finish." if lets_finish else MEANINGS[state]

"""Query what the list of campaigns shows."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from common.models import Job
from common.words import Words
from crowd.models import Campaign, CampaignState, Membership, Role, Round
from crowd.selectors.campaigns import campaigns_of_user
from crowd.selectors.progress import RoundProgress, last_submissions, progress_of_rounds

DELETE_JOB = "delete_campaign"
SHOWN_ROUNDS = (Round.EDIT, Round.RATE)


@dataclass(frozen=True)
class CampaignRow:
    """A campaign in the list: what the account is in it, how far its rounds are, and when work last came in."""

    campaign: Campaign
    role: str
    progress: Sequence[RoundProgress]
    last_work_at: object
    is_being_deleted: bool


@dataclass(frozen=True)
class StateCount:
    state: str
    label: Words
    number: int


def campaign_rows(user: User, state: str = "") -> list[CampaignRow]:
    """Return an account's campaigns of one state, or all that are not archived, by name."""
    campaigns = campaigns_of_user(user)
    wanted = Q(state=state) if state else ~Q(state=CampaignState.ARCHIVED)
    shown = list(campaigns.filter(wanted))
    ids = [campaign.pk for campaign in shown]
    progress, at, roles = progress_of_rounds(ids), last_submissions(ids), _roles(user, ids)
    being_deleted = set(_deletions().filter(campaign__in=ids).values_list("campaign_id", flat=True))
    return [
        CampaignRow(
            campaign,
            roles.get(campaign.pk, str(Role.OWNER.label)),
            [progress.get((campaign.pk, each), RoundProgress()) for each in SHOWN_ROUNDS],
            at.get(campaign.pk),
            campaign.pk in being_deleted,
        )
        for campaign in shown
    ]


def state_counts(user: User) -> list[StateCount]:
    """Return how many campaigns of an account are in each state that has any."""
    states = list(campaigns_of_user(user).values_list("state", flat=True))
    counts = [StateCount(state.value, state.label, states.count(state)) for state in CampaignState]
    return [count for count in counts if count.number]


def _roles(user: User, ids: list[int]) -> dict[int, str]:
    """Return what an account is in each campaign; administrators own them all."""
    if user.is_superuser:
        return {}
    found = Membership.objects.filter(user=user, campaign__in=ids)
    return {member.campaign_id: member.get_role_display() for member in found}


def _deletions() -> QuerySet[Job]:
    return Job.objects.filter(kind=DELETE_JOB)


def deletion_has_begun(campaign: Campaign) -> bool:
    """Whether a campaign is being deleted, or was and the deletion failed half-way."""
    return _deletions().filter(campaign=campaign).exists()

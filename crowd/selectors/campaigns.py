"""Queries for campaigns: their list, their links, who works in them, and short names that none has yet."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import count

from django.contrib.auth.models import User
from django.db.models import OuterRef, Q, QuerySet, Subquery, Value
from django.utils.text import slugify

from common.clock import database_now
from common.models import Job
from common.words import Words
from crowd.models import (
    Assignment,
    BrowserRequest,
    Campaign,
    CampaignState,
    Enrolment,
    Item,
    Membership,
    Role,
    Round,
)
from crowd.models.work import streams_of_work
from crowd.selectors.progress import RoundProgress, last_submissions, progress_of_rounds


def campaigns_of_user(user: User) -> QuerySet[Campaign]:
    """Return the campaigns that an account may look at as staff: its own, or all for an administrator."""
    campaigns = Campaign.objects.filter(sandbox_of=None).order_by("name", "pk")
    if user.is_superuser:
        return campaigns
    looks = Membership.objects.filter(user=user).exclude(role=Role.EXPERT)
    return campaigns.filter(pk__in=looks.values("campaign"))


def campaigns_with_role(user: User) -> QuerySet[Campaign]:
    """Return the same campaigns with the account's `role` in each; administrators own them all."""
    if user.is_superuser:
        return campaigns_of_user(user).annotate(role=Value(Role.OWNER.value))
    own = Membership.objects.filter(user=user, campaign=OuterRef("pk"))
    return campaigns_of_user(user).annotate(role=Subquery(own.values("role")[:1]))


def work_is_left(campaign: Campaign, work_round: str, *, is_test: bool = False) -> bool:
    """Whether a slot is open, or held by an overdue lease that the next claim would expire."""
    if not campaign.takes_work(work_round, is_test=is_test):
        return False
    overdue = Assignment.objects.filter(
        state=Assignment.State.LEASED, lease_ends_at__lt=database_now(), round=work_round, item__campaign=campaign
    )
    items = Item.objects.filter(campaign=campaign, round=work_round, is_closed=False)
    items = items.filter(stream__in=streams_of_work(is_test=is_test))
    return items.filter(Q(open_slots__gt=0) | Q(pk__in=overdue.values("item"))).exists()


def open_browser_requests(campaign: Campaign) -> QuerySet[BrowserRequest]:
    """Return the requests to continue in another browser that staff have not decided yet, oldest first."""
    asked = BrowserRequest.objects.filter(enrolment__worker__campaign=campaign, state=BrowserRequest.State.OPEN)
    return asked.select_related("enrolment__worker", "link").order_by("created_at", "pk")


def workers_count(campaign: Campaign, work_round: str) -> int:
    return Enrolment.objects.filter(worker__campaign=campaign, worker__is_test=False, round=work_round).count()


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


MAX_LENGTH = 50
_ROOM_FOR_NUMBER = 8
NAMELESS = "campaign"


def short_name_free(wanted: str, reserved: Collection[str]) -> str:
    """Return a wanted short name, or the first one with -2, -3 and so on that is neither taken nor reserved."""
    taken = _taken_like(wanted) | set(reserved)
    return next(each for number in count(1) if (each := _numbered(wanted, number)) not in taken)


def short_name_of(name: str, reserved: Collection[str]) -> str:
    """Return a free short name made of a campaign's name; `campaign-1` and so on if it has no Latin letter or digit."""
    made = slugify(name)[:MAX_LENGTH].strip("-_")
    if made:
        return short_name_free(made, reserved)
    taken = _taken_like(NAMELESS) | set(reserved)
    return next(each for number in count(1) if (each := f"{NAMELESS}-{number}") not in taken)


def _taken_like(wanted: str) -> set[str]:
    beginning = wanted[: MAX_LENGTH - _ROOM_FOR_NUMBER]
    return set(Campaign.objects.filter(slug__startswith=beginning).values_list("slug", flat=True))


def _numbered(wanted: str, number: int) -> str:
    if number == 1:
        return wanted
    ending = f"-{number}"
    return f"{wanted[: MAX_LENGTH - len(ending)].rstrip('-_')}{ending}"

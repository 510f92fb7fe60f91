"""Reading campaigns, their links and their progress."""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Case, Count, F, Q, QuerySet, Sum, Value, When

from common.clock import database_now
from crowd.models import Assignment, Campaign, Enrolment, Item, JoinLink, Round, Stream, Worker


def campaigns_of_user(user: User) -> QuerySet[Campaign]:
    """The campaigns that an account may see: its own, or all for an administrator."""
    if user.is_superuser:
        return Campaign.objects.order_by("name")
    return Campaign.objects.filter(staff=user).order_by("name")


def campaign_of_user(user: User, slug: str) -> Campaign | None:
    return campaigns_of_user(user).filter(slug=slug).first()


@dataclass(frozen=True)
class RoundProgress:
    """Places of a round: how many are wanted, being worked on, and done."""

    items: int
    wanted: int
    claimed: int
    done: int
    complete_items: int

    @property
    def share_done(self) -> float:
        return self.done / self.wanted if self.wanted else 0.0


def round_progress(campaign: Campaign, work_round: str) -> RoundProgress:
    # What wants nobody is no work: texts that are judged only side by side, or were closed.
    wanting = Item.objects.filter(campaign=campaign, round=work_round, wanted__gt=0, is_closed=False)
    work = wanting.exclude(stream=Stream.GOLD)
    items = work.aggregate(items=Count("pk"), wanted=Sum("wanted", default=0))
    given = Assignment.objects.filter(item__in=work)
    states = given.aggregate(
        # A lease that ran out keeps its row until somebody needs the place.
        claimed=Count("pk", filter=Q(state=Assignment.State.LEASED, lease_ends_at__gte=database_now())),
        done=Count("pk", filter=Q(state=Assignment.State.SUBMITTED)),
    )
    submitted = Count("assignments", filter=Q(assignments__state=Assignment.State.SUBMITTED))
    complete = work.filter(open_slots=0).annotate(submitted=submitted).filter(submitted=F("wanted")).count()
    return RoundProgress(**items, **states, complete_items=complete)


def work_is_left(campaign: Campaign, work_round: str) -> bool:
    """Whether there is an open place, or one that the next claim gets back from a lease that ran out."""
    if not campaign.is_open:
        return False
    lost = Assignment.objects.filter(
        state=Assignment.State.LEASED, lease_ends_at__lt=database_now(), round=work_round, item__campaign=campaign
    )
    of_round = Item.objects.filter(campaign=campaign, round=work_round, is_closed=False).exclude(stream=Stream.GOLD)
    return of_round.filter(Q(open_slots__gt=0) | Q(pk__in=lost.values("item"))).exists()


def _in_order_of_rounds() -> Case:
    return Case(*(When(round=each, then=Value(place)) for place, each in enumerate(Round)))


def links_of_campaign(campaign: Campaign) -> QuerySet[JoinLink]:
    return (
        JoinLink.objects.filter(campaign=campaign)
        .annotate(people=Count("enrolments"))
        .order_by(_in_order_of_rounds(), "platform_key", "pk")
    )


@dataclass(frozen=True)
class WorkerRow:
    """A worker as the dashboard lists them."""

    worker: Worker
    outcome: str
    submitted: int


def workers_count(campaign: Campaign, work_round: str) -> int:
    return Enrolment.objects.filter(worker__campaign=campaign, round=work_round).count()


def busiest_workers(campaign: Campaign, work_round: str, limit: int) -> list[WorkerRow]:
    submitted = Count(
        "worker__assignments",
        filter=Q(worker__assignments__round=work_round) & Q(worker__assignments__state=Assignment.State.SUBMITTED),
    )
    enrolments = (
        Enrolment.objects.filter(worker__campaign=campaign, round=work_round)
        .select_related("worker")
        .annotate(submitted=submitted)
        .order_by("-submitted", "worker_id")[:limit]
    )
    return [
        WorkerRow(enrolment.worker, enrolment.get_outcome_display(), enrolment.submitted) for enrolment in enrolments
    ]

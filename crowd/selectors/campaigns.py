"""Queries for campaigns, their links and their progress."""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from common.clock import database_now
from crowd.models import (
    Assignment,
    BrowserRequest,
    Campaign,
    Enrolment,
    Item,
    Membership,
    Role,
    Stream,
    Worker,
)


def campaigns_of_user(user: User) -> QuerySet[Campaign]:
    """Return the campaigns that an account may look at as staff: its own, or all for an administrator."""
    if user.is_superuser:
        return Campaign.objects.order_by("name")
    looks = Membership.objects.filter(user=user).exclude(role=Role.EXPERT)
    return Campaign.objects.filter(pk__in=looks.values("campaign")).order_by("name")


@dataclass(frozen=True)
class RoundProgress:
    """The slots of a round: how many are wanted, claimed and done."""

    items: int
    wanted: int
    claimed: int
    done: int
    complete_items: int

    @property
    def share_done(self) -> float:
        return self.done / self.wanted if self.wanted else 0.0


def round_progress(campaign: Campaign, work_round: str) -> RoundProgress:
    # Items without slots are not work: texts rated only in pairs, or closed ones.
    with_slots = Item.objects.filter(campaign=campaign, round=work_round, wanted__gt=0, is_closed=False)
    work = with_slots.exclude(stream=Stream.GOLD)
    items = work.aggregate(
        items=Count("pk"),
        slots=Sum("wanted", default=0),
        taken=Sum(F("wanted") - F("open_slots"), default=0),
        full=Count("pk", filter=Q(open_slots=0)),
    )
    # A slot that is taken is leased or done. Leases are few and have an index; done are millions.
    # Chosen by themselves first: SQLite would else look at the assignments of all items.
    leased = Assignment.objects.filter(state=Assignment.State.LEASED, round=work_round)
    of_work = Assignment.objects.filter(pk__in=leased.values("pk"), item__campaign=campaign)
    of_work = of_work.filter(item__wanted__gt=0, item__is_closed=False).exclude(item__stream=Stream.GOLD)
    leases = of_work.aggregate(
        # An overdue lease stays LEASED until somebody needs the slot.
        live=Count("pk", filter=Q(lease_ends_at__gte=database_now())),
        all=Count("pk"),
        last_slots=Count("item", distinct=True, filter=Q(item__open_slots=0)),
    )
    return RoundProgress(
        items=items["items"],
        wanted=items["slots"],
        claimed=leases["live"],
        done=max(0, items["taken"] - leases["all"]),  # somebody may have claimed between the queries
        complete_items=max(0, items["full"] - leases["last_slots"]),
    )


def work_is_left(campaign: Campaign, work_round: str) -> bool:
    """Whether a slot is open, or held by an overdue lease that the next claim would expire, whatever the state."""
    overdue = Assignment.objects.filter(
        state=Assignment.State.LEASED, lease_ends_at__lt=database_now(), round=work_round, item__campaign=campaign
    )
    items = Item.objects.filter(campaign=campaign, round=work_round, is_closed=False).exclude(stream=Stream.GOLD)
    return items.filter(Q(open_slots__gt=0) | Q(pk__in=overdue.values("item"))).exists()


def open_browser_requests(campaign: Campaign) -> QuerySet[BrowserRequest]:
    """Return the requests to continue in another browser that staff have not decided yet, oldest first."""
    asked = BrowserRequest.objects.filter(enrolment__worker__campaign=campaign, state=BrowserRequest.State.OPEN)
    return asked.select_related("enrolment__worker", "link").order_by("created_at", "pk")


@dataclass(frozen=True)
class WorkerRow:
    """A worker's row on the dashboard."""

    worker: Worker
    outcome: str
    submitted: int


def workers_count(campaign: Campaign, work_round: str) -> int:
    return Enrolment.objects.filter(worker__campaign=campaign, round=work_round).count()


def busiest_workers(campaign: Campaign, work_round: str, limit: int) -> list[WorkerRow]:
    # Counted person by person, from an index alone: a join would first gather all assignments of the campaign.
    own = Assignment.objects.filter(
        worker=OuterRef("worker"), round=work_round, state=Assignment.State.SUBMITTED
    ).order_by()
    submitted = Coalesce(Subquery(own.values("worker").annotate(n=Count("*")).values("n")), 0)
    enrolments = (
        Enrolment.objects.filter(worker__campaign=campaign, round=work_round)
        .select_related("worker")
        .annotate(submitted=submitted)
        .order_by("-submitted", "worker_id")[:limit]
    )
    return [
        WorkerRow(enrolment.worker, enrolment.get_outcome_display(), enrolment.submitted) for enrolment in enrolments
    ]

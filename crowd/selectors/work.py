"""Queries for a worker's assignments and progress."""

from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.clock import database_now
from common.errors import NotYours
from common.sql import Statement
from crowd.models import NO_MORE, Assignment, Enrolment, Item, JoinLink
from crowd.models.campaign import NO_LIMIT
from crowd.models.work import streams_of_work


def assignment_of_worker(enrolment: Enrolment, assignment_id: int, related: tuple[str, ...] = ("item",)) -> Assignment:
    """Return an assignment of this worker, fetched with `related`; raise NotYours for anybody else's."""
    assignment = (
        Assignment.objects.select_related(*related)
        .filter(pk=assignment_id, worker_id=enrolment.worker_id, round=enrolment.round)
        .exclude(state=Assignment.State.BLOCKED)
        .first()
    )
    if assignment is None:
        raise NotYours(_("This text does not exist, or it is not yours."))
    return assignment


def enrolment_of_id(link: JoinLink, worker_id: str) -> Enrolment | None:
    """Return the enrolment of the person with this platform id; None if there is none."""
    if not worker_id:
        return None
    return Enrolment.objects.filter(
        round=link.round,
        worker__campaign_id=link.campaign_id,
        worker__platform_key=link.platform_key,
        worker__external_id=worker_id,
    ).first()


def live_lease(enrolment: Enrolment) -> Assignment | None:
    """Return the first task on the worker's current page, if any."""
    return (
        Assignment.objects.filter(worker_id=enrolment.worker_id, round=enrolment.round, state=Assignment.State.LEASED)
        .order_by("page_position")
        .first()
    )


WITHDRAWN = gettext_lazy("We have removed this text from the study. Continue with another.")


def is_withdrawn(assignment: Assignment) -> bool:
    """Whether a worker's lease ended because their text is given to nobody any more."""
    is_over = assignment.state == Assignment.State.EXPIRED
    return is_over and Item.objects.filter(pk=assignment.item_id, is_closed=True).exists()


def work_is_left_for(enrolment: Enrolment) -> bool:
    """Whether a claim by this worker would find an open slot, or one held by an overdue lease."""
    campaign, states = enrolment.campaign, Assignment.State
    if enrolment.outcome in NO_MORE or enrolment.is_excluded or not enrolment.takes_work:
        return False
    if standing(enrolment).is_full:
        return False
    had = Assignment.objects.filter(worker_id=enrolment.worker_id).exclude(state=states.EXPIRED)
    streams = streams_of_work(is_test=enrolment.worker.is_test)
    items = Item.objects.filter(campaign=campaign, round=enrolment.round, stream__in=streams)
    items = items.filter(is_closed=False).exclude(pk__in=had.values("item"))
    if enrolment.arm:
        items = _wanted_by_arm(items, enrolment)
    overdue = Assignment.objects.filter(state=states.LEASED, lease_ends_at__lt=database_now(), round=enrolment.round)
    return items.filter(Q(open_slots__gt=0) | Q(pk__in=overdue.values("item"))).exists()


def _wanted_by_arm(items: QuerySet[Item], enrolment: Enrolment) -> QuerySet[Item]:
    """Narrow items down to those on which the worker's arm has fewer people at work, or done, than it may have."""
    states = Assignment.State
    of_arm = Q(
        Q(assignments__state=states.SUBMITTED)
        | Q(assignments__state=states.LEASED, assignments__lease_ends_at__gte=database_now()),
        assignments__worker__enrolments__round=enrolment.round,
        assignments__worker__enrolments__arm=enrolment.arm,
    )
    most = F("wanted") / len(enrolment.campaign.arms)
    return items.annotate(of_arm=Count("assignments", filter=of_arm, distinct=True)).filter(of_arm__lt=most)


# How many assignments of each kind a worker has.
OWN_WORK = Statement("""
    SELECT round, state, link_id, count(*) FROM crowd_assignment
    WHERE worker_id = %(worker)s GROUP BY round, state, link_id
""")
SUBMITTED_STATE = Assignment.State.SUBMITTED
UNFINISHED = {Assignment.State.LEASED, Assignment.State.EXPIRED}


@dataclass(frozen=True)
class OwnCounts:
    """A worker's submitted assignments in a round, how many of them by the current link, and unfinished ones in any.

    `skipped` are those of the round by the current link.
    """

    submitted: int
    by_link: int
    unfinished: int
    skipped: int = 0


def own_counts(enrolment: Enrolment) -> OwnCounts:
    rows = OWN_WORK.rows(worker=enrolment.worker_id)
    skipped = [enrolment.round, Assignment.State.SKIPPED, enrolment.link_id]
    done = [(link, count) for each, state, link, count in rows if (each, state) == (enrolment.round, SUBMITTED_STATE)]
    return OwnCounts(
        submitted=sum(count for _, count in done),
        by_link=sum(count for link, count in done if link == enrolment.link_id),
        unfinished=sum(count for _, state, _, count in rows if state in UNFINISHED),
        skipped=sum(count for *kind, count in rows if kind == skipped),
    )


MOST_STEPS = 12  # more would not fit the header of a phone


@dataclass(frozen=True)
class Standing:
    """A worker's progress, task `number` of `total`, and the seconds left on the lease of the current task."""

    submitted: int
    total: int
    lease_seconds: int | None = None

    @property
    def number(self) -> int:
        return min(self.submitted + 1, self.total)

    @property
    def is_full(self) -> bool:
        return self.submitted >= self.total

    @property
    def has_saved(self) -> bool:
        return self.submitted > 0

    @property
    def latest(self) -> int:
        """Return the number of the text submitted last, if there is one."""
        return self.submitted

    @property
    def has_steps(self) -> bool:
        return self.total <= MOST_STEPS

    @property
    def steps_done(self) -> str:
        """Return two digits for each step that is done; the style sheet draws the steps over them."""
        return "00" * (self.number - 1)

    @property
    def steps_left(self) -> str:
        return "00" * (self.total - self.number)


# The number of tasks that a worker has submitted by the current link, for statements that fetch a task with it.
SUBMITTED = """(
    SELECT count(*) FROM crowd_assignment n
    WHERE n.worker_id = %(worker)s AND n.round = %(round)s AND n.state = 'submitted' AND n.link_id = %(link)s
)"""
HOW_MANY = Statement(f"SELECT {SUBMITTED}")


def standing(enrolment: Enrolment, assignment: Assignment | None = None, submitted: int | None = None) -> Standing:
    """Return a worker's progress; `submitted` need not be counted again if it came with the task."""
    if submitted is None:
        ((submitted,),) = HOW_MANY.rows(worker=enrolment.worker_id, round=enrolment.round, link=enrolment.link_id)
    total = enrolment.campaign.tasks_per_worker(enrolment.round)
    if total == NO_LIMIT:
        total = _available_total(enrolment)
    return Standing(submitted, total, lease_seconds(assignment) if assignment else None)


def _available_total(enrolment: Enrolment) -> int:
    """Count the items that a worker without a limit has had in the round or could still get."""
    own = Assignment.objects.filter(worker_id=enrolment.worker_id, round=enrolment.round)
    barred = own.filter(state__in=[Assignment.State.BLOCKED, Assignment.State.SKIPPED]).values("item")
    had = own.exclude(state__in=[Assignment.State.BLOCKED, Assignment.State.SKIPPED])
    had = had.exclude(state=Assignment.State.EXPIRED, item__is_closed=True)
    items = Item.objects.filter(campaign=enrolment.campaign, round=enrolment.round).exclude(pk__in=barred)
    return items.filter(Q(open_slots__gt=0, is_closed=False) | Q(pk__in=had.values("item"))).count()


def lease_seconds(assignment: Assignment) -> int | None:
    """Return the seconds until the lease ends, 0 if it has, None without a lease.

    Seconds rather than a time, because the browser's clock cannot be trusted.
    """
    if assignment.lease_ends_at is None or assignment.state != Assignment.State.LEASED:
        return None
    return max(0, round((assignment.lease_ends_at - database_now()).total_seconds()))

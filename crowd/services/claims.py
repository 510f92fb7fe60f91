"""Handing out work: claim, renew, complete, skip, and the reaping of leases that ran out.

How a claim goes:

1. The worker's own live leases, if there are any, are given back to them: a reload never takes more items. What is
   left of a page of several tasks is done before a new page is filled.
2. A lease that the worker let run out is theirs again while the place is free: their draft waits there.
3. Else the first item, in the drawn order, with an open place and without any row of this worker. On PostgreSQL
   items locked by others are passed over (SKIP LOCKED), so claims do not queue up; only when nothing else is left
   are they waited for. On SQLite the transaction holds the database's one write lock from its start. A round may
   have an order of its own (`crowd/round_registry.py`): then its items are tried one by one.
4. The place is taken, the assignment written, and the items that this one bars are closed to the worker.
5. Only if there is no such item are leases of others that ran out reaped, and the search begins again: late work is
   welcome until somebody needs the place.
6. A page of several tasks is filled by doing so for each of its places.

What can be read before a transaction is read there, and what was read is checked again by the condition of each
update and by the constraints: locks are held for the writes alone.

Locks are taken in one order everywhere, the worker's assignments before an item, and who holds an item waits for no
other: reaping passes over what is locked, and a place that could not be had leaves no lock behind. So no two
transactions wait for each other. The locks are those of FOR NO KEY UPDATE: rows that only point to a locked one can
still be written.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import IntegrityError, transaction
from django.db.models import Count, F, QuerySet

from common.clock import database_now
from common.errors import AlreadySubmitted, NotYours, SlotTaken
from crowd.models import Assignment, Enrolment, Item, ItemConflict
from crowd.round_registry import round_pages
from crowd.services.item_slots import NoOpenSlot, items_block, slot_claim, slot_claim_among, slot_claim_first

State = Assignment.State
DONE_WITH = {State.SUBMITTED, State.SKIPPED, State.DISCARDED}
MAX_EXPIRED_AT_ONCE = 200
Items = TypeVar("Items")


def assignment_claim(*, enrolment: Enrolment) -> Assignment | None:
    """Lease a worker the tasks of their next page, and return the first; None when there is none left for them."""
    if enrolment.is_excluded or enrolment.outcome == Enrolment.Outcome.FAILED:
        return None
    now = database_now()
    try:
        return _claim(enrolment, now)
    except IntegrityError:  # the same person claimed twice at once: the first made the lease, given back now
        return _claim(enrolment, now)


def _claim(enrolment: Enrolment, now: datetime) -> Assignment | None:
    """Look first, outside of any transaction; each way to a lease then takes it by conditions of its own."""
    tally = _tally(enrolment.worker_id)
    own = _own_open_rows(enrolment) if tally.unfinished else []
    if live := _prolonged_leases(own, enrolment, now):
        return live[0]
    campaign = enrolment.campaign
    room = campaign.tasks_per_worker(enrolment.round) - tally.submitted[enrolment.round]
    if not campaign.is_open or room <= 0:
        return None
    page: list[Assignment] = []
    for page_position in range(min(room, campaign.tasks_per_page(enrolment.round))):
        leased = _one_lease(own, enrolment, now, tally, page_position)
        if leased is None:
            break
        page.append(leased)
    # If there is none, perhaps another tab of the same person has had it since a moment ago.
    return page[0] if page else next((row for row in _own_open_rows(enrolment) if row.state == State.LEASED), None)


def _prolonged_leases(own: list[Assignment], enrolment: Enrolment, now: datetime) -> list[Assignment]:
    leased = [row for row in own if row.state == State.LEASED]
    return [row for row in sorted(leased, key=lambda row: row.page_position) if _prolonged(row, enrolment, now)]


def _one_lease(
    own: list[Assignment], enrolment: Enrolment, now: datetime, tally: "_Tally", page_position: int
) -> Assignment | None:
    """A lease for a place of the page; what it takes of `own` is gone from there."""
    while own:
        assignment = own.pop(0)
        if _taken_back(assignment, enrolment, now, page_position):
            return assignment
    leased = _new_lease(enrolment, now, tally, page_position)
    if leased is None and leases_expire(campaign_id=enrolment.campaign.pk, now=now, but_of=enrolment.worker_id):
        leased = _new_lease(enrolment, now, tally, page_position)
    return leased


@dataclass(frozen=True)
class _Tally:
    """What a worker has had: how many submitted in each round, and whether anything is unfinished in any."""

    submitted: Counter[str]
    unfinished: bool


def _tally(worker_id: int) -> _Tally:
    rows = Assignment.objects.filter(worker_id=worker_id).values_list("round", "state").annotate(Count("pk"))
    submitted, unfinished = Counter[str](), False
    for work_round, state, count in rows:
        if state == State.SUBMITTED:
            submitted[work_round] = count
        unfinished |= state in {State.LEASED, State.EXPIRED}
    return _Tally(submitted, unfinished)


def _new_lease(enrolment: Enrolment, now: datetime, tally: _Tally, page_position: int) -> Assignment | None:
    candidates = _candidates(enrolment, tally)
    rank_candidates = round_pages(enrolment.round).rank_candidates
    if rank_candidates is None:
        return _leased(enrolment, now, page_position, slot_claim_first, candidates)
    number = tally.submitted[enrolment.round] + page_position + 1
    return _leased(
        enrolment, now, page_position, slot_claim_among, list(rank_candidates(enrolment, candidates, number))
    )


@transaction.atomic
def _leased(
    enrolment: Enrolment, now: datetime, page_position: int, take: Callable[[Items], int | None], items: Items
) -> Assignment | None:
    item_id = take(items)
    if item_id is None:
        return None
    assignment = Assignment.objects.create(
        item_id=item_id,
        worker=enrolment.worker,
        round=enrolment.round,
        state=State.LEASED,
        page_position=page_position,
        leased_at=now,
        lease_ends_at=_lease_end(enrolment, now),
    )
    conflicts = ItemConflict.objects.filter(item_id=item_id).values_list("blocks_id", "blocks__round")
    items_block(items=conflicts, worker_id=enrolment.worker_id)
    return assignment


def assignment_renew(*, assignment_id: int, enrolment: Enrolment) -> Assignment:
    """Prolong a lease while its page lives. An old page does not take a second lease beside a newer one."""
    try:
        return _renew(assignment_id, enrolment)
    except IntegrityError:  # the same person claimed another task at this moment
        return _renew(assignment_id, enrolment)


@transaction.atomic
def _renew(assignment_id: int, enrolment: Enrolment) -> Assignment:
    """With a task the others of its page are prolonged."""
    assignment = _own_assignment(assignment_id, enrolment)
    leased = [row for row in _own_open_rows(enrolment) if row.state == State.LEASED]
    newer = any(row.page_position == assignment.page_position and row.pk != assignment_id for row in leased)
    if assignment.state in DONE_WITH or newer:
        return assignment
    now = database_now()
    for row in leased:
        if row.pk != assignment_id:
            _prolonged(row, enrolment, now)
    if not _prolonged(assignment, enrolment, now) and (
        _is_excluded(enrolment) or not _taken_back(assignment, enrolment, now, assignment.page_position)
    ):
        raise SlotTaken("The time for this text ran out and somebody else has taken it.")
    return assignment


def assignment_complete(*, assignment_id: int, enrolment: Enrolment) -> bool:
    """Mark an assignment as submitted, inside the transaction that stores the work.

    Returns False if it was submitted before: the caller then answers as it did the first time. Late work is
    taken while the place is free.
    """
    now = database_now()
    live = _of_worker(enrolment).filter(pk=assignment_id, state=State.LEASED)
    if live.update(state=State.SUBMITTED, submitted_at=now):
        return True
    assignment = _own_assignment(assignment_id, enrolment)
    if assignment.state in {State.SUBMITTED, State.DISCARDED}:
        return False
    if assignment.state == State.SKIPPED:
        raise SlotTaken("You skipped this text, so somebody else will work on it.")
    if _is_excluded(enrolment):
        raise SlotTaken("Your part in this study has ended, so this text went to somebody else.")
    # In a moment between, another tab may have made the lease live again.
    if assignment.state != State.LEASED and not slot_claim(assignment.item_id):
        raise SlotTaken("The time for this text ran out and somebody else has taken it.")
    Assignment.objects.filter(pk=assignment_id).update(state=State.SUBMITTED, submitted_at=now)
    return True


@transaction.atomic
def assignment_skip(*, assignment_id: int, enrolment: Enrolment) -> None:
    """Give a task back for good: others may have its place, this worker will not meet it again."""
    assignment = _own_assignment(assignment_id, enrolment)
    if assignment.state in {State.SUBMITTED, State.DISCARDED}:
        raise AlreadySubmitted("This text has been submitted and cannot be skipped any more.")
    Assignment.objects.filter(pk=assignment_id).update(state=State.SKIPPED)
    if assignment.state == State.LEASED:
        Item.objects.filter(pk=assignment.item_id).update(open_slots=F("open_slots") + 1)


@transaction.atomic
def lease_give_back(*, enrolment: Enrolment) -> None:
    """End the worker's own lease before its time; the task is theirs again if they come back while it is free."""
    for assignment in _own_open_rows(enrolment):
        if Assignment.objects.filter(pk=assignment.pk, state=State.LEASED).update(state=State.EXPIRED):
            Item.objects.filter(pk=assignment.item_id).update(open_slots=F("open_slots") + 1)


def leases_expire(*, campaign_id: int, now: datetime, but_of: int | None = None) -> int:
    """Give the places of leases that ran out back to their items, but not those of one worker; returns how many."""
    lost = Assignment.objects.filter(state=State.LEASED, lease_ends_at__lt=now, worker__campaign_id=campaign_id)
    lost = lost.exclude(worker_id=but_of) if but_of else lost
    if not lost.exists():
        return 0
    with transaction.atomic():
        locked = lost.select_related("item").select_for_update(skip_locked=True, no_key=True, of=("self", "item"))
        rows = list(locked[:MAX_EXPIRED_AT_ONCE])
        Assignment.objects.filter(pk__in=[row.pk for row in rows]).update(state=State.EXPIRED)
        for item_id, places in Counter(row.item_id for row in rows).items():
            Item.objects.filter(pk=item_id).update(open_slots=F("open_slots") + places)
    return len(rows)


def _of_worker(enrolment: Enrolment) -> QuerySet[Assignment]:
    return Assignment.objects.filter(worker_id=enrolment.worker_id, round=enrolment.round)


def _own_open_rows(enrolment: Enrolment) -> list[Assignment]:
    return list(_of_worker(enrolment).filter(state__in=[State.LEASED, State.EXPIRED]).order_by("pk"))


def _is_excluded(enrolment: Enrolment) -> bool:
    """Whether staff keep this person out by now."""
    return Enrolment.objects.filter(pk=enrolment.pk, is_excluded=True).exists()


def _own_assignment(assignment_id: int, enrolment: Enrolment) -> Assignment:
    rows = _of_worker(enrolment).select_for_update(no_key=True).exclude(state=State.BLOCKED)
    assignment = rows.filter(pk=assignment_id).first()
    if assignment is None:
        raise NotYours("This task does not exist, or it is not yours.")
    return assignment


def _candidates(enrolment: Enrolment, tally: _Tally) -> QuerySet[Item, int]:
    """Ids of the items with an open place that a worker may have, in the drawn order.

    The subqueries do not depend on the item, so a database answers each of them once, whatever it knows about the
    sizes of the tables.
    """
    own = Assignment.objects.filter(worker_id=enrolment.worker_id)
    items = Item.objects.filter(
        campaign_id=enrolment.worker.campaign_id, round=enrolment.round, open_slots__gt=0, is_closed=False
    )
    items = items.exclude(pk__in=own.values("item"))
    if tally.unfinished:
        # Who may still write a text is not given what would close it to them: how others wrote it.
        unfinished = own.filter(state__in=[State.LEASED, State.EXPIRED])
        items = items.exclude(pk__in=ItemConflict.objects.filter(blocks__in=unfinished.values("item")).values("item"))
    return items.order_by("position", "pk").values_list("pk", flat=True)


def _lease_end(enrolment: Enrolment, now: datetime) -> datetime:
    return now + timedelta(minutes=enrolment.campaign.lease_minutes)


def _prolonged(assignment: Assignment, enrolment: Enrolment, now: datetime) -> bool:
    """Let a live lease run on; false if it has ended meanwhile."""
    ends_at = _lease_end(enrolment, now)
    if not Assignment.objects.filter(pk=assignment.pk, state=State.LEASED).update(lease_ends_at=ends_at):
        return False
    assignment.state, assignment.lease_ends_at = State.LEASED, ends_at
    return True


def _taken_back(assignment: Assignment, enrolment: Enrolment, now: datetime, page_position: int) -> bool:
    """Make a lease that ran out live again; false if others have its place."""
    ends_at = _lease_end(enrolment, now)
    try:
        with transaction.atomic():
            ended = Assignment.objects.filter(pk=assignment.pk, state=State.EXPIRED)
            live = {"state": State.LEASED, "lease_ends_at": ends_at, "page_position": page_position}
            if not ended.update(**live) or not slot_claim(assignment.item_id):
                raise NoOpenSlot
    except NoOpenSlot:
        return False
    assignment.state, assignment.lease_ends_at, assignment.page_position = State.LEASED, ends_at, page_position
    return True

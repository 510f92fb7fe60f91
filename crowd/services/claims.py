"""Handing out work: claim, renew, complete, skip, and the reaping of leases that ran out.

How a claim goes:

1. The worker's own live lease, if there is one, is given back to them: a reload never takes a second item.
2. A lease that the worker let run out is theirs again while the place is free: their draft waits there.
3. Else the first item, in the drawn order, with an open place and without any row of this worker. On PostgreSQL
   items locked by others are passed over (SKIP LOCKED), so claims do not queue up; only when nothing else is left
   are they waited for. On SQLite the transaction holds the database's one write lock from its start.
4. The place is taken, the assignment written, and the items that this one bars are closed to the worker.
5. Only if there is no such item are leases of others that ran out reaped, and the search begins again: late work is
   welcome until somebody needs the place.

What can be read before a transaction is read there, and what was read is checked again by the condition of each
update and by the constraints: locks are held for the writes alone.

Locks are taken in one order everywhere, the worker's assignments before an item, and who holds an item waits for no
other: reaping passes over what is locked, and a place that could not be had leaves no lock behind. So no two
transactions wait for each other. The locks are those of FOR NO KEY UPDATE: rows that only point to a locked one can
still be written.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Count, F, QuerySet

from crowd.clock import database_now
from crowd.errors import AlreadySubmitted, NotYours, PlaceTaken
from crowd.models import Assignment, Enrolment, Item, ItemConflict

State = Assignment.State
REAP_AT_MOST = 200


def assignment_claim(*, enrolment: Enrolment) -> Assignment | None:
    """Lease an item to a worker; None when there is none left for them."""
    if enrolment.outcome == Enrolment.Outcome.FAILED:
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
    for assignment in own:
        if assignment.state == State.LEASED and _prolonged(assignment, enrolment, now):
            return assignment
    campaign = enrolment.campaign
    if not campaign.is_open or tally.submitted[enrolment.round] >= campaign.tasks_per_worker(enrolment.round):
        return None
    for assignment in own:
        if _taken_back(assignment, enrolment, now):
            return assignment
    leased = _new_lease(enrolment, now, tally)
    if leased is None and leases_reap(campaign_id=campaign.pk, now=now, but_of=enrolment.worker_id):
        leased = _new_lease(enrolment, now, tally)
    # If there is none, perhaps another tab of the same person has had it since a moment ago.
    return leased or next((row for row in _own_open_rows(enrolment) if row.state == State.LEASED), None)


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


@transaction.atomic
def _new_lease(enrolment: Enrolment, now: datetime, tally: _Tally) -> Assignment | None:
    item_id = _new_place(_candidates(enrolment, tally))
    if item_id is None:
        return None
    assignment = Assignment.objects.create(
        item_id=item_id,
        worker=enrolment.worker,
        round=enrolment.round,
        state=State.LEASED,
        leased_at=now,
        lease_ends_at=_lease_end(enrolment, now),
    )
    conflicts = ItemConflict.objects.filter(item_id=item_id).values_list("bars_id", "bars__round")
    items_bar(items=conflicts, worker_id=enrolment.worker_id)
    return assignment


def assignment_renew(*, assignment_id: int, enrolment: Enrolment) -> Assignment:
    """Prolong a lease while its page lives. An old page does not take a second lease beside a newer one."""
    try:
        return _renew(assignment_id, enrolment)
    except IntegrityError:  # the same person claimed another task at this moment
        return _renew(assignment_id, enrolment)


@transaction.atomic
def _renew(assignment_id: int, enrolment: Enrolment) -> Assignment:
    assignment = _own_assignment(assignment_id, enrolment)
    newer = [row for row in _own_open_rows(enrolment) if row.state == State.LEASED and row.pk != assignment_id]
    if assignment.state in {State.SUBMITTED, State.SKIPPED} or newer:
        return assignment
    now = database_now()
    if not (_prolonged(assignment, enrolment, now) or _taken_back(assignment, enrolment, now)):
        raise PlaceTaken("The time for this text ran out and somebody else has taken it.")
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
    if assignment.state == State.SUBMITTED:
        return False
    if assignment.state == State.SKIPPED:
        raise PlaceTaken("You skipped this text, so somebody else will work on it.")
    # In a moment between, another tab may have made the lease live again.
    if assignment.state != State.LEASED and not _place_taken(assignment.item_id):
        raise PlaceTaken("The time for this text ran out and somebody else has taken it.")
    Assignment.objects.filter(pk=assignment_id).update(state=State.SUBMITTED, submitted_at=now)
    return True


@transaction.atomic
def assignment_skip(*, assignment_id: int, enrolment: Enrolment) -> None:
    """Give a task back for good: others may have its place, this worker will not meet it again."""
    assignment = _own_assignment(assignment_id, enrolment)
    if assignment.state == State.SUBMITTED:
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


def leases_reap(*, campaign_id: int, now: datetime, but_of: int | None = None) -> int:
    """Give the places of leases that ran out back to their items, but not those of one worker; returns how many."""
    lost = Assignment.objects.filter(state=State.LEASED, lease_ends_at__lt=now, worker__campaign_id=campaign_id)
    lost = lost.exclude(worker_id=but_of) if but_of else lost
    if not lost.exists():
        return 0
    with transaction.atomic():
        locked = lost.select_related("item").select_for_update(skip_locked=True, no_key=True, of=("self", "item"))
        rows = list(locked[:REAP_AT_MOST])
        Assignment.objects.filter(pk__in=[row.pk for row in rows]).update(state=State.EXPIRED)
        for item_id, places in Counter(row.item_id for row in rows).items():
            Item.objects.filter(pk=item_id).update(open_slots=F("open_slots") + places)
    return len(rows)


def items_bar(*, items: Iterable[tuple[int, str]], worker_id: int) -> None:
    """Close items (id, round) to a worker for good, by the row that keeps anybody from having an item twice."""
    Assignment.objects.bulk_create(
        [Assignment(item_id=pk, worker_id=worker_id, round=work_round, state=State.BARRED) for pk, work_round in items],
        ignore_conflicts=True,
    )


def items_bar_to_those_of(*, pairs: Iterable[tuple[int, int]], work_round: str) -> None:
    """Of each pair (new item, older item): close the new one to all who have or had the older one.

    The caller holds the transaction. The older items are locked first, so a claim of one of them is either seen
    here or sees the conflict itself.
    """
    newer_of: dict[int, list[int]] = {}
    for newer, older in pairs:
        newer_of.setdefault(older, []).append(newer)
    list(Item.objects.filter(pk__in=newer_of).order_by("pk").select_for_update(no_key=True))
    had = Assignment.objects.filter(item__in=newer_of).values_list("item_id", "worker_id")
    rows = [
        Assignment(item_id=newer, worker_id=worker_id, round=work_round, state=State.BARRED)
        for older, worker_id in had
        for newer in newer_of[older]
    ]
    Assignment.objects.bulk_create(rows, batch_size=1000, ignore_conflicts=True)


def _of_worker(enrolment: Enrolment) -> QuerySet[Assignment]:
    return Assignment.objects.filter(worker_id=enrolment.worker_id, round=enrolment.round)


def _own_open_rows(enrolment: Enrolment) -> list[Assignment]:
    return list(_of_worker(enrolment).filter(state__in=[State.LEASED, State.EXPIRED]).order_by("pk"))


def _own_assignment(assignment_id: int, enrolment: Enrolment) -> Assignment:
    rows = _of_worker(enrolment).select_for_update(no_key=True).exclude(state=State.BARRED)
    assignment = rows.filter(pk=assignment_id).first()
    if assignment is None:
        raise NotYours("This task does not exist, or it is not yours.")
    return assignment


def _new_place(candidates: QuerySet[Item, int]) -> int | None:
    """Take a place of the first candidate that has one; the item's id, or None if there is no such place."""
    item_id = candidates.select_for_update(of=("self",), skip_locked=True, no_key=True).first()
    if item_id is not None:
        Item.objects.filter(pk=item_id).update(open_slots=F("open_slots") - 1)
        return item_id
    # What is left is in the hands of others at this moment: wait for it, until it is had or gone.
    while (item_id := candidates.first()) is not None and not _place_taken(item_id):
        pass
    return item_id


def _candidates(enrolment: Enrolment, tally: _Tally) -> QuerySet[Item, int]:
    """Ids of the items with an open place that a worker may have, in the drawn order.

    The subqueries do not depend on the item, so a database answers each of them once, whatever it knows about the
    sizes of the tables.
    """
    own = Assignment.objects.filter(worker_id=enrolment.worker_id)
    items = Item.objects.filter(campaign_id=enrolment.worker.campaign_id, round=enrolment.round, open_slots__gt=0)
    items = items.exclude(pk__in=own.values("item"))
    if tally.unfinished:
        # Who may still write a text is not given what would close it to them: how others wrote it.
        unfinished = own.filter(state__in=[State.LEASED, State.EXPIRED])
        items = items.exclude(pk__in=ItemConflict.objects.filter(bars__in=unfinished.values("item")).values("item"))
    return items.order_by("position").values_list("pk", flat=True)


class _NoPlace(Exception):
    """All places of an item are taken."""


def _place_taken(item_id: int) -> bool:
    """Take a place of an item if one is free; if none is, the item is not left locked."""
    try:
        with transaction.atomic():
            free = Item.objects.filter(pk=item_id, open_slots__gt=0)
            if not free.update(open_slots=F("open_slots") - 1):
                raise _NoPlace
    except _NoPlace:
        return False
    return True


def _lease_end(enrolment: Enrolment, now: datetime) -> datetime:
    return now + timedelta(minutes=enrolment.campaign.lease_minutes)


def _prolonged(assignment: Assignment, enrolment: Enrolment, now: datetime) -> bool:
    """Let a live lease run on; false if it has ended meanwhile."""
    ends_at = _lease_end(enrolment, now)
    if not Assignment.objects.filter(pk=assignment.pk, state=State.LEASED).update(lease_ends_at=ends_at):
        return False
    assignment.state, assignment.lease_ends_at = State.LEASED, ends_at
    return True


def _taken_back(assignment: Assignment, enrolment: Enrolment, now: datetime) -> bool:
    """Make a lease that ran out live again; false if others have its place."""
    ends_at = _lease_end(enrolment, now)
    try:
        with transaction.atomic():
            ended = Assignment.objects.filter(pk=assignment.pk, state=State.EXPIRED)
            if not ended.update(state=State.LEASED, lease_ends_at=ends_at) or not _place_taken(assignment.item_id):
                raise _NoPlace
    except _NoPlace:
        return False
    assignment.state, assignment.lease_ends_at = State.LEASED, ends_at
    return True

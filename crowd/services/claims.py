"""Handing out work: claim, renew, complete, and the reaping of leases that ran out.

How a claim goes, in one transaction:

1. The worker's own live lease, if there is one, is given back to them: a reload never takes a second item.
2. Leases of the campaign that ran out are reaped: each gives its place back to its item.
3. A lease that the worker let run out is theirs again while the place is free: their draft waits there.
4. Else the first item, in the drawn order, with an open place and without any row of this worker. On PostgreSQL
   items locked by others are passed over (SKIP LOCKED), so claims do not queue up; on SQLite the transaction holds
   the database's one write lock from its start.
5. The place is taken, the assignment written, and the items that this one bars are closed to the worker.

Locks are taken in one order everywhere, assignments before items and items by rising id, so that no two
transactions wait for each other.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef

from crowd.clock import database_now
from crowd.errors import NotYours, PlaceTaken
from crowd.models import Assignment, Enrolment, Item, ItemConflict, Worker

State = Assignment.State
REAP_AT_MOST = 200


@transaction.atomic
def assignment_claim(*, enrolment: Enrolment) -> Assignment | None:
    """Lease an item to a worker; None when there is none left for them."""
    if enrolment.outcome == Enrolment.Outcome.FAILED:
        return None
    now = database_now()
    own = _own_open_rows(enrolment)
    for assignment in own:
        if assignment.state == State.LEASED:
            return _renewed(assignment, enrolment, now)
    if not _wants_more(enrolment):
        return None
    leases_reap(campaign_id=enrolment.worker.campaign_id, now=now)
    for assignment in own:
        if _place_taken(assignment.item_id):
            return _renewed(assignment, enrolment, now)
    item = _candidate(enrolment)
    if item is None:
        return None
    Item.objects.filter(pk=item.pk).update(open_slots=F("open_slots") - 1)
    assignment = Assignment.objects.create(
        item=item,
        worker=enrolment.worker,
        round=enrolment.round,
        state=State.LEASED,
        leased_at=now,
        lease_ends_at=_lease_end(enrolment, now),
    )
    conflicts = ItemConflict.objects.filter(item=item).values_list("bars_id", "bars__round")
    items_bar(items=conflicts, worker_id=enrolment.worker_id)
    return assignment


@transaction.atomic
def assignment_renew(*, assignment_id: int, enrolment: Enrolment) -> Assignment:
    """Prolong a lease while its page lives."""
    assignment = _own_assignment(assignment_id, enrolment)
    if assignment.state == State.EXPIRED and not _place_taken(assignment.item_id):
        raise PlaceTaken("The time for this text ran out and somebody else has taken it.")
    if assignment.state in {State.LEASED, State.EXPIRED}:
        _renewed(assignment, enrolment, database_now())
    return assignment


def assignment_complete(*, assignment_id: int, enrolment: Enrolment) -> datetime | None:
    """Mark an assignment as submitted, inside the transaction that stores the work; returns the time.

    Returns None if it was submitted before: the caller then answers as it did the first time. Late work is
    taken while the place is free.
    """
    assignment = _own_assignment(assignment_id, enrolment)
    if assignment.state == State.SUBMITTED:
        return None
    if assignment.state == State.EXPIRED and not _place_taken(assignment.item_id):
        raise PlaceTaken(
            "The time for this text ran out and somebody else has taken it. Your text is still below: "
            "copy it if you want to keep it, and go on with the next one."
        )
    now = database_now()
    assignment.state, assignment.submitted_at = State.SUBMITTED, now
    assignment.save(update_fields=["state", "submitted_at"])
    return now


def leases_reap(*, campaign_id: int, now: datetime) -> int:
    """Give the places of leases that ran out back to their items; returns how many."""
    lost = list(
        Assignment.objects.select_for_update(skip_locked=True, of=("self",))
        .filter(state=State.LEASED, lease_ends_at__lt=now, worker__campaign_id=campaign_id)
        .values_list("pk", "item_id")[:REAP_AT_MOST]
    )
    if not lost:
        return 0
    Assignment.objects.filter(pk__in=[pk for pk, _ in lost]).update(state=State.EXPIRED)
    for item_id, places in sorted(Counter(item_id for _, item_id in lost).items()):
        Item.objects.filter(pk=item_id).update(open_slots=F("open_slots") + places)
    return len(lost)


def items_bar(*, items: Iterable[tuple[int, str]], worker_id: int) -> None:
    """Close items (id, round) to a worker for good, by the row that keeps anybody from having an item twice."""
    Assignment.objects.bulk_create(
        [Assignment(item_id=pk, worker_id=worker_id, round=work_round, state=State.BARRED) for pk, work_round in items],
        ignore_conflicts=True,
    )


def _own_open_rows(enrolment: Enrolment) -> list[Assignment]:
    Worker.objects.select_for_update().get(pk=enrolment.worker_id)  # one claim at a time per person
    rows = Assignment.objects.select_for_update().filter(
        worker_id=enrolment.worker_id, round=enrolment.round, state__in=[State.LEASED, State.EXPIRED]
    )
    return list(rows.order_by("pk"))


def _own_assignment(assignment_id: int, enrolment: Enrolment) -> Assignment:
    assignment = (
        Assignment.objects.select_for_update()
        .filter(pk=assignment_id, worker_id=enrolment.worker_id, round=enrolment.round)
        .exclude(state=State.BARRED)
        .first()
    )
    if assignment is None:
        raise NotYours("This task does not exist, or it is not yours.")
    return assignment


def _wants_more(enrolment: Enrolment) -> bool:
    finished = Assignment.objects.filter(
        worker_id=enrolment.worker_id, round=enrolment.round, state=State.SUBMITTED
    ).count()
    campaign = enrolment.campaign
    return campaign.is_open and finished < campaign.tasks_per_worker(enrolment.round)


def _candidate(enrolment: Enrolment) -> Item | None:
    had_by_worker = Assignment.objects.filter(item=OuterRef("pk"), worker_id=enrolment.worker_id)
    return (
        Item.objects.select_for_update(of=("self",), skip_locked=True)
        .filter(
            ~Exists(had_by_worker),
            campaign_id=enrolment.worker.campaign_id,
            round=enrolment.round,
            open_slots__gt=0,
        )
        .order_by("position", "pk")
        .first()
    )


def _place_taken(item_id: int) -> bool:
    """Take a place of an item if one is free."""
    return Item.objects.filter(pk=item_id, open_slots__gt=0).update(open_slots=F("open_slots") - 1) == 1


def _lease_end(enrolment: Enrolment, now: datetime) -> datetime:
    return now + timedelta(minutes=enrolment.campaign.lease_minutes)


def _renewed(assignment: Assignment, enrolment: Enrolment, now: datetime) -> Assignment:
    assignment.state = State.LEASED
    assignment.lease_ends_at = _lease_end(enrolment, now)
    assignment.save(update_fields=["state", "lease_ends_at"])
    return assignment

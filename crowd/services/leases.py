"""Claim slots of items, and block items for workers."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F

from crowd.models import Assignment, Campaign, Enrolment, Item, Stream
from crowd.services.claim_statements import FIRST_AVAILABLE, TAKE, TAKE_FIRST

SHORTEST_LIMIT = timedelta(hours=4)
LEASES_AT_MOST = 2  # of campaigns whose leases are longer than that


def longest_hold(campaign: Campaign) -> timedelta:
    """Return how long one person can keep others from a text by renewing its lease."""
    return max(SHORTEST_LIMIT, LEASES_AT_MOST * timedelta(minutes=campaign.lease_minutes))


def lease_end(campaign: Campaign, *, now: datetime, leased_at: datetime | None = None) -> datetime:
    """Return the end of a lease that is taken or renewed now, and was first taken at `leased_at`."""
    begun = leased_at or now
    return min(now + timedelta(minutes=campaign.lease_minutes), begun + longest_hold(campaign))


State = Assignment.State


class NoOpenSlot(Exception):
    """An item has no open slot."""


def slot_claim(item_id: int) -> bool:
    """Claim a slot of an item and return whether one was open; if not, the item's row is left unlocked."""
    try:
        with transaction.atomic():
            available = Item.objects.filter(pk=item_id, open_slots__gt=0, is_closed=False)
            if not available.update(open_slots=F("open_slots") - 1):
                raise NoOpenSlot
    except NoOpenSlot:
        return False
    return True


def available_to(enrolment: Enrolment, stream: str = Stream.WORK) -> dict[str, Any]:
    """Return the parameters of the statements about the items that a worker may have."""
    return {
        "campaign": enrolment.worker.campaign_id,
        "round": enrolment.round,
        "stream": stream,
        "worker": enrolment.worker_id,
    }


def slot_take_first(enrolment: Enrolment) -> int | None:
    """Claim a slot of the first item that a worker may have, without waiting for items that others have locked."""
    row = TAKE_FIRST.row(**available_to(enrolment))
    return row[0] if row else None


def slot_take_among(item_ids: Iterable[int]) -> int | None:
    """Claim a slot of the first of these items that has one, without waiting for items that others have locked."""
    return next((item_id for item_id in item_ids if TAKE.run(item=item_id)), None)


def slot_claim_first(enrolment: Enrolment) -> int | None:
    """Claim a slot of the first item that a worker may have; return the item's id, or None if no slot is open."""
    item_id = slot_take_first(enrolment)
    if item_id is not None:
        return item_id
    # The remaining candidates are locked by others: wait for each until its slot is claimed here or gone.
    while (row := FIRST_AVAILABLE.row(**available_to(enrolment))) is not None:
        if slot_claim(row[0]):
            return int(row[0])
    return None


def slot_claim_among(item_ids: Sequence[int]) -> int | None:
    """Claim a slot of the first of these items that still has one; return the item's id, or None."""
    item_id = slot_take_among(item_ids)
    return item_id or next((item_id for item_id in item_ids if slot_claim(item_id)), None)


def items_block_for_workers_of(*, pairs: Iterable[tuple[int, int]], work_round: str, only_had: bool = False) -> None:
    """For each pair (new item, older item), block the new item for everybody with an assignment to the older one.

    That includes workers for whom the older item is itself blocked, unless `only_had` is set.

    Call inside a transaction. The older items are locked first, so a concurrent claim of one of them is either seen
    here or sees the conflict itself.
    """
    newer_of: dict[int, list[int]] = {}
    for newer, older in pairs:
        newer_of.setdefault(older, []).append(newer)
    list(Item.objects.filter(pk__in=newer_of).order_by("pk").select_for_update(no_key=True))
    had = Assignment.objects.filter(item__in=newer_of).values_list("item_id", "worker_id")
    had = had.exclude(state=State.BLOCKED) if only_had else had
    rows = [
        Assignment(item_id=newer, worker_id=worker_id, round=work_round, state=State.BLOCKED)
        for older, worker_id in had
        for newer in newer_of[older]
    ]
    Assignment.objects.bulk_create(rows, batch_size=1000, ignore_conflicts=True)

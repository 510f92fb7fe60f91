"""Claim slots of items, and block items for workers."""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import F, QuerySet

from crowd.models import Assignment, Item

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


def slot_claim_first(candidates: QuerySet[Item, int]) -> int | None:
    """Claim a slot of the first candidate that has one; return the item's id, or None if no slot is open."""
    item_id = candidates.select_for_update(of=("self",), skip_locked=True, no_key=True).first()
    if item_id is not None:
        Item.objects.filter(pk=item_id).update(open_slots=F("open_slots") - 1)
        return item_id
    # The remaining candidates are locked by others: wait for each until its slot is claimed here or gone.
    while (item_id := candidates.first()) is not None and not slot_claim(item_id):
        pass
    return item_id


def slot_claim_among(item_ids: Iterable[int]) -> int | None:
    """Claim a slot of the first of these items that still has one; return the item's id, or None."""
    return next((item_id for item_id in item_ids if slot_claim(item_id)), None)


def items_block(*, items: Iterable[tuple[int, str]], worker_id: int) -> None:
    """Block items (id, round) for a worker permanently.

    The BLOCKED row takes the only row that item and worker may have, so the item can never be assigned to them.
    """
    Assignment.objects.bulk_create(
        [
            Assignment(item_id=pk, worker_id=worker_id, round=work_round, state=State.BLOCKED)
            for pk, work_round in items
        ],
        ignore_conflicts=True,
    )


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

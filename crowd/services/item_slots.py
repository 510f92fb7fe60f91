"""The places of items: taking one, and closing items to people."""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import F, QuerySet

from crowd.models import Assignment, Item

State = Assignment.State


class NoOpenSlot(Exception):
    """All places of an item are taken."""


def slot_claim(item_id: int) -> bool:
    """Take a place of an item if one is free; if none is, the item is not left locked."""
    try:
        with transaction.atomic():
            free = Item.objects.filter(pk=item_id, open_slots__gt=0, is_closed=False)
            if not free.update(open_slots=F("open_slots") - 1):
                raise NoOpenSlot
    except NoOpenSlot:
        return False
    return True


def slot_claim_first(candidates: QuerySet[Item, int]) -> int | None:
    """Take a place of the first candidate that has one; the item's id, or None if there is no such place."""
    item_id = candidates.select_for_update(of=("self",), skip_locked=True, no_key=True).first()
    if item_id is not None:
        Item.objects.filter(pk=item_id).update(open_slots=F("open_slots") - 1)
        return item_id
    # What is left is in the hands of others at this moment: wait for it, until it is had or gone.
    while (item_id := candidates.first()) is not None and not slot_claim(item_id):
        pass
    return item_id


def slot_claim_among(item_ids: Iterable[int]) -> int | None:
    """Take a place of the first of these items that still has one."""
    return next((item_id for item_id in item_ids if slot_claim(item_id)), None)


def items_block(*, items: Iterable[tuple[int, str]], worker_id: int) -> None:
    """Close items (id, round) to a worker for good, by the row that keeps anybody from having an item twice."""
    Assignment.objects.bulk_create(
        [
            Assignment(item_id=pk, worker_id=worker_id, round=work_round, state=State.BLOCKED)
            for pk, work_round in items
        ],
        ignore_conflicts=True,
    )


def items_block_for_workers_of(*, pairs: Iterable[tuple[int, int]], work_round: str, only_had: bool = False) -> None:
    """Of each pair (new item, older item): close the new one to all who have or had the older one, or may not have it.

    With `only_had` those who merely may not have the older one may have the new one.

    The caller holds the transaction. The older items are locked first, so a claim of one of them is either seen
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

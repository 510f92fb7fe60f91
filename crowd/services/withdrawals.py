"""Withdraw items of work: nobody is given them any more, and leases on them end.

As everywhere, a worker's assignment is locked before its item, so leases are ended before the items are closed, and
again afterwards for those that were taken in between. What somebody submits in that very moment was begun before and
counts. It is waited for, so that whoever withdraws a text finds what came of it, too; and for that the locks on the
items are given up, since a worker at the assignment may be waiting for one.
"""

from collections import Counter
from collections.abc import Collection

from django.db import transaction
from django.db.models import F, QuerySet

from crowd.models import Assignment, Item
from crowd.services.items import items_close

State = Assignment.State


class StillAtWork(Exception):
    """Somebody holds the lock on a lease that would end."""


@transaction.atomic
def items_withdraw(*, item_ids: Collection[int]) -> int:
    """Close items and end the leases on them; return how many leases have ended.

    Slots of ended leases open again, for when the items are reopened.
    """
    while True:  # each time, those who were at work have submitted or gone, and an item has only so many slots
        try:
            return _withdraw(item_ids)
        except StillAtWork:
            continue


@transaction.atomic
def _withdraw(item_ids: Collection[int]) -> int:
    ended = _leases_end(item_ids, skip_locked=False)
    list(Item.objects.filter(pk__in=item_ids).order_by("pk").select_for_update(no_key=True))
    items_close(item_ids=item_ids)
    ended += _leases_end(item_ids, skip_locked=True)
    if _live(item_ids).exists():
        raise StillAtWork
    return ended


def _live(item_ids: Collection[int]) -> QuerySet[Assignment]:
    return Assignment.objects.filter(item__in=item_ids, state=State.LEASED)


def _leases_end(item_ids: Collection[int], *, skip_locked: bool) -> int:
    live = _live(item_ids).order_by("pk")
    rows = list(live.select_for_update(no_key=True, skip_locked=skip_locked).values_list("pk", "item_id"))
    Assignment.objects.filter(pk__in=[pk for pk, _ in rows]).update(state=State.EXPIRED)
    slots = Counter(item_id for _, item_id in rows)
    for item_id in sorted(slots):
        Item.objects.filter(pk=item_id).update(open_slots=F("open_slots") + slots[item_id])
    return len(rows)

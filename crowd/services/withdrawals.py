"""Withdraw items of work: nobody is given them any more, and leases on them end.

As everywhere, a worker's assignment is locked before its item, so leases are ended before the items are closed, and
again afterwards for those that were taken in between. What somebody submits in that very moment is not waited for: it
was begun before and counts.
"""

from collections import Counter
from collections.abc import Collection

from django.db import transaction
from django.db.models import F

from crowd.models import Assignment, Item
from crowd.services.items import items_close

State = Assignment.State


@transaction.atomic
def items_withdraw(*, item_ids: Collection[int]) -> int:
    """Close items and end the leases on them; return how many leases have ended.

    Slots of ended leases open again, for when the items are reopened.
    """
    ended = _leases_end(item_ids, skip_locked=False)
    list(Item.objects.filter(pk__in=item_ids).order_by("pk").select_for_update(no_key=True))
    items_close(item_ids=item_ids)
    return ended + _leases_end(item_ids, skip_locked=True)


def _leases_end(item_ids: Collection[int], *, skip_locked: bool) -> int:
    live = Assignment.objects.filter(item__in=item_ids, state=State.LEASED).order_by("pk")
    rows = list(live.select_for_update(no_key=True, skip_locked=skip_locked).values_list("pk", "item_id"))
    Assignment.objects.filter(pk__in=[pk for pk, _ in rows]).update(state=State.EXPIRED)
    slots = Counter(item_id for _, item_id in rows)
    for item_id in sorted(slots):
        Item.objects.filter(pk=item_id).update(open_slots=F("open_slots") + slots[item_id])
    return len(rows)

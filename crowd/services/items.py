"""Create, extend, close and withdraw items."""

import random
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from django.db import transaction
from django.db.models import F, QuerySet

from common.inserts import insert, rows_insert
from crowd.models import Assignment, Campaign, Item, ItemConflict, Round, Stream

State = Assignment.State
POSITIONS = 2**31 - 1


def items_create(
    *,
    campaign: Campaign,
    work_round: str,
    count: int,
    rng: random.Random,
    stream: str = Stream.WORK,
    people: int | None = None,
) -> list[Item]:
    """Create `count` items at random positions in the order; call inside a transaction.

    Each has a slot for each of `people`, by default as many as the campaign's settings say.
    """
    items = [_new_item(campaign, work_round, rng, stream, people) for _ in range(count)]
    return Item.objects.bulk_create(items, batch_size=1000)


def items_insert(*, campaign: Campaign, work_round: Round, count: int, rng: random.Random) -> list[int]:
    """Create items of work as `items_create` does, and return only their ids, which takes a fifth of the time."""
    wanted = campaign.people_per_item(work_round)
    same = {
        "campaign_id": campaign.pk,
        "round": work_round.value,
        "stream": Stream.WORK.value,
        "wanted": wanted,
        "open_slots": wanted,
    }
    return rows_insert(Item, ["position"], [(rng.randrange(POSITIONS),) for _ in range(count)], same=same)


def item_create(
    *, campaign: Campaign, work_round: str, rng: random.Random, stream: str = Stream.WORK, people: int | None = None
) -> Item:
    """Create one item, as `items_create` creates several."""
    item = _new_item(campaign, work_round, rng, stream, people)
    insert(item)
    return item


def _new_item(campaign: Campaign, work_round: str, rng: random.Random, stream: str, people: int | None) -> Item:
    wanted = campaign.people_per_item(work_round) if people is None else people
    return Item(
        campaign_id=campaign.pk,
        round=work_round,
        stream=stream,
        position=rng.randrange(POSITIONS),
        wanted=wanted,
        open_slots=wanted,
    )


def conflicts_create(*, pairs: Iterable[Sequence[int]]) -> None:
    """Store conflicts: for each pair of item ids, a worker who has had the first may not have the second."""
    ItemConflict.objects.bulk_create(
        [ItemConflict(item_id=item, blocks_id=blocked) for item, blocked in pairs],
        batch_size=1000,
        ignore_conflicts=True,
    )


def item_extend(*, item_id: int, slots: int) -> bool:
    """Add slots to an item, at most once; return False if it was extended before."""
    unextended = Item.objects.filter(pk=item_id, is_extended=False)
    more = {"wanted": F("wanted") + slots, "open_slots": F("open_slots") + slots}
    return bool(unextended.update(is_extended=True, **more))


def close_open_slots(*, item_ids: Iterable[int], people: int = 0) -> None:
    """Close the remaining slots of items, and add one for each of `people` who did the work elsewhere and are known."""
    Item.objects.filter(pk__in=list(item_ids)).update(wanted=F("wanted") - F("open_slots") + people, open_slots=0)


def items_close(*, item_ids: Iterable[int]) -> None:
    """Stop handing out items, including slots released later."""
    Item.objects.filter(pk__in=list(item_ids)).update(is_closed=True)


def items_reopen(*, item_ids: Iterable[int]) -> None:
    """Hand out the open slots of closed items again."""
    Item.objects.filter(pk__in=list(item_ids)).update(is_closed=False)


class StillAtWork(Exception):
    """Somebody holds the lock on a lease that would end."""


@transaction.atomic
def items_withdraw(*, item_ids: Collection[int]) -> int:
    """Withdraw items: nobody is given them any more, and leases on them end; return how many leases have ended.

    Slots of ended leases open again, for when the items are reopened. As everywhere, a worker's assignment is locked
    before its item, so leases are ended before the items are closed, and again afterwards for those that were taken in
    between. What somebody submits in that very moment was begun before and counts. It is waited for, so that whoever
    withdraws a text finds what came of it, too; and for that the locks on the items are given up, since a worker at the
    assignment may be waiting for one.
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

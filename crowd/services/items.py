"""Making work to hand out."""

import random
from collections.abc import Iterable, Sequence

from django.db.models import F

from crowd.models import Campaign, Item, ItemConflict, Stream

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
    """Make `count` items, each at a random place of the order; the caller holds the transaction.

    Each wants as many `people` as the campaign says, if nothing else is said.
    """
    wanted = campaign.people_per_item(work_round) if people is None else people
    return Item.objects.bulk_create(
        [
            Item(
                campaign=campaign,
                round=work_round,
                stream=stream,
                position=rng.randrange(POSITIONS),
                wanted=wanted,
                open_slots=wanted,
            )
            for _ in range(count)
        ],
        batch_size=1000,
    )


def conflicts_create(*, pairs: Iterable[Sequence[int]]) -> None:
    """Say of each pair of item ids that who had the first may not have the second."""
    ItemConflict.objects.bulk_create(
        [ItemConflict(item_id=item, blocks_id=blocked) for item, blocked in pairs],
        batch_size=1000,
        ignore_conflicts=True,
    )


def item_extend(*, item_id: int, places: int) -> bool:
    """Ask for more people on an item, once; false if that was done before."""
    once = Item.objects.filter(pk=item_id, is_extended=False)
    more = {"wanted": F("wanted") + places, "open_slots": F("open_slots") + places}
    return bool(once.update(is_extended=True, **more))


def close_open_slots(*, item_ids: Iterable[int]) -> None:
    """Let items want nobody else: their open places are taken by people who are not known."""
    Item.objects.filter(pk__in=list(item_ids)).update(wanted=F("wanted") - F("open_slots"), open_slots=0)


def items_close(*, item_ids: Iterable[int]) -> None:
    """Give out no more places of some items, nor those that come back."""
    Item.objects.filter(pk__in=list(item_ids)).update(is_closed=True)


def items_reopen(*, item_ids: Iterable[int]) -> None:
    """Give out the open places of items that were closed."""
    Item.objects.filter(pk__in=list(item_ids)).update(is_closed=False)

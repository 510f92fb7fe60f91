"""Making work to hand out."""

import random
from collections.abc import Iterable, Sequence

from crowd.models import Campaign, Item, ItemConflict

POSITIONS = 2**31 - 1


def items_create(*, campaign: Campaign, work_round: str, count: int, rng: random.Random) -> list[Item]:
    """Make `count` items, each at a random place of the order; the caller holds the transaction."""
    wanted = campaign.people_per_item(work_round)
    return Item.objects.bulk_create(
        [
            Item(
                campaign=campaign,
                round=work_round,
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
        [ItemConflict(item_id=item, bars_id=bars) for item, bars in pairs],
        batch_size=1000,
        ignore_conflicts=True,
    )

"""Create material and the pieces of work that it is."""

import random
from collections.abc import Sequence

from crowd.models import Campaign, Round
from crowd.services.items import items_create
from protocols.models import Material, TaskItem


def material_create(material: Sequence[Material], campaign: Campaign, people: int | None = None) -> None:
    """Create material, with an item for each that is not practice; call inside a transaction.

    An item has a slot for each of `people`, by default as many as the campaign's settings say.
    """
    Material.objects.bulk_create(material)
    work = [each for each in material if each.expected is None]
    items = items_create(campaign=campaign, work_round=Round.RATE, count=len(work), rng=random.Random(), people=people)
    pairs = zip(items, work, strict=True)
    TaskItem.objects.bulk_create([TaskItem(item=item, material=each) for item, each in pairs])

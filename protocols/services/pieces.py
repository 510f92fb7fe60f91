"""Create material and the pieces of work that it is."""

import random
from collections.abc import Sequence, Set
from dataclasses import asdict
from itertools import permutations

from common.json_values import json_digest
from crowd.models import Campaign, Round
from crowd.services.items import conflicts_create, items_create
from crowd.services.leases import items_block_for_workers_of
from protocols.models import Material, TaskItem
from protocols.task import MaterialRow, StudyTask


def material_of(campaign: Campaign, task: StudyTask, row: MaterialRow) -> Material:
    """Return a line as material of a campaign, not yet stored."""
    fields = {name: value for name, value in asdict(row).items() if name != "task"}
    return Material(campaign=campaign, task=row.task or task.key, digest=json_digest(fields), **fields)


def material_create(material: Sequence[Material], campaign: Campaign, people: int | None = None) -> None:
    """Create material, with an item for each that raters judge; call inside a transaction.

    Practice is no work, nor what work is made of. An item has a slot for each of `people`, by default as many as the
    campaign's settings say.
    """
    Material.objects.bulk_create(material)
    work = [each for each in material if each.expected is None and each.task == campaign.rating_task]
    items = items_create(campaign=campaign, work_round=Round.RATE, count=len(work), rng=random.Random(), people=people)
    pairs = zip(items, work, strict=True)
    TaskItem.objects.bulk_create([TaskItem(item=item, material=each) for item, each in pairs])
    if campaign.task.one_of_a_source:
        _conflicts_create(campaign, {item.pk for item in items}, {each.name for each in work})


def _conflicts_create(campaign: Campaign, new: Set[int], names: Set[str]) -> None:
    """Let new items bar all others of their name and be barred by them, also for those who had one of these before."""
    of_names = TaskItem.objects.filter(material__campaign=campaign, material__name__in=names)
    by_name: dict[str, list[int]] = {}
    for name, item in of_names.values_list("material__name", "item_id"):
        by_name.setdefault(name, []).append(item)
    pairs = [pair for items in by_name.values() for pair in permutations(items, 2) if not new.isdisjoint(pair)]
    conflicts_create(pairs=pairs)
    late = [(newer, older) for newer, older in pairs if newer in new and older not in new]
    items_block_for_workers_of(pairs=late, work_round=Round.RATE)

"""Create material and the pieces of work that it is."""

import random
from collections.abc import Sequence
from dataclasses import asdict

from common.json_values import json_digest
from crowd.models import Campaign, Round
from crowd.services.items import items_create
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

"""Gold items: examples among the work, whose answers raters are never shown."""

import random

from django.db import transaction

from crowd.models import Campaign, Round, Stream
from crowd.services.items import items_close, items_create
from ratings.models import GoldItem
from ratings.services.qualification import ExampleText, example_check

EVERYBODY = 30_000


@transaction.atomic
def gold_create(*, campaign: Campaign, example: ExampleText) -> GoldItem:
    """Mix a gold item into the raters' work: everybody may meet it, once."""
    example_check(example, campaign, "This gold item")
    (item,) = items_create(
        campaign=campaign,
        work_round=Round.RATE,
        count=1,
        rng=random.Random(example.compression),
        stream=Stream.GOLD,
        people=EVERYBODY,
    )
    return GoldItem.objects.create(
        item=item,
        source_text=example.source,
        compression_text=example.compression,
        other_text=example.other,
        answers={scale: sorted(points) for scale, points in example.answers.items()},
        why=example.why,
    )


@transaction.atomic
def gold_retire(*, gold: GoldItem) -> None:
    """Give a gold item to nobody else; what raters said of it stays."""
    items_close(item_ids=[gold.item_id])

"""Create and retire gold items, whose accepted answers raters never see."""

import random

from django.db import transaction

from crowd.models import Campaign, Round, Stream
from crowd.services.items import items_close, items_create
from ratings.models import GoldItem
from ratings.services.qualification import ExampleText, example_check

MAX_RATERS = 30_000  # in effect unlimited


@transaction.atomic
def gold_create(*, campaign: Campaign, example: ExampleText) -> GoldItem:
    """Create a gold item that every rater may be given once."""
    example_check(example, campaign, "This gold item")
    (item,) = items_create(
        campaign=campaign,
        work_round=Round.RATE,
        count=1,
        rng=random.Random(example.compression),
        stream=Stream.GOLD,
        people=MAX_RATERS,
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
    """Give a gold item to no more raters; existing ratings stay."""
    items_close(item_ids=[gold.item_id])

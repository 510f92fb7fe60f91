"""Create distinct texts and their items for raters: single, or side by side with others of the same source."""

import random

from django.db import IntegrityError, transaction
from django.db.models import Q

from compressions.models import Pair, Source, Target, text_digest
from compressions.selectors.authors import texts_of_excluded_only
from crowd.models import Campaign, Item, Round, Stream
from crowd.services.item_slots import items_block_for_workers_of
from crowd.services.items import conflicts_create, items_close, items_create, items_reopen


def target_known(*, source: Source, text: str) -> Target | None:
    return Target.objects.filter(source=source, digest=text_digest(text)).first()


def target_create(*, campaign: Campaign, source: Source, text: str, stream: str = Stream.WORK) -> Target:
    """Create a distinct text together with its items for raters; call inside a transaction."""
    digest = text_digest(text)
    rng = random.Random(digest)
    try:
        with transaction.atomic():
            # Side by side, a text is rated only in its pairs.
            people = 0 if campaign.is_side_by_side else None
            item = _item(campaign, source, rng, stream, people)
            target = Target.objects.create(source=source, text=text, digest=digest, item=item)
    except IntegrityError:  # another editor submitted the same text at the same moment
        return Target.objects.get(source=source, digest=digest)
    if campaign.is_side_by_side:
        _pairs_create(campaign, target, rng, stream)
    return target


def target_reopen(*, target: Target) -> None:
    """Reopen a text for raters that was closed because only excluded people had written it."""
    if target.item.is_closed:
        texts_close(campaign=target.source.campaign)


def texts_close(*, campaign: Campaign) -> None:
    """Close the items of texts that only excluded people wrote, pairs included, and reopen all others."""
    excluded = texts_of_excluded_only(campaign).values("pk")
    items = Item.objects.filter(campaign=campaign, round=Round.RATE).exclude(stream=Stream.GOLD)
    affected = Q(target__in=excluded) | Q(pair__first__in=excluded) | Q(pair__second__in=excluded)
    to_close, to_reopen = items.filter(affected, is_closed=False), items.filter(is_closed=True).exclude(affected)
    items_close(item_ids=list(to_close.values_list("pk", flat=True)))
    items_reopen(item_ids=list(to_reopen.values_list("pk", flat=True)))


def rating_items_of(target: Target) -> list[tuple[int, str]]:
    """Return all items (id, round) in which a text is rated, for blocking its authors from them."""
    pairs = Pair.objects.filter(Q(first=target) | Q(second=target)).values_list("item_id", flat=True)
    return [(item_id, Round.RATE) for item_id in (target.item_id, *pairs)]


def _item(campaign: Campaign, source: Source, rng: random.Random, stream: str, people: int | None) -> Item:
    (item,) = items_create(campaign=campaign, work_round=Round.RATE, count=1, rng=rng, stream=stream, people=people)
    # Raters of a compression have seen how others wrote it, so they may not write one of the same source.
    conflicts_create(pairs=[(item.pk, source.item_id)])
    return item


def _pairs_create(campaign: Campaign, target: Target, rng: random.Random, stream: str) -> None:
    """Pair a new text with earlier ones of its source, up to `pairs_per_compression`."""
    earlier = list(Target.objects.filter(source=target.source, pk__lt=target.pk, item__is_closed=False).order_by("pk"))
    for other in rng.sample(earlier, min(campaign.pairs_per_compression, len(earlier))):
        item = _item(campaign, target.source, rng, stream, None)
        Pair.objects.create(first=other, second=target, item=item)
        # The authors of the other text are blocked from its own item, so block them from the pair too.
        items_block_for_workers_of(pairs=[(item.pk, other.item_id)], work_round=Round.RATE)

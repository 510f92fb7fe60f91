"""The order in which candidate items are offered to a rater.

The round mixes three streams: compressions, system outputs and gold items. For each task one stream is drawn at the
rates of the campaign; if it has no item for this rater, the other streams follow. Gold items are offered only while
other work is left.

Within a stream, items are taken from a window at the head of the drawn order, so that texts are completed one after
another; inside the window they are shuffled, so that raters see them in different orders. Assignments record that
order. Texts of sources that the rater has not seen come first.
"""

import random
from collections import Counter
from collections.abc import Iterator

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from crowd.models import Assignment, Enrolment, Item, Round, Stream
from ratings.gold_schedule import gold_is_due

WINDOWS = (64, 1024)
Items = QuerySet[Item, int]
SOURCE = Coalesce("target__source_id", "pair__first__source_id", "expert_item__target__source_id")
HELD_STATES = (Assignment.State.LEASED, Assignment.State.EXPIRED, Assignment.State.SUBMITTED)


def rater_candidates(enrolment: Enrolment, candidates: Items, number: int) -> Iterator[int]:
    """Yield the ids of candidate items for the rater's `number`-th task, best first."""
    rng = random.Random(f"task:{enrolment.worker.number}:{number}")
    campaign = enrolment.campaign
    if enrolment.round == Round.RATE and gold_is_due(
        rater=enrolment.worker.number, number=number, percent=campaign.gold_percent
    ):
        yield from _gold_items(candidates, rng)
    streams = [Stream.WORK, Stream.SYSTEM]
    if rng.random() * 100 < campaign.system_percent:
        streams.reverse()
    times_seen = _times_sources_seen(enrolment)
    for stream in streams:
        yield from _unseen_first(candidates.filter(stream=stream), times_seen, rng)


def _gold_items(candidates: Items, rng: random.Random) -> Iterator[int]:
    if not candidates.exclude(stream=Stream.GOLD).exists():
        return
    gold = list(candidates.filter(stream=Stream.GOLD))
    rng.shuffle(gold)
    yield from gold


def _times_sources_seen(enrolment: Enrolment) -> Counter[int]:
    """Count the texts of each source that the rater has been given."""
    own = Assignment.objects.filter(worker_id=enrolment.worker_id, round=enrolment.round, state__in=HELD_STATES)
    return Counter(_source_by_item(Item.objects.filter(pk__in=own.values("item"))).values())


def _source_by_item(items: QuerySet[Item]) -> dict[int, int]:
    """Return the source id of each item, without gold items."""
    rows = items.exclude(stream=Stream.GOLD).annotate(source_id=SOURCE)
    return dict(rows.values_list("pk", "source_id"))


def _unseen_first(candidates: Items, times_seen: Counter[int], rng: random.Random) -> list[int]:
    """Return a shuffled window of items, stably sorted by how often the rater has seen their source.

    The window is widened only if the rater has seen the sources of all its items.
    """
    window: list[int] = []
    seen_by_item: dict[int, int] = {}
    for size in WINDOWS:
        window = list(candidates[:size])
        seen_by_item = {
            item_id: times_seen[source_id]
            for item_id, source_id in _source_by_item(Item.objects.filter(pk__in=window)).items()
        }
        if len(window) < size or 0 in seen_by_item.values():
            break
    rng.shuffle(window)
    return sorted(window, key=lambda item_id: seen_by_item.get(item_id, 0))

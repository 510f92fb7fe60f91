"""Which texts a rater is tried on next.

The round mixes three streams: compressions, outputs of systems, and gold items. For each task one stream is drawn at
the campaign's rates; where it has nothing for this rater, the others serve. Gold is given only beside other work.

Inside a stream items are tried from a window of the drawn order, so that texts are finished one after another, and
within the window at random, so that every rater meets them in an order of their own; assignments keep that order. Texts
of sources that the rater has not met come before all others.
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
BEING_DONE = (Assignment.State.LEASED, Assignment.State.EXPIRED, Assignment.State.SUBMITTED)


def rater_candidates(enrolment: Enrolment, candidates: Items, number: int) -> Iterator[int]:
    """Ids of items for a rater's task of this number, the best first."""
    rng = random.Random(f"task:{enrolment.worker.number}:{number}")
    campaign = enrolment.campaign
    if enrolment.round == Round.RATE and gold_is_due(
        rater=enrolment.worker.number, number=number, percent=campaign.gold_percent
    ):
        yield from _gold(candidates, rng)
    streams = [Stream.WORK, Stream.SYSTEM]
    if rng.random() * 100 < campaign.system_percent:
        streams.reverse()
    met = _sources_met(enrolment)
    for stream in streams:
        yield from _unseen_first(candidates.filter(stream=stream), met, rng)


def _gold(candidates: Items, rng: random.Random) -> Iterator[int]:
    if not candidates.exclude(stream=Stream.GOLD).exists():
        return
    gold = list(candidates.filter(stream=Stream.GOLD))
    rng.shuffle(gold)
    yield from gold


def _sources_met(enrolment: Enrolment) -> Counter[int]:
    """How many texts of each source a rater has had."""
    own = Assignment.objects.filter(worker_id=enrolment.worker_id, round=enrolment.round, state__in=BEING_DONE)
    return Counter(_sources_of(Item.objects.filter(pk__in=own.values("item"))).values())


def _sources_of(items: QuerySet[Item]) -> dict[int, int]:
    """By item the source of its text; gold items have none."""
    rows = items.exclude(stream=Stream.GOLD).annotate(source_id=SOURCE)
    return dict(rows.values_list("pk", "source_id"))


def _unseen_first(candidates: Items, met: Counter[int], rng: random.Random) -> list[int]:
    """A window of items, at random, those of sources that the rater has met the least at first.

    Only if all of the window is of sources that were met is a wider one looked at.
    """
    window: list[int] = []
    times_met: dict[int, int] = {}
    for size in WINDOWS:
        window = list(candidates[:size])
        times_met = {
            item_id: met[source_id] for item_id, source_id in _sources_of(Item.objects.filter(pk__in=window)).items()
        }
        if len(window) < size or 0 in times_met.values():
            break
    rng.shuffle(window)
    return sorted(window, key=lambda item_id: times_met.get(item_id, 0))

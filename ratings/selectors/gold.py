"""Query the accuracy on gold items, and when the next one is due: frequent at first, then rarer, unpredictably.

An item that most raters get wrong may have wrong accepted answers itself.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from crowd.models import Campaign
from ratings.models import GoldItem, Score
from ratings.selectors.qualification import gold_items

FIRST_GAP = 3
GROWTH = 1.5


def gold_is_due(*, rater: int, number: int, percent: int) -> bool:
    """Return whether the rater's `number`-th task, counted from 1, is a gold item.

    Tasks are divided into stretches, and one random task of each stretch is gold. The first stretch has three tasks
    and each is 1.5 times as long as the one before, up to 100 / `percent` tasks, so that `percent` of the tasks are
    gold in the long run.
    """
    if percent <= 0:
        return False
    first, last = next((first, last) for first, last in _stretches(percent) if last >= number)
    return number == random.Random(f"gold:{rater}:{first}").randint(first, last)


def most_gold(*, tasks: int, percent: int) -> int:
    """Return the largest number of gold items that can be due to a rater with so many tasks."""
    if percent <= 0:
        return 0
    return sum(1 for _ in takewhile(lambda ends: ends[0] <= tasks, _stretches(percent)))


def _stretches(percent: int) -> Iterator[tuple[int, int]]:
    """Yield the first and the last task of each stretch, one after another."""
    longest = 100 / percent
    start, gap = 0.0, min(float(FIRST_GAP), longest)
    while True:
        yield round(start) + 1, round(start + gap)
        start += gap
        gap = min(gap * GROWTH, longest)


MIN_GOLD = 4


@dataclass(frozen=True)
class GoldRecord:
    """A rater's gold items, the answers given to them (one per item and scale), and how many were accepted."""

    items: int = 0
    right: int = 0
    answers: int = 0

    @property
    def accuracy(self) -> float | None:
        return self.right / self.answers if self.answers else None

    def is_low(self, warn_percent: int) -> bool:
        """Return whether staff should be warned; never before MIN_GOLD items."""
        return self.items >= MIN_GOLD and 100 * self.right < warn_percent * self.answers


@dataclass(frozen=True)
class GoldStanding:
    """A gold item with its numbers of raters, of answers, and of accepted answers."""

    gold: GoldItem
    raters: int
    right: int
    answers: int

    @property
    def accuracy(self) -> float | None:
        return self.right / self.answers if self.answers else None

    @property
    def is_retired(self) -> bool:
        return self.gold.item.is_closed


def gold_with_answers(campaign: Campaign) -> list[GoldStanding]:
    """Return all gold items of a campaign with their accuracy."""
    given: dict[int, list[tuple[int, str, int]]] = {}
    questions = list(gold_items(campaign).select_related("item"))
    rows = Score.objects.filter(rating__gold__in=questions)
    for gold_id, rating_id, scale, value in rows.values_list("rating__gold_id", "rating_id", "scale", "value"):
        given.setdefault(gold_id or 0, []).append((rating_id, scale, value))
    return [_standing(gold, given.get(gold.pk, [])) for gold in questions]


def _standing(gold: GoldItem, given: list[tuple[int, str, int]]) -> GoldStanding:
    right = sum(value in gold.answers.get(scale, []) for _, scale, value in given)
    return GoldStanding(gold, len({rating_id for rating_id, _, _ in given}), right, len(given))


def gold_records(campaign: Campaign, only: int | None = None) -> dict[int, GoldRecord]:
    """Return the gold record of each worker, or of `only` one, scored by the items' current accepted answers."""
    of_whom = {} if only is None else {"rating__worker": only}
    accepted = dict(gold_items(campaign).values_list("pk", "answers"))
    # By their ids and without an order: databases would else go through all ratings to find those of gold items.
    given = Score.objects.filter(rating__gold__in=list(accepted), **of_whom).order_by()
    rows = given.values_list("rating__worker_id", "rating_id", "scale", "value", "rating__gold_id")
    items: dict[int, set[int]] = {}
    right: dict[int, list[bool]] = {}
    for worker_id, rating_id, scale, value, gold_id in rows:
        if worker_id is None:
            continue
        items.setdefault(worker_id, set()).add(rating_id)
        right.setdefault(worker_id, []).append(value in accepted[gold_id].get(scale, []))
    return {pk: GoldRecord(len(items[pk]), sum(right[pk]), len(right[pk])) for pk in items}

"""The schedule of gold items: frequent at first, then rarer, and always at unpredictable positions."""

import random
from collections.abc import Iterator
from itertools import takewhile

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

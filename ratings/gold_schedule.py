"""The schedule of gold items: frequent at first, then rarer, and always at unpredictable positions."""

import random

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
    longest = 100 / percent
    start, gap = 0.0, min(float(FIRST_GAP), longest)
    while number > round(start + gap):
        start += gap
        gap = min(gap * GROWTH, longest)
    first, last = round(start) + 1, round(start + gap)
    return number == random.Random(f"gold:{rater}:{first}").randint(first, last)

"""When a rater meets gold items: often at first, then ever more seldom, never where it could be foreseen."""

import random

FIRST_GAP = 3
GROWTH = 1.5


def gold_is_due(*, rater: int, number: int, percent: int) -> bool:
    """Whether the rater's task of this number, from 1, is to be a gold item.

    One gold item falls on a random task of each stretch of tasks. The first stretch has three tasks; each is half
    as long again as the one before, until they are long enough for `percent` of all tasks to be gold.
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

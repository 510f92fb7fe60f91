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
    start, gap = 0, min(float(FIRST_GAP), longest)
    while number > start + round(gap):
        start += max(1, round(gap))
        gap = min(gap * GROWTH, longest)
    drawn = random.Random(f"gold:{rater}:{start}").randrange(max(1, round(gap)))
    return number == start + drawn + 1

"""Which questions a try at the test asks, and in which order."""

import random
from collections.abc import Sequence


def questions_draw(live: Sequence[int], tries: Sequence[Sequence[int]], count: int, rng: random.Random) -> list[int]:
    """Draw `count` of the `live` questions, or all if it is 0 or there are not more, in a random order.

    `tries` has the questions of the tries so far, the first one first. Questions that were not asked come before those
    that were, and of these the ones asked longest ago. So with twice as many questions as a try asks, the second try
    has none of the first; and where every try asks the same, the next one has them in another order.

    >>> rng = random.Random(1)
    >>> first = questions_draw([1, 2, 3, 4], [], 2, rng)
    >>> second = questions_draw([1, 2, 3, 4], [first], 2, rng)
    >>> sorted(first + second)
    [1, 2, 3, 4]
    >>> questions_draw([1, 2], [[1, 2]], 0, rng)
    [2, 1]
    """
    last_asked = {question: number for number, asked in enumerate(tries, start=1) for question in asked}
    shuffled = rng.sample(list(live), len(live))
    drawn = sorted(shuffled, key=lambda question: last_asked.get(question, 0))[: count or len(live)]
    rng.shuffle(drawn)
    is_repeated = bool(tries) and drawn == list(tries[-1])
    return drawn[1:] + drawn[:1] if is_repeated else drawn

"""The ratings of a release as matrices of judged things and raters."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from corpus.content import Ratings, ReleasedSource
from measures.arrays import FloatArray


def crowd_ratings(sources: Iterable[ReleasedSource]) -> Iterator[Ratings]:
    """What the crowd said of each compression, or of each pair side by side."""
    for source in sources:
        yield from (text.ratings for text in source.texts)
        yield from (pair.ratings for pair in source.comparisons)


def expert_ratings(sources: Iterable[ReleasedSource]) -> Iterator[Ratings]:
    """What experts said of the same things, in the same order."""
    for source in sources:
        yield from (text.expert_ratings for text in source.texts)
        yield from (pair.expert_ratings for pair in source.comparisons)


def rating_matrix(judged: Sequence[Ratings], scale: str) -> FloatArray:
    """Things x raters, NaN where somebody did not rate; raters in the order of their names.

    Nobody knows whether two ratings without a name are of one person: such ratings stand in columns after the others,
    in the order in which they stand at each thing.
    """
    names = sorted({rating.rater for ratings in judged for rating in ratings if rating.rater}, key=_natural)
    column = {name: index for index, name in enumerate(names)}
    unknown = max((sum(not rating.rater for rating in ratings) for ratings in judged), default=0)
    matrix = np.full((len(judged), len(names) + unknown), np.nan)
    for row, ratings in enumerate(judged):
        nameless = len(names)
        for rating in ratings:
            if rating.rater:
                matrix[row, column[rating.rater]] = rating.scores[scale]
            else:
                matrix[row, nameless] = rating.scores[scale]
                nameless += 1
    return matrix


def _natural(name: str) -> tuple[int, str]:
    """Numbers by their size, other names after them."""
    return (int(name), "") if name.isascii() and name.isdecimal() else (2**63, name)

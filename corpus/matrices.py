"""The ratings of a release as matrices of judged things and raters."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from corpus.content import Ratings, ReleasedComparison, ReleasedSource, ReleasedText
from measures.arrays import FloatArray


def crowd_ratings(sources: Iterable[ReleasedSource]) -> Iterator[Ratings]:
    """What the crowd said of each compression, or of each pair side by side."""
    for source in sources:
        yield from (each.ratings for each in _by_people(source) if each.ratings)


def expert_ratings(sources: Iterable[ReleasedSource]) -> Iterator[Ratings]:
    """What experts said of the same things, in the same order."""
    for source in sources:
        yield from (each.expert_ratings for each in _by_people(source) if each.ratings)


def _by_people(source: ReleasedSource) -> list[ReleasedText | ReleasedComparison]:
    return [*source.texts, *source.comparisons]


def rating_matrix(judged: Sequence[Ratings], scale: str) -> FloatArray:
    """Things x raters, NaN where somebody did not rate; raters in the order of their names.

    Nobody knows whether two ratings without a name are of one person: such ratings stand in columns after the others,
    in the order in which they stand at each thing.
    """
    people = [_people(ratings) for ratings in judged]
    columns = sorted({person for row in people for person in row}, key=_natural)
    column = {person: index for index, person in enumerate(columns)}
    matrix = np.full((len(judged), len(columns)), np.nan)
    for row, (ratings, here) in enumerate(zip(judged, people, strict=True)):
        for rating, person in zip(ratings, here, strict=True):
            matrix[row, column[person]] = rating.scores[scale]
    return matrix


def _people(ratings: Ratings) -> list[tuple[str, int]]:
    """Whose each rating is: a name that stands twice at one thing is that of two people."""
    met: Counter[str] = Counter()
    people = []
    for rating in ratings:
        people.append((rating.rater, met[rating.rater]))
        met[rating.rater] += 1
    return people


def _natural(person: tuple[str, int]) -> tuple[bool, int, str, int]:
    """Numbers by their size, other names after them, and at last those without a name."""
    name, nth = person
    number = int(name) if name.isascii() and name.isdecimal() else 2**63
    return not name, number, name, nth

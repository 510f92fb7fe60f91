"""The ratings of a release as arrays: a row for each judged thing, as many columns as one thing has ratings."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from corpus.release.records import Ratings, ReleasedComparison, ReleasedRating, ReleasedSource, ReleasedText
from measures.core.arrays import FloatArray, IntArray

Person = tuple[str, int]


@dataclass(frozen=True, eq=False)
class Judgements:
    """What was said of each thing. In a row people stand in the order of `names`, those without a name at last.

    `raters` (things x most ratings of a thing) says whose a rating is, by its place in `names`; -1 where there is no
    rating or nobody knows. `days` has ordinals of dates, with 0 for unknown ones; `order` says how many ratings of the
    thing the release has before it.
    """

    rows: list[list[ReleasedRating]]
    names: list[str]
    raters: IntArray
    days: IntArray
    order: IntArray

    def points(self, scale: str) -> FloatArray:
        """The points on one scale, NaN where there is no rating."""
        points = np.full(self.raters.shape, np.nan)
        for row, ratings in enumerate(self.rows):
            points[row, : len(ratings)] = [rating.scores[scale] for rating in ratings]
        return points


def judgements(judged: Iterable[Ratings]) -> Judgements:
    """The arrays; two ratings of one thing without a name, or with the same one, are of two people."""
    sorted_rows = [sorted(_people(ratings), key=lambda each: _natural(each[0])) for ratings in judged]
    people = sorted({person for row in sorted_rows for person, _, _ in row if person[0]}, key=_natural)
    place = {person: index for index, person in enumerate(people)}
    shape = (len(sorted_rows), max(map(len, sorted_rows), default=0))
    raters, days, order = np.full(shape, -1), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for number, row in enumerate(sorted_rows):
        raters[number, : len(row)] = [place.get(person, -1) for person, _, _ in row]
        days[number, : len(row)] = [rating.day.toordinal() if rating.day else 0 for _, rating, _ in row]
        order[number, : len(row)] = [before for _, _, before in row]
    return Judgements(
        [[rating for _, rating, _ in row] for row in sorted_rows], list(map(_spelled, people)), raters, days, order
    )


def judged_sources(sources: Iterable[ReleasedSource]) -> Iterator[ReleasedSource]:
    """The source of each thing that the crowd said something of, in the order of `crowd_ratings`."""
    for source in sources:
        yield from (source for each in _by_people(source) if each.ratings)


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


def _people(ratings: Sequence[ReleasedRating]) -> Iterator[tuple[Person, ReleasedRating, int]]:
    """Whose each rating is: a name that stands twice at one thing is that of two people; and how many came before."""
    met: Counter[str] = Counter()
    for before, rating in enumerate(ratings):
        yield (rating.rater, met[rating.rater]), rating, before
        met[rating.rater] += 1


def _spelled(person: Person) -> str:
    name, nth = person
    return f"{name} ({nth + 1})" if nth else name


def _natural(person: Person) -> tuple[bool, int, str, int]:
    """Numbers by their size, other names after them, and at last those without a name."""
    name, nth = person
    number = int(name) if name.isascii() and name.isdecimal() else 2**63
    return not name, number, name, nth

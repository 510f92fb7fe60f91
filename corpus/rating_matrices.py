"""The ratings of a release as matrices: a row per rated subject, a column per rating of the subject."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from corpus.release.records import Ratings, ReleasedRating, ReleasedSource, Subject
from measures.core.arrays import FloatArray, IntArray

Person = tuple[str, int]


@dataclass(frozen=True, eq=False)
class RatingMatrix:
    """The ratings of each subject. Each row is sorted by rater in the order of `names`, unknown raters last.

    `raters`, `days` and `order` have the shape (subjects, largest number of ratings of a subject). `raters` holds
    indices into `names`, -1 where there is no rating or the rater is unknown; `days` ordinals of dates, 0 where the
    date is unknown; `order` the index of the rating among the subject's ratings in the release.
    """

    rows: list[list[ReleasedRating]]
    names: list[str]
    raters: IntArray
    days: IntArray
    order: IntArray

    def points(self, scale: str) -> FloatArray:
        """Return the points on one scale, NaN where there is no rating on it."""
        points = np.full(self.raters.shape, np.nan)
        for row, ratings in enumerate(self.rows):
            points[row, : len(ratings)] = [rating.scores.get(scale, np.nan) for rating in ratings]
        return points


def rating_matrix(subjects: Iterable[Ratings]) -> RatingMatrix:
    """Build the matrices. Ratings of one subject under the same name, or none, are by different people."""
    sorted_rows = [sorted(_with_people(ratings), key=lambda each: _natural_order(each[0])) for ratings in subjects]
    people = sorted({person for row in sorted_rows for person, _, _ in row if person[0]}, key=_natural_order)
    index_of = {person: index for index, person in enumerate(people)}
    shape = (len(sorted_rows), max(map(len, sorted_rows), default=0))
    raters, days, order = np.full(shape, -1), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for number, row in enumerate(sorted_rows):
        raters[number, : len(row)] = [index_of.get(person, -1) for person, _, _ in row]
        days[number, : len(row)] = [rating.day.toordinal() if rating.day else 0 for _, rating, _ in row]
        order[number, : len(row)] = [index for _, _, index in row]
    return RatingMatrix(
        [[rating for _, rating, _ in row] for row in sorted_rows], list(map(_display_name, people)), raters, days, order
    )


def rated_subjects(
    sources: Iterable[ReleasedSource], *, outputs: bool = False
) -> Iterator[tuple[ReleasedSource, Subject]]:
    """Yield each subject with crowd ratings and its source, in the order of `crowd_rating_rows`."""
    for source in sources:
        yield from ((source, subject) for subject in _rated(source, outputs))


def rated_sources(sources: Iterable[ReleasedSource], *, outputs: bool = False) -> Iterator[ReleasedSource]:
    """Yield the source of each of these subjects."""
    return (source for source, _ in rated_subjects(sources, outputs=outputs))


def crowd_rating_rows(sources: Iterable[ReleasedSource], *, outputs: bool = False) -> Iterator[Ratings]:
    """Yield the crowd's ratings of each rated compression and pair, and of `outputs` if they are wanted."""
    for source in sources:
        yield from (each.ratings for each in _rated(source, outputs))


def expert_rating_rows(sources: Iterable[ReleasedSource], *, outputs: bool = False) -> Iterator[Ratings]:
    """Yield the experts' ratings of the same subjects, in the same order."""
    for source in sources:
        yield from (each.expert_ratings for each in _rated(source, outputs))


def _rated(source: ReleasedSource, outputs: bool) -> list[Subject]:
    """Return the compressions and comparisons of a source that the crowd rated; with outputs, what anybody rated.

    Outputs that share the ratings of a text stand for one subject.
    """
    if not outputs:
        compared: list[Subject] = [*source.texts, *source.comparisons]
        return [each for each in compared if each.ratings]
    together = {text.text for text in source.texts}
    subjects: list[Subject] = list(source.texts)
    for output in source.outputs:
        if output.rated_apart or output.text not in together:
            subjects.append(output)
            together |= set() if output.rated_apart else {output.text}
    return [each for each in subjects if each.ratings or each.expert_ratings]


def _with_people(ratings: Sequence[ReleasedRating]) -> Iterator[tuple[Person, ReleasedRating, int]]:
    """Yield each rating with its person and index; a name that occurs twice at a subject is two people."""
    seen: Counter[str] = Counter()
    for index, rating in enumerate(ratings):
        yield (rating.rater, seen[rating.rater]), rating, index
        seen[rating.rater] += 1


def _display_name(person: Person) -> str:
    name, nth = person
    return f"{name} ({nth + 1})" if nth else name


def _natural_order(person: Person) -> tuple[bool, int, str, int]:
    """Sort key: numbers by value, then other names, then unknown raters."""
    name, nth = person
    number = int(name) if name.isascii() and name.isdecimal() else 2**63
    return not name, number, name, nth

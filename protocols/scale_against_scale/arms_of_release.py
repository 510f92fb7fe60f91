"""The ratings of a release on two scales, each of an arm, as arrays of the same texts."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from corpus.rating_matrices import crowd_rating_rows, rated_subjects, rating_matrix
from corpus.release.records import ReleasedOutput, ReleasedSource, ReleasedText, Subject
from crowd.scales import Scale
from measures.core.arrays import FloatArray, IntArray
from measures.experiments.scale_arms import ScaleArm, scale_arm

MOST_WRITERS = 20
LEAST_WRITTEN = 6


@dataclass(frozen=True, eq=False)
class ComparedRatings:
    """The arms of two scales: row by row the same texts, each with its source's family and who made it.

    `whole` are the arms with as many ratings of a text as most texts have, for halves. `writers` are systems where two
    or more were rated, else the editors with the most texts; `by_writer` has the rows that are by one of them.
    """

    scales: tuple[Scale, Scale]
    arms: tuple[ScaleArm, ScaleArm]
    whole: tuple[ScaleArm, ScaleArm]
    sources: IntArray
    writer: list[str]
    writers_are_systems: bool

    @property
    def by_writer(self) -> IntArray:
        return np.flatnonzero([bool(name) for name in self.writer])

    def raters(self, arm: int) -> int:
        return self.arms[arm].people


def compared_ratings(sources: Sequence[ReleasedSource], scales: tuple[Scale, Scale]) -> ComparedRatings:
    """Return the crowd's ratings of texts and outputs on two scales; texts without any on both are left out."""
    matrix = rating_matrix(crowd_rating_rows(sources, outputs=True))
    judged = list(rated_subjects(sources, outputs=True))
    points = [matrix.points(scale.key) for scale in scales]
    is_rated = np.any([~np.isnan(each).all(axis=1) for each in points], axis=0) if judged else np.zeros(0, np.bool_)
    kept = np.flatnonzero(is_rated)
    people = _people(matrix.raters)
    compact = [_compact(each[kept], people[kept]) for each in points]
    families = np.unique(np.array([judged[row][0].family for row in kept], dtype=np.str_), return_inverse=True)[1]
    writer, are_systems = _writers([_author(judged[row][1]) for row in kept])
    first, second = (_arm(given, who, scale) for (given, who), scale in zip(compact, scales, strict=True))
    one, other = (
        _arm(given[:, :most], who[:, :most], scale)
        for (given, who), scale in zip(compact, scales, strict=True)
        for most in [_usual(given)]
    )
    return ComparedRatings(scales, (first, second), (one, other), families.reshape(-1), writer, are_systems)


def _arm(points: FloatArray, people: IntArray, scale: Scale) -> ScaleArm:
    return scale_arm(points, people, categories=list(scale.values))


def _people(raters: IntArray) -> IntArray:
    """Return who gave each rating; each that nobody is known for is by a person of its own."""
    unknown = np.arange(raters.size).reshape(raters.shape) + raters.max(initial=0) + 1
    return np.where(raters < 0, unknown, raters)


def _compact(points: FloatArray, people: IntArray) -> tuple[FloatArray, IntArray]:
    """Move the ratings of each text to the left and drop the columns that nobody has any in."""
    is_given = ~np.isnan(points)
    order = np.argsort(~is_given, axis=1, kind="stable")
    width = int(is_given.sum(axis=1).max(initial=0))
    return np.take_along_axis(points, order, 1)[:, :width], np.take_along_axis(people, order, 1)[:, :width]


def _usual(points: FloatArray) -> int:
    """Return how many ratings most texts have; the larger number of two that are as frequent."""
    counts = Counter((~np.isnan(points)).sum(axis=1).tolist())
    return max(counts, key=lambda number: (counts[number], number), default=0)


def _author(subject: Subject) -> tuple[str, str]:
    """Return the editor and the system of a subject, either empty."""
    if isinstance(subject, ReleasedText):
        return (subject.editors[0] if subject.editors else "", "")
    return ("", subject.system if isinstance(subject, ReleasedOutput) else "")


def _writers(chosen: Sequence[tuple[str, str]]) -> tuple[list[str], bool]:
    """Return who made each text, as far as they are compared, and whether those are systems."""
    systems = {system for _, system in chosen} - {""}
    if len(systems) > 1:
        return [system for _, system in chosen], True
    written = Counter(editor for editor, _ in chosen if editor)
    most = {editor for editor, number in written.most_common(MOST_WRITERS) if number >= LEAST_WRITTEN}
    return [editor if editor in most else "" for editor, _ in chosen], False

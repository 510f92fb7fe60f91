"""Ratings of systems' outputs by people, and the means of the sources that all systems have."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from measures.agreement.mean_rounding import whole_values
from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.rating_scale import Categories, category_indices
from measures.core.undefined import Undefined

JudgesOf: TypeAlias = Literal["both", "all"]
"""Whose judgements count for a source: those of people who judged every system that is compared, or everybody's."""

MOST_CELLS = 20_000_000
NO_SOURCES = Undefined("no source has judgements of all systems that are compared")
ONE_SOURCE = Undefined("fewer than two sources")


@dataclass(frozen=True, eq=False)
class Judgements:
    """Ratings of outputs, each for one source by one system, on a scale of whole numbers.

    Attributes
    ----------
    points : IntArray of shape (n,)
        The ratings.
    system, source, judge : IntArray of shape (n,)
        Places in `systems`, `sources` and `judges`.
    systems, sources, judges : tuple
        The names, sorted.
    categories : IntArray of shape (k,)
        The points of the scale.
    """

    points: IntArray
    system: IntArray
    source: IntArray
    judge: IntArray
    systems: tuple[Hashable, ...]
    sources: tuple[Hashable, ...]
    judges: tuple[Hashable, ...]
    categories: IntArray

    @cached_property
    def cube(self) -> IntArray:
        """Return for each source, judge and system the category, from 0, or -1: shape (sources, judges, systems)."""
        cube = np.full((len(self.sources), len(self.judges), len(self.systems)), -1)
        cube[self.source, self.judge, self.system] = self.points - self.categories[0]
        return cube


def judgements(
    points: npt.ArrayLike,
    systems: npt.ArrayLike,
    sources: npt.ArrayLike,
    judges: npt.ArrayLike,
    *,
    categories: Categories,
) -> Judgements:
    """Put ratings of outputs together.

    Parameters
    ----------
    points : array_like of int, of shape (n,)
        The ratings.
    systems, sources, judges : array_like of shape (n,)
        The system, the source and the judge of each.
    categories : int or sequence of int
        The scale: successive whole numbers.

    Returns
    -------
    Judgements
        The ratings.

    Raises
    ------
    ValueError
        If lengths differ, a rating is missing or not one of the categories, a judge rated an output twice, or sources
        times systems times judges are more than 20 million.

    Examples
    --------
    >>> judgements([1, 5], ["a", "b"], [7, 7], ["x", "x"], categories=5).systems
    ('a', 'b')
    """
    whole, places = whole_values(categories), category_indices(points, categories)
    names = [np.asarray(each) for each in (systems, sources, judges)]
    if places.ndim != 1 or any(each.shape != places.shape for each in names):
        raise ValueError("points, systems, sources and judges must be of one length")
    if (places < 0).any():
        raise ValueError("a rating is missing")
    found = [np.unique(each, return_inverse=True) for each in names]
    (system_names, system), (source_names, source), (judge_names, judge) = found
    if len(np.unique(np.stack([system, source, judge]), axis=1).T) < len(places):
        raise ValueError("a judge rated an output twice")
    if len(system_names) * len(source_names) * len(judge_names) > MOST_CELLS:
        raise ValueError(
            f"{len(source_names)} sources, {len(system_names)} systems and {len(judge_names)} judges are more than can "
            f"be compared at once: their product may be {MOST_CELLS:,}"
        )
    return Judgements(
        points=whole[places],
        system=np.asarray(system, dtype=np.int64),
        source=np.asarray(source, dtype=np.int64),
        judge=np.asarray(judge, dtype=np.int64),
        systems=tuple(system_names.tolist()),
        sources=tuple(source_names.tolist()),
        judges=tuple(judge_names.tolist()),
        categories=whole,
    )


@dataclass(frozen=True, eq=False)
class SourceMeans:
    """The ratings of each source and system as sums of whole numbers, which compare exactly.

    Attributes
    ----------
    systems : tuple
        The k systems.
    sources : tuple
        The n sources with judgements of all of them.
    sums, numbers : IntArray of shape (n, k)
        Sum and number of the ratings that count.
    medians_doubled : IntArray of shape (n, k)
        Twice their median.
    left_out : int
        Sources with judgements, but not of all systems by the judges who count.
    """

    systems: tuple[Hashable, ...]
    sources: tuple[Hashable, ...]
    sums: IntArray
    numbers: IntArray
    medians_doubled: IntArray
    left_out: int

    @property
    def means(self) -> FloatArray:
        """Means, as floating-point numbers: shape (n, k)."""
        return np.asarray(self.sums / self.numbers)

    def mean(self, column: int) -> Fraction:
        """Return the mean over sources of a system's means, exactly."""
        pairs = zip(self.sums[:, column].tolist(), self.numbers[:, column].tolist(), strict=True)
        return sum((Fraction(total, number) for total, number in pairs), Fraction(0)) / len(self.sources)

    def differences(self, one: int, other: int) -> FloatArray:
        """Return the differences of two systems' means, shape (n,): equal means give 0 exactly."""
        (a, b), (m, n) = (each[:, [one, other]].T for each in (self.sums, self.numbers))
        return np.asarray((a * n - b * m) / (m * n))


def source_means(
    found: Judgements, systems: Sequence[Hashable] | None = None, *, judges: JudgesOf = "both"
) -> SourceMeans | Undefined:
    """Add up the ratings of each source and system.

    Parameters
    ----------
    found : Judgements
        The ratings.
    systems : sequence, optional
        The systems to compare, by default all.
    judges : {"both", "all"}
        Whether a judge counts for a source only after judging all these systems.

    Returns
    -------
    SourceMeans or Undefined
        Undefined if no source has judgements of all systems.

    Raises
    ------
    ValueError
        If a system is unknown or stands twice, there are fewer than two, or the option is unknown.

    Examples
    --------
    >>> table = judgements([3, 4, 5], ["a", "b", "b"], [1, 1, 1], ["x", "x", "y"], categories=5)
    >>> source_means(table).means.tolist(), source_means(table, judges="all").means.tolist()
    ([[3.0, 4.0]], [[3.0, 4.5]])
    """
    if judges not in ("both", "all"):
        raise ValueError(f"judges must be both or all, not {judges!r}")
    chosen = tuple(found.systems if systems is None else systems)
    unknown = [each for each in chosen if each not in found.systems]
    if unknown or len(set(chosen)) < max(2, len(chosen)):
        raise ValueError(f"two or more distinct systems that were judged, not {', '.join(map(str, chosen))}")
    cube = found.cube[:, :, [found.systems.index(each) for each in chosen]]
    there: BoolArray = np.asarray(cube >= 0)
    if judges == "both":
        there &= there.all(axis=2, keepdims=True)
    points = np.where(there, cube + found.categories[0], 0)
    numbers = there.sum(axis=1)
    whole = (numbers > 0).all(axis=1)
    if not whole.any():
        return NO_SOURCES
    ordered = np.sort(np.where(there, cube, np.iinfo(np.int64).max), axis=1)[whole]
    kept = numbers[whole]
    middles = [np.take_along_axis(ordered, each[:, None], axis=1)[:, 0] for each in ((kept - 1) // 2, kept // 2)]
    return SourceMeans(
        chosen,
        tuple(name for name, is_whole in zip(found.sources, whole.tolist(), strict=True) if is_whole),
        points.sum(axis=1)[whole],
        kept,
        middles[0] + middles[1] + 2 * int(found.categories[0]),
        len(whole) - int(whole.sum()),
    )

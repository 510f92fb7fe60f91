"""Rankings as pairs of which one wins: wins, strengths with intervals over items, and circles."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray, IntArray
from measures.core.drawn_sources import LEAST_SOURCES, TOO_FEW_SOURCES, drawn_interval, source_draws
from measures.core.intervals import Interval
from measures.core.undefined import Undefined
from measures.experiments.davidson import Davidson, davidson, fitted
from measures.experiments.rankings import DRAWS, answered

LONE_DRAWS = Undefined("no interval: more than one in 40 draws of the items has no strengths")
NO_TRIAD = Undefined("no three systems of which each pair has a winner")

_MOST_UNDEFINED = 1 / 40
_BLOCK = 400_000


@dataclass(frozen=True, eq=False)
class PairResults:
    """Which of two systems stood before the other, in each item over its answers.

    Attributes
    ----------
    wins : IntArray of shape (items, systems, systems)
        How often the system of the row stood before that of the column.
    ties : IntArray of shape (items, systems, systems)
        How often they tied; symmetric, 0 on the diagonal.
    """

    wins: IntArray
    ties: IntArray

    @property
    def half_wins(self) -> FloatArray:
        """Wins over all items with a half for each tie, shape (systems, systems)."""
        return np.asarray(self.wins.sum(axis=0) + self.ties.sum(axis=0) / 2)


def pair_results(given: npt.ArrayLike) -> PairResults:
    """Count the pairs of systems in each item by who stands before the other.

    Parameters
    ----------
    given : array_like of shape (items, answers, systems)
        As for `answered`: 1 is best.

    Returns
    -------
    PairResults
        Wins and ties.

    Raises
    ------
    ValueError
        As `answered`.

    Examples
    --------
    >>> results = pair_results([[[1, 1, 2], [1, 2, 3]]])
    >>> results.half_wins.tolist()
    [[0.0, 1.5, 2.0], [0.5, 0.0, 2.0], [0.0, 0.0, 0.0]]
    """
    values = answered(given)
    wins = np.zeros((len(values), values.shape[2], values.shape[2]), dtype=np.int64)
    ties = np.zeros_like(wins)
    for answer in np.moveaxis(values, 1, 0):
        wins += answer[:, :, None] < answer[:, None, :]
        ties += answer[:, :, None] == answer[:, None, :]
    ties[:, np.arange(ties.shape[1]), np.arange(ties.shape[1])] = 0
    return PairResults(wins, ties)


@dataclass(frozen=True)
class PairStrengths:
    """Strengths of systems with intervals over items.

    Attributes
    ----------
    fit : Davidson
        The estimates.
    intervals : tuple of (Interval or Undefined)
        Of the log strength of each system, over draws of the items; undefined for fewer than 10 items, or if more than
        one in 40 draws has no strengths.
    tie_interval : Interval or Undefined
        Of the tie parameter; also undefined without ties.
    items : int
        Number of items.
    draws, undefined_draws : int
        Number of draws, and of those among them without strengths, which are left out.
    """

    fit: Davidson
    intervals: tuple[Interval | Undefined, ...]
    tie_interval: Interval | Undefined
    items: int
    draws: int
    undefined_draws: int


def pair_strengths(
    results: PairResults, *, pseudo_wins: float = 0.0, draws: int = DRAWS, seed: int
) -> PairStrengths | Undefined:
    """Fit `davidson` to all items, with percentile intervals that draw items with all their answers.

    The pairs of one answer are not independent, which the draws of whole items allow for and a standard error of the
    model would not.

    Source: Davidson 1970, "On extending the Bradley-Terry model to accommodate ties in paired comparison experiments";
    Field and Welsh 2007, "Bootstrapping clustered data".

    Parameters
    ----------
    results : PairResults
        Wins and ties by item.
    pseudo_wins : float, default 0
        As for `davidson`; added once to each draw.
    draws : int, default 10_000
        Number of draws.
    seed : int
        Seed of the draws.

    Returns
    -------
    PairStrengths or Undefined
        As `davidson`.

    Raises
    ------
    ValueError
        As `davidson`; if `draws` < 1.

    Examples
    --------
    >>> orders = [[1, 2, 3], [1, 2, 3], [2, 1, 2], [3, 1, 2], [1, 3, 2]]
    >>> strengths = pair_strengths(pair_results([[order] for order in orders * 4]), draws=500, seed=1)
    >>> first = strengths.intervals[0]
    >>> first.low < strengths.fit.log_strengths[0] < first.high, strengths.undefined_draws
    (True, 0)
    """
    if draws < 1:
        raise ValueError(f"draws must be at least 1, not {draws}")
    fit = davidson(results.wins.sum(axis=0), results.ties.sum(axis=0), pseudo_wins=pseudo_wins)
    if isinstance(fit, Undefined):
        return fit
    items, systems = len(results.wins), results.wins.shape[1]
    if items < LEAST_SOURCES:
        return PairStrengths(fit, (TOO_FEW_SOURCES,) * systems, TOO_FEW_SOURCES, items, 0, 0)
    off = 1 - np.eye(systems)
    won, tied = (each.reshape(items, -1).astype(np.float64) for each in (results.wins, results.ties))
    rows = []
    for times in source_draws(items, draws, seed):
        drawn = [(times @ each).reshape(-1, systems, systems) for each in (won, tied)]
        step = max(1, _BLOCK // systems**2)
        for first in range(0, len(times), step):
            block = slice(first, first + step)
            found = fitted(drawn[0][block] + pseudo_wins * off, drawn[1][block])
            rows.append(np.column_stack([found.theta, np.exp(found.log_tie)])[found.found])
    kept = np.concatenate(rows)
    lost = draws - len(kept)
    intervals = [LONE_DRAWS if lost > _MOST_UNDEFINED * draws else drawn_interval(column, items) for column in kept.T]
    return PairStrengths(fit, tuple(intervals[:-1]), intervals[-1], items, draws, lost)


@dataclass(frozen=True)
class CircularTriads:
    """Threes of systems of which the majority puts each before another in a circle.

    Attributes
    ----------
    circular, decided, triads : int
        Numbers of circles, of triads in which each pair has a winner, and of all triads.
    """

    circular: int
    decided: int
    triads: int

    @property
    def share(self) -> float | Undefined:
        """Circles as a share of the decided triads; a quarter if winners were drawn by coins."""
        return self.circular / self.decided if self.decided else NO_TRIAD


def circular_triads(half_wins: npt.ArrayLike) -> CircularTriads:
    """Count the circular triads among systems, of which one wins against another if most pairs say so.

    Source: Kendall and Babington Smith 1940, "On the method of paired comparisons".

    Parameters
    ----------
    half_wins : array_like of shape (systems, systems)
        Wins of the row over the column, ties as a half or left out.

    Returns
    -------
    CircularTriads
        The counts.

    Raises
    ------
    ValueError
        If the table is not square.

    Examples
    --------
    >>> circular_triads([[0, 2, 1], [1, 0, 2], [2, 1, 0]]).share
    1.0
    """
    won = np.asarray(half_wins, dtype=np.float64)
    if won.ndim != 2 or won.shape[0] != won.shape[1]:
        raise ValueError(f"wins must be square, not of shape {won.shape}")
    before = (won > won.T).astype(np.int64)
    decided = before + before.T
    circles = np.trace(np.linalg.matrix_power(before, 3)) // 3
    return CircularTriads(int(circles), int(np.trace(np.linalg.matrix_power(decided, 3)) // 6), comb(len(won), 3))

"""Rankings as pairs of which one wins: wins, strengths by the model of Bradley, Terry and Davidson, and circles."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
import numpy.typing as npt

from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.drawn_sources import LEAST_SOURCES, TOO_FEW_SOURCES, source_draws
from measures.core.intervals import Interval
from measures.core.undefined import Undefined
from measures.experiments.rankings import DRAWS, answered

PSEUDO_WINS = 0.1
"""The wins of each system over each other one that keep strengths finite where they are asked for."""

NO_PAIR = Undefined("no answer ranks two systems")
ALL_TIED = Undefined("all pairs tie")
NO_STRENGTH = Undefined(
    "some systems never lose to the others or were never compared with them, so that their strength has no bound; "
    f"{PSEUDO_WINS} pseudo-wins give it one"
)
LONE_DRAWS = Undefined("no interval: more than one in 40 draws of the items has no strengths")
NO_TRIAD = Undefined("no three systems of which each pair has a winner")

_MOST_UNDEFINED = 1 / 40
_STEPS = 200
_LONGEST_STEP = 2.0
_SETTLED = 1e-8
_FAR = -1e6


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
class Davidson:
    """Strengths of systems: P(i before j) = p_i / D, P(tie) = nu sqrt(p_i p_j) / D, D = p_i + p_j + nu sqrt(p_i p_j).

    Attributes
    ----------
    log_strengths : tuple of float
        log p of each system; their sum is 0.
    tie : float
        nu, 0 where there is no tie: two systems of one strength tie with the probability nu / (2 + nu).
    log_likelihood : float
        Its greatest value, pseudo-wins included.
    """

    log_strengths: tuple[float, ...]
    tie: float
    log_likelihood: float


def davidson(wins: npt.ArrayLike, ties: npt.ArrayLike, *, pseudo_wins: float = 0.0) -> Davidson | Undefined:
    """Fit the model of Bradley and Terry with Davidson's parameter for ties, by maximum likelihood.

    A maximum exists if neither a group of systems never loses to the others, nor all strengths and the tie parameter
    can grow together without contradicting a result, as where two systems have wins of one of them and ties only.

    Source: Davidson 1970, "On extending the Bradley-Terry model to accommodate ties in paired comparison experiments",
    for the model; Albert and Anderson 1984, "On the existence of maximum likelihood estimates in logistic regression
    models".

    Parameters
    ----------
    wins, ties : array_like of shape (systems, systems)
        How often the system of the row stood before that of the column, and how often they tied (symmetric).
    pseudo_wins : float, default 0
        Wins to add for each system over each other one; `PSEUDO_WINS` is usual.

    Returns
    -------
    Davidson or Undefined
        Undefined without any pair, or if a strength has no bound.

    Raises
    ------
    ValueError
        If the shapes do not fit, a number is below 0 or infinite, or `ties` is not symmetric.

    Examples
    --------
    >>> fit = davidson([[0, 5, 6], [3, 0, 5], [2, 1, 0]], [[0, 2, 2], [2, 0, 4], [2, 4, 0]])
    >>> [round(each, 2) for each in fit.log_strengths], round(fit.tie, 2)
    ([0.6, 0.2, -0.81], 0.82)
    >>> isinstance(davidson([[0, 5], [0, 0]], [[0, 2], [2, 0]]), Undefined)
    True
    """
    won, tied = (np.asarray(each, dtype=np.float64) for each in (wins, ties))
    if won.ndim != 2 or won.shape[0] != won.shape[1] or won.shape != tied.shape:
        raise ValueError(f"wins and ties must be square and of one size, not {won.shape} and {tied.shape}")
    if not (np.isfinite(won).all() and np.isfinite(tied).all() and pseudo_wins >= 0):
        raise ValueError("wins, ties and pseudo_wins must be finite, and none below 0")
    if (won < 0).any() or (tied < 0).any() or (tied != tied.T).any():
        raise ValueError("wins and ties must be at least 0, and ties symmetric")
    off = 1 - np.eye(len(won))
    if not ((won + tied) * off).any():
        return NO_PAIR
    if not ((won + pseudo_wins) * off).any():
        return ALL_TIED
    fit = _fitted(((won + pseudo_wins) * off)[None], (tied * off)[None])
    if not fit.found[0]:
        return NO_STRENGTH
    return Davidson(tuple(fit.theta[0].tolist()), float(np.exp(fit.log_tie[0])), float(fit.log_likelihood[0]))


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
        Of the tie parameter.
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
        found = _fitted(drawn[0] + pseudo_wins * off, drawn[1])
        rows.append(np.column_stack([found.theta, np.exp(found.log_tie)])[found.found])
    kept = np.concatenate(rows)
    lost = draws - len(kept)
    intervals = [LONE_DRAWS if lost > _MOST_UNDEFINED * draws else Interval.of(column) for column in kept.T]
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


@dataclass(frozen=True, eq=False)
class _Fits:
    """One fit for each of b tables; `found` says where there is a maximum."""

    theta: FloatArray
    log_tie: FloatArray
    log_likelihood: FloatArray
    found: BoolArray


def _fitted(won: FloatArray, tied: FloatArray) -> _Fits:
    """Fit tables (b, s, s) together, by Newton's steps: the likelihood is concave in log strengths and log nu."""
    tables, systems = won.shape[:2]
    theta = np.zeros((tables, systems))
    has_ties = np.asarray(tied.any(axis=(1, 2)))
    log_tie = np.where(has_ties, 0.0, -np.inf)
    likelihood = np.full(tables, np.nan)
    found = _has_maximum(won, tied)
    active = np.flatnonzero(found)
    for _ in range(_STEPS):
        if not len(active):
            break
        slope, information, likelihood[active] = _derivatives(theta[active], log_tie[active], won[active], tied[active])
        step = np.linalg.solve(information, slope[..., None])[..., 0]
        longest = np.abs(step).max(axis=1)
        step *= np.minimum(1, _LONGEST_STEP / np.maximum(longest, _SETTLED))[:, None]
        theta[active] += step[:, :-1]
        log_tie[active] += np.where(has_ties[active], step[:, -1], 0)
        active = active[longest > _SETTLED]
    found[active] = False
    return _Fits(theta - theta.mean(axis=1, keepdims=True), log_tie, likelihood, found)


def _derivatives(
    theta: FloatArray, log_tie: FloatArray, won: FloatArray, tied: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return slope (b, s + 1) and information (b, s + 1, s + 1) of the log-likelihood, and its value."""
    systems = theta.shape[1]
    half = (theta[:, :, None] - theta[:, None, :]) / 2
    level = np.broadcast_to(log_tie[:, None, None], half.shape)
    most = np.maximum(np.abs(half), level)
    total = most + np.log(np.exp(half - most) + np.exp(-half - most) + np.exp(level - most))
    wins, tie = np.exp(half - total), np.exp(level - total)
    ahead, number = wins - np.swapaxes(wins, 1, 2), won + np.swapaxes(won, 1, 2) + tied
    log_of_ties = np.where(tied > 0, tied * np.where(tied > 0, level - total, 0), 0)
    value = (won * (half - total)).sum(axis=(1, 2)) + log_of_ties.sum(axis=(1, 2)) / 2
    slope = np.empty((len(theta), systems + 1))
    slope[:, :-1] = ((won - np.swapaxes(won, 1, 2) - number * ahead) / 2).sum(axis=2)
    slope[:, -1] = (tied - number * tie).sum(axis=(1, 2)) / 2
    spread = number * (wins + np.swapaxes(wins, 1, 2) - ahead**2) / 4
    information = np.zeros((len(theta), systems + 1, systems + 1))
    # Strengths are known up to a constant: a ridge along it keeps their sum.
    information[:, :-1, :-1] = np.eye(systems) * spread.sum(axis=2)[:, :, None] - spread + 1 / systems
    information[:, :-1, -1] = information[:, -1, :-1] = -(number * ahead * tie).sum(axis=2) / 2
    of_tie = (number * tie * (1 - tie)).sum(axis=(1, 2)) / 2
    information[:, -1, -1] = np.where(np.isneginf(log_tie), 1.0, of_tie)
    return slope, information, value


def _has_maximum(won: FloatArray, tied: FloatArray) -> BoolArray:
    """Say of each table whether no direction of the parameters leads away for ever without lowering the likelihood."""
    systems = won.shape[1]
    linked = np.asarray((won > 0) | (tied > 0))
    # Without ties: no group may win always. With ties: nor may strengths and nu grow together, where each winner is at
    # least 1 ahead and each tie at most 1 apart; such strengths exist unless a circle of these bounds is below 0.
    bound = np.where(won > 0, -1.0, np.where(tied > 0, 1.0, np.inf))
    for middle in range(systems):
        linked |= linked[:, :, middle, None] & linked[:, middle, None, :]
        through = bound[:, :, middle, None] + bound[:, middle, None, :]
        bound = np.maximum(np.minimum(bound, through), _FAR)
    is_one = (linked | np.eye(systems, dtype=np.bool_)).all(axis=(1, 2))
    no_growth = (np.diagonal(bound, axis1=1, axis2=2) < 0).any(axis=1)
    return np.asarray(is_one & (no_growth | ~tied.any(axis=(1, 2))))

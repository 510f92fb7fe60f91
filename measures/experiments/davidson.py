"""Strengths of things that were compared in pairs, with ties: the model of Bradley, Terry and Davidson."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from measures.core.arrays import BoolArray, FloatArray
from measures.core.undefined import Undefined

PSEUDO_WINS = 0.1
"""The wins of each system over each other one that keep strengths finite where they are asked for."""

NO_PAIR = Undefined("no answer ranks two systems")
ALL_TIED = Undefined("all pairs tie")
NO_STRENGTH = Undefined(
    "some systems never lose to the others or were never compared with them, so that their strength has no bound; "
    f"{PSEUDO_WINS} pseudo-wins give it one"
)

_STEPS = 200
_LONGEST_STEP = 2.0
_SETTLED = 1e-8
_FAR = -1e6


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
    fit = fitted(((won + pseudo_wins) * off)[None], (tied * off)[None])
    if not fit.found[0]:
        return NO_STRENGTH
    return Davidson(tuple(fit.theta[0].tolist()), float(np.exp(fit.log_tie[0])), float(fit.log_likelihood[0]))


@dataclass(frozen=True, eq=False)
class Fits:
    """Fits of several tables.

    Attributes
    ----------
    theta : FloatArray of shape (tables, systems)
        Log strengths; each row has the sum 0.
    log_tie : FloatArray of shape (tables,)
        Log nu, minus infinity without ties.
    log_likelihood : FloatArray of shape (tables,)
        The greatest value.
    found : BoolArray of shape (tables,)
        Where there is a maximum; elsewhere the numbers mean nothing.
    """

    theta: FloatArray
    log_tie: FloatArray
    log_likelihood: FloatArray
    found: BoolArray


def fitted(won: FloatArray, tied: FloatArray) -> Fits:
    """Fit many tables together, by Newton's steps: the likelihood is concave in log strengths and log nu.

    Parameters
    ----------
    won, tied : FloatArray of shape (tables, systems, systems)
        As for `davidson`, with 0 on the diagonals.

    Returns
    -------
    Fits
        One for each table.

    Examples
    --------
    >>> fits = fitted(np.array([[[0.0, 3], [1, 0]], [[0, 2], [0, 0]]]), np.zeros((2, 2, 2)))
    >>> fits.found.tolist(), round(float(np.exp(fits.theta[0, 0] - fits.theta[0, 1])), 6)
    ([True, False], 3.0)
    """
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
    return Fits(theta - theta.mean(axis=1, keepdims=True), log_tie, likelihood, found)


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

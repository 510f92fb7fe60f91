"""Contests: is a model or a person closer to the other raters of an item?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from measures.core.arrays import BoolArray, FloatArray

Score: TypeAlias = Literal["accuracy", "-RMSE"]


@dataclass(frozen=True)
class Contests:
    """Whether the model or a rater is closer to the other raters of an item.

    Attributes
    ----------
    counted : BoolArray of shape (items, raters)
        Where the rater rated an item that the model and enough people rated.
    model_wins, rater_wins : BoolArray of shape (items, raters)
        Whether the model is at least as close as the rater, and the other way round; a tie is a win of both.
    """

    counted: BoolArray
    model_wins: BoolArray
    rater_wins: BoolArray


def contests(
    model: npt.ArrayLike, ratings: npt.ArrayLike, *, score: Score = "accuracy", min_raters: int = 2
) -> Contests:
    """Compare the model and each rater with the other raters, item by item.

    Parameters
    ----------
    model : array_like of shape (items,)
        The model's ratings, NaN where missing.
    ratings : array_like of shape (items, raters)
        People's, NaN where missing.
    score : {"accuracy", "-RMSE"}
        Share of the others with the same rating, or minus the root of the mean squared distance from them.
    min_raters : int
        Fewest raters of an item, at least 2.

    Returns
    -------
    Contests
        Wins of both sides.

    Raises
    ------
    ValueError
        If the shapes do not fit, a rating is infinite, or `min_raters` is below 2.

    Examples
    --------
    >>> contests([3, 1], [[3, 3, 1], [1, 2, np.nan]]).model_wins.tolist()
    [[True, True, True], [True, True, False]]
    """
    x, y = np.asarray(model, dtype=np.float64), np.asarray(ratings, dtype=np.float64)
    if y.ndim != 2 or x.shape != y.shape[:1] or np.isinf(x).any() or np.isinf(y).any() or min_raters < 2:
        raise ValueError(
            f"ratings must be items by raters, not {y.shape}, of {x.shape} items, and min_raters 2 or more"
        )
    there = np.isfinite(y)
    counted = there & (np.isfinite(x) & (there.sum(axis=1) >= min_raters))[:, None]
    model_wins, rater_wins = np.zeros_like(counted), np.zeros_like(counted)
    # Only the raters of an item matter to it: a crowd has many more.
    columns = np.argsort(~there, axis=1, kind="stable")[:, : there.sum(axis=1).max(initial=0)]
    own, models = _distances(x, np.take_along_axis(y, columns, axis=1), score)
    np.put_along_axis(model_wins, columns, models >= own, axis=1)
    np.put_along_axis(rater_wins, columns, own >= models, axis=1)
    return Contests(counted, counted & model_wins, counted & rater_wins)


def _distances(x: FloatArray, y: FloatArray, score: Score) -> tuple[FloatArray, FloatArray]:
    """Return how close each rater, and the model in the rater's place, is to the other raters of each item."""
    there = np.isfinite(y)
    # Rows: items; then who is scored: a rater; then against whom: another rater.
    other = there[:, None, :] & ~np.eye(y.shape[1], dtype=np.bool_)
    return _closeness(y[:, :, None], y[:, None, :], other, score), _closeness(
        x[:, None, None], y[:, None, :], other, score
    )


def _closeness(x: FloatArray, others: FloatArray, counted: BoolArray, score: Score) -> FloatArray:
    number = np.maximum(counted.sum(axis=2), 1)
    cost = x != others if score == "accuracy" else (x - others) ** 2
    # The root does not change which is larger.
    return np.asarray(np.round(-np.where(counted, cost, 0.0).sum(axis=2) / number, 12), dtype=np.float64)

"""How accurate each rater is under the model of Dawid and Skene, which knows no right answers."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from measures.core.arrays import FloatArray, IntArray
from measures.core.rating_scale import category_indices
from measures.quality_control.tables import Ratings, check_range


@dataclass(frozen=True, eq=False)
class PointScores:
    """The scores of a table of ratings as they were given: whole points of each scale, not rescaled.

    Attributes
    ----------
    scores : FloatArray of shape (n, s)
        The points, 1 to `points`: one row for each rating and one column for each scale.
    points : tuple of int, of length s
        Number of points of each scale.

    Raises
    ------
    ValueError
        If `points` is not one number for each column, or a score is not one of the points of its scale.

    Examples
    --------
    >>> PointScores(np.array([[3.0, 5.0], [1.0, 2.0]]), points=(3, 5)).points
    (3, 5)
    """

    scores: FloatArray
    points: tuple[int, ...]

    def __post_init__(self) -> None:
        if self.scores.shape[1:] != (len(self.points),):
            raise ValueError(f"points must be one number for each column of scores, not {self.points!r}")
        for column, points in zip(self.scores.T, self.points, strict=True):
            category_indices(column, points)


def dawid_skene_accuracy(
    ratings: Ratings, n_raters: int, *, points: tuple[int, ...], iterations: int = 100
) -> tuple[FloatArray, IntArray]:
    """Return how probable it is that a rater gives the true label, under a Dawid-Skene model of each scale.

    Source: Dawid & Skene 1979, "Maximum likelihood estimation of observer error-rates using the EM
    algorithm", §3, fitted by crowd-kit. The model knows neither the true labels nor that the points have
    an order: it estimates how common each true label is and how often each rater gives each label for each
    true one. A rater's accuracy is the sum over the true labels of the first times the second for the same
    label, averaged over the scales. That one number is this project's choice; the paper gives none.

    Of true labels that a rater never met nothing is known: crowd-kit then takes the labels this rater gave
    anywhere for equally likely. A rater whose texts nobody else rated agrees with the truth by
    construction. Raters who agree with each other in error pass for accurate.

    Parameters
    ----------
    ratings : Ratings
        The ratings, n rows, with scores in points: whole numbers from 1 to `points`, not rescaled. A text
        that a rater rated several times counts each time, as in the paper.
    n_raters : int
        Number of raters.
    points : tuple of int, of length s
        Number of points of each scale.
    iterations : int, default 100
        So many steps of the EM algorithm at most. It ends before when what crowd-kit takes for the evidence
        grows by less than 1e-5 for each rating, which settles an accuracy to about a thousandth.

    Returns
    -------
    accuracy : FloatArray of shape (n_raters,)
        0 to 1, great is good; NaN for a rater without ratings. Neither chance nor the order of the ratings
        has a part in it. Takes some 4 seconds for a million ratings, on each scale and in each step.
    items : IntArray of shape (n_raters,)
        Number of texts of each rater.

    Raises
    ------
    ValueError
        If a rater is out of range, a score is not one of the points, or `iterations` is below 1.
    ImportError
        If crowd-kit is not installed.

    Examples
    --------
    >>> scores = np.array([[1.0], [1.0], [1.0], [3.0], [3.0], [1.0]])
    >>> ratings = Ratings(np.repeat([0, 1], 3), np.tile([0, 1, 2], 2), scores)
    >>> accuracy, items = dawid_skene_accuracy(ratings, n_raters=4, points=(3,))
    >>> accuracy.round(2), items
    (array([1. , 1. , 0.5, nan]), array([2, 2, 2, 0]))
    """
    check_range("rater", ratings.rater, n_raters)
    if iterations < 1:
        raise ValueError(f"iterations must be at least 1, not {iterations}")
    scores = PointScores(ratings.scores, points).scores
    # Sums in another order differ in the last bits: the rows go in the same order always.
    order = np.lexsort((*scores.T, ratings.rater, ratings.text))
    text, rater = ratings.text[order], ratings.rater[order]
    fitted = [_accuracy(text, rater, column, n_raters, iterations) for column in scores[order].astype(np.int64).T]
    items = np.bincount(np.unique(np.stack([text, rater]), axis=1)[1], minlength=n_raters)
    return np.mean(fitted, axis=0), items.astype(np.int64)


def _accuracy(text: IntArray, rater: IntArray, label: IntArray, n_raters: int, iterations: int) -> FloatArray:
    """Return the accuracy of each rater on one scale."""
    accuracy = np.full(n_raters, np.nan)
    if not len(text):
        return accuracy
    model = _fitted(text, rater, label, iterations)
    # A row of the errors is a rater and a label that this rater gave, a column is a true label.
    raters, given = (model.errors_.index.get_level_values(name).to_numpy() for name in ("worker", "label"))
    right = model.errors_.to_numpy()[np.arange(len(given)), model.errors_.columns.get_indexer(given)]
    totals = np.bincount(raters, model.priors_.loc[given].to_numpy() * right, minlength=n_raters)
    accuracy[rater] = totals[rater]
    return accuracy


def _fitted(text: IntArray, rater: IntArray, label: IntArray, iterations: int) -> Any:
    # Both are heavy: together they take seconds to import, and only this measure wants them.
    try:
        import pandas as pd  # noqa: PLC0415
        from crowdkit.aggregation.classification import DawidSkene  # noqa: PLC0415
    except ImportError as error:
        raise ImportError("the Dawid-Skene accuracy needs crowd-kit: pip install crowd-kit") from error
    with warnings.catch_warnings():
        # crowd-kit 1.4 calls pandas in ways that pandas 3 calls old.
        warnings.simplefilter("ignore", DeprecationWarning)
        return DawidSkene(n_iter=iterations).fit(pd.DataFrame({"task": text, "worker": rater, "label": label}))

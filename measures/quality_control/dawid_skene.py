"""How accurate each rater is under the model of Dawid and Skene, which knows no right answers."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from measures.core.arrays import FloatArray, IntArray
from measures.core.rating_scale import category_indices
from measures.quality_control.measured_quality import Convergence, MeasuredQuality
from measures.quality_control.tables import Ratings, check_range

SMOOTHING = 1e-10
"""Pseudo-count of each rate: so little that the estimates are those of maximum likelihood, and no rate is 0."""

TOLERANCE, SMALL_TOLERANCE = 1e-7, 1e-9
"""EM ends when no rater's accuracy moves by more than this in a step; the second is for small tables. What is left to
go is more, since EM may move slowly for long."""

SMALL_RATINGS = 20_000
"""A table of at most so many ratings is small: EM may end on a plateau of it, so it is nudged and goes on."""

NUDGE, NUDGES = 0.3, 5
"""The true labels are mixed with this share of the first guess, as often as that leads higher, at most so many times.
Of 200 simulated tables of 120 ratings, none of them used to choose these numbers, EM ended more than 0.001 from its
limit in 27 by `TOLERANCE` alone and in 2 with this."""

HIGHER = 1e-6
"""How much the objective must rise for a nudge to have led higher."""

ITERATIONS = 5000
"""Steps of EM at most: many times what the size of Toutanova et al. 2016 takes."""


class ConvergenceWarning(UserWarning):
    """The EM algorithm came to its last step before its estimates had settled."""


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


@dataclass(frozen=True, eq=False)
class DawidSkene:
    """A fitted model of Dawid and Skene: t texts, r raters and the k labels that anybody gave.

    Attributes
    ----------
    texts : IntArray of shape (t,)
        The numbers of the texts that were rated, rising.
    raters : IntArray of shape (r,)
        The numbers of the raters, rising.
    labels : IntArray of shape (k,)
        The labels that were given, rising.
    truth : FloatArray of shape (t, k)
        How probable it is that a label is the true one of a text, 0 to 1; each row sums to 1.
    prior : FloatArray of shape (k,)
        How common each label is as the true one, 0 to 1; sums to 1.
    rates : FloatArray of shape (r, k, k)
        Of each rater, for each true label (second axis), how often they give each label (third), 0 to 1; sums to
        1 over the third axis.
    objective : FloatArray of shape (steps,)
        What EM climbs, at the beginning of each step since the last nudge: the natural logarithm of the likelihood,
        plus the smoothing times the sum of the logarithms of the rates. It never falls, but for the last bits.
    convergence : Convergence
        How EM ended: the largest change of an accuracy in the last step, and whether it is within the tolerance.
    """

    texts: IntArray
    raters: IntArray
    labels: IntArray
    truth: FloatArray
    prior: FloatArray
    rates: FloatArray
    objective: FloatArray
    convergence: Convergence

    @property
    def accuracy(self) -> FloatArray:
        """How probable it is that each rater gives the true label, 0 to 1: shape (r,)."""
        return np.asarray((np.diagonal(self.rates, axis1=1, axis2=2) * self.prior).sum(axis=1))


def fit_dawid_skene(
    text: IntArray,
    rater: IntArray,
    label: IntArray,
    *,
    smoothing: float = SMOOTHING,
    tolerance: float | None = None,
    iterations: int = ITERATIONS,
) -> DawidSkene:
    """Fit the model of Dawid and Skene to ratings on one scale.

    Source: Dawid & Skene 1979, "Maximum likelihood estimation of observer error-rates using the EM
    algorithm", §3: equations 2.3 to 2.5, begun as in 3.1 from the shares of the labels of each text. Each
    step estimates the true labels from how common they are and from the rates of the raters (E), and these
    from the true labels (M). EM finds a maximum near its beginning, which need not be the greatest of all. Small
    tables have plateaus on which EM hardly moves for long: there it is begun again nearby, and the higher end is kept.

    Parameters
    ----------
    text, rater, label : IntArray of shape (n,)
        The rated text, the rater and the label given: any numbers. A text that a rater rated several times
        counts each time, as in the paper.
    smoothing : float, default 1e-10
        Added to how often each rater gave a label for a true one, for each label that this rater gave at all.
        The default keeps the estimates of maximum likelihood, to the ninth decimal where a rater met a true
        label; for one never met it makes the labels that the rater gave equally likely. With 1, rates of
        raters with few ratings lean to that, too.
    tolerance : float, default 1e-9 for up to 20,000 ratings, otherwise 1e-7
        EM ends when no rater's accuracy changes by more than this in a step. EM is slow at times: what is left
        to go may be a thousand times as much, and more with a tolerance so large that EM ends on a plateau.
    iterations : int, default 5000
        Steps at most.

    Returns
    -------
    DawidSkene
        The model. Neither chance nor the order of the rows has a part in it. The time of a step grows with
        n times k, the memory with n, t times k, and r times k squared.

    Warns
    -----
    ConvergenceWarning
        If the accuracies have not settled after `iterations` steps.

    Raises
    ------
    ValueError
        If there are no ratings, the columns differ in length, or `smoothing`, `tolerance` or `iterations` is
        out of range.

    Examples
    --------
    >>> text, rater = np.repeat([0, 1, 2], 3), np.tile([0, 1, 2], 3)
    >>> model = fit_dawid_skene(text, rater, np.array([1, 1, 1, 3, 3, 1, 3, 3, 3]))
    >>> model.labels, model.prior.round(2), model.truth.round(2)[1], model.convergence.converged
    (array([1, 3]), array([0.33, 0.67]), array([0., 1.]), True)
    >>> model.rates.round(2)[2]
    array([[1. , 0. ],
           [0.5, 0.5]])
    """
    _check_settings(smoothing, tolerance, iterations)
    if {text.shape, rater.shape, label.shape} != {(len(text),)}:
        raise ValueError("the columns of ratings differ in shape")
    if not len(text):
        raise ValueError("there must be ratings to fit a model to")
    # Sums in another order differ in the last bits: the rows go in the same order always.
    order = np.lexsort((label, rater, text))
    table = _Table.of(text[order], rater[order], label[order])
    is_small = len(text) <= SMALL_RATINGS
    settled = tolerance if tolerance is not None else SMALL_TOLERANCE if is_small else TOLERANCE
    first_guess = table.shares_of_labels()
    found = _climbed(table, first_guess, smoothing, settled, iterations)
    for _ in range(NUDGES if is_small and found.convergence.converged else 0):
        nudged = (1 - NUDGE) * found.truth + NUDGE * first_guess
        other = _climbed(table, nudged, smoothing, settled, iterations)
        if not other.convergence.converged or other.objective[-1] <= found.objective[-1] + HIGHER:
            break
        found = other
    if not found.convergence.converged:
        message = f"the Dawid-Skene model has not settled to {settled:g} in {iterations} steps"
        warnings.warn(message, ConvergenceWarning, stacklevel=2)
    return DawidSkene(
        table.texts,
        table.raters,
        table.labels,
        found.truth.T,
        found.prior,
        table.dense(found.rates),
        found.objective,
        found.convergence,
    )


@dataclass(frozen=True, eq=False)
class _Climbed:
    """Where EM ended: truth (k, t), prior (k,), rates (k, c), and its objective at each step."""

    truth: FloatArray
    prior: FloatArray
    rates: FloatArray
    objective: FloatArray
    convergence: Convergence


def _climbed(table: _Table, truth: FloatArray, smoothing: float, tolerance: float, iterations: int) -> _Climbed:
    prior, rates = table.maximised(truth, smoothing)
    accuracy, objective, change = table.accuracy(prior, rates), list[float](), np.inf
    while change > tolerance and len(objective) < iterations:
        truth, likelihood = table.expected(prior, rates)
        objective.append(likelihood + smoothing * float(np.log(rates).sum()))
        prior, rates = table.maximised(truth, smoothing)
        before, accuracy = accuracy, table.accuracy(prior, rates)
        change = float(np.abs(accuracy - before).max())
    convergence = Convergence(change <= tolerance, len(objective), change, tolerance)
    return _Climbed(truth, prior, rates, np.array(objective), convergence)


def _check_settings(smoothing: float, tolerance: float | None, iterations: int) -> None:
    if not 0 < smoothing < np.inf:
        raise ValueError(f"smoothing must be a number above 0, not {smoothing}")
    if tolerance is not None and not tolerance >= 0:
        raise ValueError(f"tolerance must be at least 0, not {tolerance}")
    if iterations < 1:
        raise ValueError(f"iterations must be at least 1, not {iterations}")


@dataclass(frozen=True, eq=False)
class _Table:
    """Ratings by numbers from 0. A cell is a rater and a label that this rater gave: rates exist for cells alone.

    Arrays over true labels have these on the first axis, so that each is one stretch of memory: truth (k, t),
    rates (k, c) for c cells.
    """

    texts: IntArray
    raters: IntArray
    labels: IntArray
    text: IntArray  # (n,) the place in `texts` of each rating
    cell: IntArray  # (n,) the cell of each rating
    cell_rater: IntArray  # (c,) the place in `raters` of each cell
    cell_label: IntArray  # (c,) the place in `labels` of each cell

    @classmethod
    def of(cls, text: IntArray, rater: IntArray, label: IntArray) -> _Table:
        texts, text = np.unique(text, return_inverse=True)
        raters, rater = np.unique(rater, return_inverse=True)
        labels, label = np.unique(label, return_inverse=True)
        cells, cell = np.unique(rater * len(labels) + label, return_inverse=True)
        return cls(texts, raters, labels, text, cell, *np.divmod(cells, len(labels)))

    def shares_of_labels(self) -> FloatArray:
        """Return equation 3.1, the first guess at the truth: shape (k, t)."""
        given = self.cell_label[self.cell]
        found = [np.bincount(self.text, given == label) for label in range(len(self.labels))]
        return np.stack(found) / np.bincount(self.text)

    def maximised(self, truth: FloatArray, smoothing: float) -> tuple[FloatArray, FloatArray]:
        """Return equations 2.4 and 2.3: how common each true label is, (k,), and the rates, (k, c)."""
        counts = [np.bincount(self.cell, each.take(self.text)) + smoothing for each in truth]
        rates = [each / np.bincount(self.cell_rater, each)[self.cell_rater] for each in counts]
        return truth.mean(axis=1), np.stack(rates)

    def expected(self, prior: FloatArray, rates: FloatArray) -> tuple[FloatArray, float]:
        """Return equation 2.5: the truth, (k, t), and the natural logarithm of the likelihood of the ratings."""
        # A label may die out among the true ones: its share comes to lie below the smallest number.
        log_prior = np.log(np.maximum(prior, np.finfo(np.float64).tiny))
        log_rates = [np.bincount(self.text, each.take(self.cell)) for each in np.log(rates)]
        joint = np.stack(log_rates) + log_prior[:, None]
        greatest = joint.max(axis=0)
        relative = np.exp(joint - greatest)
        total = relative.sum(axis=0)
        return relative / total, float((greatest + np.log(total)).sum())

    def accuracy(self, prior: FloatArray, rates: FloatArray) -> FloatArray:
        """Return how probable it is that each rater gives the true label: shape (r,)."""
        right = prior[self.cell_label] * rates[self.cell_label, np.arange(len(self.cell_label))]
        return np.bincount(self.cell_rater, right).astype(np.float64)

    def dense(self, rates: FloatArray) -> FloatArray:
        """Return the rates with zeros for labels that a rater never gave: shape (r, k, k)."""
        found = np.zeros((len(self.raters), len(self.labels), len(self.labels)))
        found[self.cell_rater, :, self.cell_label] = rates.T
        return found


def dawid_skene_accuracy(
    ratings: Ratings,
    n_raters: int,
    *,
    points: tuple[int, ...],
    smoothing: float = SMOOTHING,
    tolerance: float | None = None,
    iterations: int = ITERATIONS,
) -> MeasuredQuality:
    """Return how probable it is that a rater gives the true label, under a Dawid-Skene model of each scale.

    Source: Dawid & Skene 1979, fitted by `fit_dawid_skene`. The model knows neither the true labels nor that
    the points have an order: it estimates how common each true label is and how often each rater gives each
    label for each true one. A rater's accuracy is the sum over the true labels of the first times the second
    for the same label, averaged over the scales. That one number is this project's choice; the paper gives
    none.

    Of true labels that a rater never met nothing is known: the labels this rater gave anywhere are then taken
    for equally likely. A rater whose texts nobody else rated agrees with the truth by construction. Raters who
    agree with each other in error pass for accurate.

    Parameters
    ----------
    ratings : Ratings
        The ratings, n rows, with scores in points: whole numbers from 1 to `points`, not rescaled. A text
        that a rater rated several times counts each time, as in the paper.
    n_raters : int
        Number of raters.
    points : tuple of int, of length s
        Number of points of each scale.
    smoothing, tolerance, iterations
        As for `fit_dawid_skene`.

    Returns
    -------
    MeasuredQuality
        Accuracy, 0 to 1, great is good; NaN for a rater without ratings. Neither chance nor the order of the
        ratings has a part in it. The items are the texts of each rater. The standard errors are unknown (NaN): the
        accuracies of all raters and the true labels are estimated together, and EM gives no variance. The
        convergence is that of each scale.

    Warns
    -----
    ConvergenceWarning
        If the accuracies have not settled after `iterations` steps.

    Raises
    ------
    ValueError
        If a rater is out of range, a score is not one of the points, or `smoothing`, `tolerance` or
        `iterations` is out of range.

    Examples
    --------
    >>> scores = np.array([[1.0], [1.0], [1.0], [3.0], [3.0], [1.0]])
    >>> ratings = Ratings(np.repeat([0, 1], 3), np.tile([0, 1, 2], 2), scores)
    >>> found = dawid_skene_accuracy(ratings, n_raters=4, points=(3,))
    >>> found.quality.round(2), found.items
    (array([1. , 1. , 0.5, nan]), array([2, 2, 2, 0]))
    """
    check_range("rater", ratings.rater, n_raters)
    _check_settings(smoothing, tolerance, iterations)
    labels = PointScores(ratings.scores, points).scores.astype(np.int64)
    accuracy, convergence = np.full((len(points), n_raters), np.nan), []
    if len(ratings.text):
        for of_scale, label in zip(accuracy, labels.T, strict=True):
            model = fit_dawid_skene(
                ratings.text, ratings.rater, label, smoothing=smoothing, tolerance=tolerance, iterations=iterations
            )
            of_scale[model.raters] = model.accuracy
            convergence.append(model.convergence)
    texts = np.unique(np.stack([ratings.rater, ratings.text]), axis=1)
    items = np.bincount(texts[0], minlength=n_raters).astype(np.int64)
    return MeasuredQuality(accuracy.mean(axis=0), items, np.full(n_raters, np.nan), tuple(convergence))

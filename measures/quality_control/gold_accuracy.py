"""Accuracy of raters on gold items: texts whose right answers are known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from measures.core.arrays import IntArray
from measures.quality_control.measured_quality import MeasuredQuality, share_error
from measures.quality_control.tables import check_range


@dataclass(frozen=True, eq=False)
class GoldAnswers:
    """Raters' answers to gold items. A rater may have several rows, one per gold item, say; they are summed.

    Attributes
    ----------
    rater : IntArray of shape (g,)
        The rater, 0 to n_raters - 1.
    right : IntArray of shape (g,)
        Number of right answers, at most `questions`.
    questions : IntArray of shape (g,)
        Number of answers: one for each gold item and each of its scales whose right answer is known.
    items : IntArray of shape (g,)
        Number of gold items answered, at most `questions`.

    Raises
    ------
    ValueError
        If the columns differ in length, or a number is below 0 or above the number of questions.

    Examples
    --------
    >>> GoldAnswers(rater=np.array([0]), right=np.array([7]), questions=np.array([8]), items=np.array([4])).right
    array([7])
    """

    rater: IntArray
    right: IntArray
    questions: IntArray
    items: IntArray

    def __post_init__(self) -> None:
        columns = (self.rater, self.right, self.questions, self.items)
        if {column.shape for column in columns} != {(len(self.rater),)}:
            raise ValueError("the columns of gold answers differ in shape")
        for name, column in (("right", self.right), ("items", self.items)):
            if ((column < 0) | (column > self.questions)).any():
                raise ValueError(f"{name} must be between 0 and the number of questions")


def gold_accuracy(gold: GoldAnswers, n_raters: int) -> MeasuredQuality:
    """Return the share of right answers to gold items for each rater.

    Toutanova et al. 2016 do not define the quality of a rater; this definition is the project's, and common in
    crowdsourcing.

    Parameters
    ----------
    gold : GoldAnswers
        The answers, g rows.
    n_raters : int
        Number of raters.

    Returns
    -------
    MeasuredQuality
        Accuracy, 0 to 1, higher is better; NaN for a rater without answers to gold items. The items are the gold
        items of each rater, and the standard error is that of `share_error`.

    Raises
    ------
    ValueError
        If a rater lies outside 0 to n_raters - 1.

    Examples
    --------
    >>> two = np.array([2, 2])
    >>> gold = GoldAnswers(rater=np.array([0, 0]), right=np.array([2, 1]), questions=two, items=np.array([1, 1]))
    >>> found = gold_accuracy(gold, n_raters=2)
    >>> found.quality, found.items
    (array([0.75,  nan]), array([2, 0]))
    """
    check_range("rater", gold.rater, n_raters)
    right = np.bincount(gold.rater, gold.right, minlength=n_raters)
    questions = np.bincount(gold.rater, gold.questions, minlength=n_raters)
    items = np.bincount(gold.rater, gold.items, minlength=n_raters)
    accuracy = np.full(n_raters, np.nan)
    np.divide(right, questions, out=accuracy, where=questions > 0)
    return MeasuredQuality(accuracy, items.astype(np.int64), share_error(accuracy, items))

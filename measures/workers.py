"""How good a text is, who wrote it and how far its raters agree with the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from measures.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Ratings:
    """A table of ratings, one row for each.

    Attributes
    ----------
    text : IntArray of shape (n,)
        The rated text, 0 to n_texts - 1. Identical compressions of one source are one text.
    rater : IntArray of shape (n,)
        The rater, 0 to n_raters - 1.
    meaning, grammar : FloatArray of shape (n,)
        The scores in points, great is good.

    Raises
    ------
    ValueError
        If the columns differ in length or a score is not a finite number.
    """

    text: IntArray
    rater: IntArray
    meaning: FloatArray
    grammar: FloatArray

    def __post_init__(self) -> None:
        columns = (self.text, self.rater, self.meaning, self.grammar)
        if {column.shape for column in columns} != {(len(self.text),)}:
            raise ValueError("the columns of ratings differ in shape")
        if not (np.isfinite(self.meaning).all() and np.isfinite(self.grammar).all()):
            raise ValueError("a score is not a finite number")


@dataclass(frozen=True, eq=False)
class Authorship:
    """Who wrote which text, one row for each pair. Outputs of systems have no row.

    Attributes
    ----------
    text : IntArray of shape (a,)
        The text, 0 to n_texts - 1.
    editor : IntArray of shape (a,)
        The editor, 0 to n_editors - 1.

    Raises
    ------
    ValueError
        If the columns differ in length.
    """

    text: IntArray
    editor: IntArray

    def __post_init__(self) -> None:
        if {self.text.shape, self.editor.shape} != {(len(self.text),)}:
            raise ValueError("the columns of authorship differ in shape")


def text_quality(ratings: Ratings, n_texts: int) -> FloatArray:
    """Return the quality of each text: the mean over its ratings of (meaning + grammar) / 2.

    Source: Toutanova et al. 2016, §3.1.

    Parameters
    ----------
    ratings : Ratings
        The ratings, n rows.
    n_texts : int
        Number of texts.

    Returns
    -------
    FloatArray of shape (n_texts,)
        Quality in points, NaN for a text without ratings.

    Raises
    ------
    ValueError
        If a text lies outside 0 to n_texts - 1.

    Examples
    --------
    >>> ratings = Ratings(np.array([0, 0]), np.array([0, 1]), np.array([3.0, 2.0]), np.array([3.0, 3.0]))
    >>> text_quality(ratings, n_texts=2)
    array([2.75,  nan])
    """
    _check_range("text", ratings.text, n_texts)
    scores = (ratings.meaning + ratings.grammar) / 2
    return _mean(_sum_by(ratings.text, n_texts, scores), _sum_by(ratings.text, n_texts))


def editor_quality(
    ratings: Ratings, authorship: Authorship, n_texts: int, n_editors: int
) -> tuple[FloatArray, IntArray]:
    """Return the quality of each editor: the mean quality of the texts they wrote.

    Source: Toutanova et al. 2016, §3.1.

    Parameters
    ----------
    ratings : Ratings
        The ratings, n rows.
    authorship : Authorship
        Who wrote which text, a rows.
    n_texts, n_editors : int
        Number of texts and editors.

    Returns
    -------
    quality : FloatArray of shape (n_editors,)
        Quality in points, NaN for an editor of whom nothing is rated.
    items : IntArray of shape (n_editors,)
        Number of rated texts of each editor.

    Raises
    ------
    ValueError
        If a text or an editor is out of range.

    Examples
    --------
    >>> ratings = Ratings(np.array([0, 1]), np.array([0, 0]), np.array([3.0, 2.0]), np.array([3.0, 1.0]))
    >>> editor_quality(ratings, Authorship(np.array([0, 1, 1]), np.array([0, 0, 1])), 2, 2)
    (array([2.25, 1.5 ]), array([2, 1]))
    """
    qualities = text_quality(ratings, n_texts)
    _check_range("text", authorship.text, n_texts)
    _check_range("editor", authorship.editor, n_editors)
    written = qualities[authorship.text]
    rated = ~np.isnan(written)
    editors = authorship.editor[rated]
    items = _sum_by(editors, n_editors)
    return _mean(_sum_by(editors, n_editors, written[rated]), items), items.astype(np.int64)


def rater_deviation(ratings: Ratings, n_texts: int, n_raters: int) -> tuple[FloatArray, IntArray]:
    """Return how far each rater stands from the other raters of the same texts.

    Toutanova et al. 2016, §3.1, do not say what the quality of a rater is; this is the project's choice:
    the mean absolute difference between a rater's score and the mean score of the others, for meaning
    and grammar apart, then averaged.

    Parameters
    ----------
    ratings : Ratings
        The ratings, n rows.
    n_texts, n_raters : int
        Number of texts and raters.

    Returns
    -------
    deviation : FloatArray of shape (n_raters,)
        Deviation in points, small is good; NaN for a rater who shares no text with another.
    items : IntArray of shape (n_raters,)
        Number of ratings compared. A text that nobody else rated does not count.

    Raises
    ------
    ValueError
        If a text or a rater is out of range.

    Examples
    --------
    >>> ratings = Ratings(np.zeros(3, int), np.arange(3), np.array([3.0, 3.0, 1.0]), np.full(3, 2.0))
    >>> rater_deviation(ratings, n_texts=1, n_raters=3)
    (array([0.5, 0.5, 1. ]), array([1, 1, 1]))
    """
    _check_range("text", ratings.text, n_texts)
    _check_range("rater", ratings.rater, n_raters)
    # Someone who rated a text twice is not one of the others.
    own = np.unique(ratings.text * n_raters + ratings.rater, return_inverse=True)[1]
    others = _sum_by(ratings.text, n_texts)[ratings.text] - np.bincount(own)[own]
    compared = others > 0
    deviation = np.zeros(int(compared.sum()))
    for scores in (ratings.meaning, ratings.grammar):
        rest = _sum_by(ratings.text, n_texts, scores)[ratings.text] - np.bincount(own, scores)[own]
        deviation += np.abs(scores[compared] - rest[compared] / others[compared]) / 2
    raters = ratings.rater[compared]
    items = _sum_by(raters, n_raters)
    return _mean(_sum_by(raters, n_raters, deviation), items), items.astype(np.int64)


def _check_range(name: str, index: IntArray, size: int) -> None:
    if ((index < 0) | (index >= size)).any():
        raise ValueError(f"{name} out of range 0 to {size - 1}")


def _sum_by(index: IntArray, size: int, weights: FloatArray | None = None) -> FloatArray:
    return np.bincount(index, weights, minlength=size).astype(np.float64)


def _mean(totals: FloatArray, counts: FloatArray) -> FloatArray:
    means = np.full(len(totals), np.nan)
    np.divide(totals, counts, out=means, where=counts > 0)
    return means

"""Quality of texts and editors, and deviation of raters from each other."""

from __future__ import annotations

import numpy as np

from measures.core.arrays import FloatArray, IntArray
from measures.quality_control.measured_quality import MeasuredQuality, mean_quality
from measures.quality_control.tables import Authorship, Ratings, check_range


def text_quality(ratings: Ratings, n_texts: int) -> FloatArray:
    """Return the quality of each text: the mean over its ratings of the mean over the scales.

    Source: Toutanova et al. 2016, §3.1. With their two scales a rating is worth (meaning + grammar) / 2.

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
    >>> ratings = Ratings(np.array([0, 0]), np.array([0, 1]), np.array([[3.0, 3.0], [2.0, 3.0]]))
    >>> text_quality(ratings, n_texts=2)
    array([2.75,  nan])
    """
    check_range("text", ratings.text, n_texts)
    scores = ratings.scores.mean(axis=1)
    return _mean(_sum_by(ratings.text, n_texts, scores), _sum_by(ratings.text, n_texts))


def editor_quality(ratings: Ratings, authorship: Authorship, n_texts: int, n_editors: int) -> MeasuredQuality:
    """Return the quality of each editor: the mean quality of the texts they wrote.

    Source: Toutanova et al. 2016, §3.1.

    Parameters
    ----------
    ratings : Ratings
        The ratings, n rows.
    authorship : Authorship
        Authors of the texts, a rows.
    n_texts, n_editors : int
        Number of texts and editors.

    Returns
    -------
    MeasuredQuality
        Quality in points, NaN for an editor without rated texts. The items are the rated texts of each editor: the
        standard error says how far the mean quality of other texts by this editor might lie from that of these.

    Raises
    ------
    ValueError
        If a text or an editor is out of range.

    Examples
    --------
    >>> ratings = Ratings(np.array([0, 1]), np.array([0, 0]), np.array([[3.0, 3.0], [2.0, 1.0]]))
    >>> found = editor_quality(ratings, Authorship(np.array([0, 1, 1]), np.array([0, 0, 1])), 2, 2)
    >>> found.quality, found.items, found.standard_error
    (array([2.25, 1.5 ]), array([2, 1]), array([0.75,  nan]))
    """
    qualities = text_quality(ratings, n_texts)
    check_range("text", authorship.text, n_texts)
    check_range("editor", authorship.editor, n_editors)
    written = qualities[authorship.text]
    rated = ~np.isnan(written)
    return mean_quality(authorship.editor[rated], written[rated], n_editors)


def rater_deviation(ratings: Ratings, n_texts: int, n_raters: int) -> MeasuredQuality:
    """Return the deviation of each rater from the other raters of the same texts.

    The deviation is the mean absolute difference between a rater's score and the mean score of the others,
    computed per scale and averaged over the scales. All scales count in points, so scores on scales of
    different lengths should be `rescaled` first. Toutanova et al. 2016, §3.1, do not define the quality of a
    rater; this definition is the project's.

    Parameters
    ----------
    ratings : Ratings
        The ratings, n rows.
    n_texts, n_raters : int
        Number of texts and raters.

    Returns
    -------
    MeasuredQuality
        Deviation in points, lower is better; NaN for a rater who shares no text with another. The items are the
        ratings compared: texts that nobody else rated do not count.

    Raises
    ------
    ValueError
        If a text or a rater is out of range.

    Examples
    --------
    >>> scores = np.array([[3.0, 2.0], [3.0, 2.0], [1.0, 2.0]])
    >>> ratings = Ratings(np.zeros(3, int), np.arange(3), scores)
    >>> found = rater_deviation(ratings, n_texts=1, n_raters=3)
    >>> found.quality, found.items
    (array([0.5, 0.5, 1. ]), array([1, 1, 1]))
    """
    check_range("text", ratings.text, n_texts)
    check_range("rater", ratings.rater, n_raters)
    others = others_means(ratings.text, ratings.rater, ratings.scores, n_texts)
    compared = ~np.isnan(others[:, 0])
    deviation = np.abs(ratings.scores[compared] - others[compared]).mean(axis=1)
    return mean_quality(ratings.rater[compared], deviation, n_raters)


def others_means(text: IntArray, rater: IntArray, scores: FloatArray, n_texts: int) -> FloatArray:
    """Return, for each rating, the mean scores that the other raters gave to the same text.

    All ratings of the text by the same rater are left out, also where a rater rated it twice.

    Parameters
    ----------
    text : IntArray of shape (n,)
        The rated text, 0 to n_texts - 1.
    rater : IntArray of shape (n,)
        The rater; any integers.
    scores : FloatArray of shape (n, s)
        The scores in points, one column per scale.
    n_texts : int
        Number of texts.

    Returns
    -------
    FloatArray of shape (n, s)
        Means in points, a row of NaN where nobody else rated the text. Takes O(n log n) time.

    Raises
    ------
    ValueError
        As `Ratings`, or if a text lies outside 0 to n_texts - 1.

    Examples
    --------
    >>> text, rater = np.array([0, 0, 0, 1]), np.array([7, 8, 9, 7])
    >>> others_means(text, rater, np.array([[3.0], [3.0], [2.0], [1.0]]), n_texts=2)
    array([[2.5],
           [2.5],
           [3. ],
           [nan]])
    """
    check_range("text", Ratings(text, rater, scores).text, n_texts)
    raters, rater_index = np.unique(rater, return_inverse=True)
    pair = np.unique(text * len(raters) + rater_index, return_inverse=True)[1]
    counts = _sum_by(text, n_texts)[text] - np.bincount(pair)[pair]
    totals = [_sum_by(text, n_texts, column)[text] - np.bincount(pair, column)[pair] for column in scores.T]
    return np.stack([_mean(total, counts) for total in totals], axis=1)


def _sum_by(index: IntArray, size: int, weights: FloatArray | None = None) -> FloatArray:
    return np.bincount(index, weights, minlength=size).astype(np.float64)


def _mean(totals: FloatArray, counts: FloatArray) -> FloatArray:
    """Divide; NaN where the count is 0."""
    means = np.full(len(totals), np.nan)
    np.divide(totals, counts, out=means, where=counts > 0)
    return means

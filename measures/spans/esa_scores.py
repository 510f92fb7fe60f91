"""Scores from 0 to 100 that come with marks: as given, by person, and beside the points of the marks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean, stdev

import numpy as np
import scipy

from measures.core.undefined import Undefined
from measures.spans.annotation import Annotation, text_means

FEW_TEXTS = Undefined("fewer than two texts have both a score and points")
ALL_THE_SAME = Undefined("all scores or all points are the same")


def score_means(annotations: Iterable[Annotation]) -> dict[tuple[str, str], float]:
    """Return the mean score over people of each text.

    Source: Kocmi et al. 2024, "Error Span Annotation".

    Parameters
    ----------
    annotations : iterable of Annotation
        One of each person and text; those without a score do not count.

    Returns
    -------
    dict of (str, str) to float
        By segment and system: 0 to 100, where more is better.

    Examples
    --------
    >>> score_means([Annotation("A", "sys", "1", score=80), Annotation("B", "sys", "1", score=90)])
    {('1', 'sys'): 85.0}
    """
    return text_means((each.text, each.score) for each in annotations if each.score is not None)


def z_means(annotations: Iterable[Annotation]) -> dict[tuple[str, str], float]:
    """Return the mean over people of each text of their scores less their own mean, over their standard deviation.

    Parameters
    ----------
    annotations : iterable of Annotation
        One of each person and text. A person with fewer than two scores, or the same one always, does not count.

    Returns
    -------
    dict of (str, str) to float
        By segment and system, in standard deviations (n - 1) of a person's scores.

    Examples
    --------
    >>> z_means([Annotation("A", "sys", "1", score=70), Annotation("A", "sys", "2", score=90)])
    {('1', 'sys'): -0.7071067811865475, ('2', 'sys'): 0.7071067811865475}
    """
    given = [(each, each.score) for each in annotations if each.score is not None]
    by_person: dict[str, list[float]] = defaultdict(list)
    for each, score in given:
        by_person[each.person].append(score)
    scales = {person: (fmean(scores), stdev(scores)) for person, scores in by_person.items() if len(set(scores)) > 1}
    return text_means(
        (each.text, (score - scales[each.person][0]) / scales[each.person][1])
        for each, score in given
        if each.person in scales
    )


def tau(scores: Sequence[float], points: Sequence[float]) -> float | Undefined:
    """Return Kendall's tau-b of the scores of texts and the points of their marks.

    Parameters
    ----------
    scores : sequence of float, of length n
        Scores, where more is better.
    points : sequence of float, of length n
        Points, where more is worse.

    Returns
    -------
    float or Undefined
        -1 to 1; 1 if the order is the same. Undefined for fewer than two texts, and if either never varies.

    Raises
    ------
    ValueError
        If the lengths differ.

    Examples
    --------
    >>> tau([90, 70, 20], [0, 1, 6])
    1.0
    """
    if len(scores) != len(points):
        raise ValueError(f"{len(scores)} scores and {len(points)} points")
    if len(scores) < 2:
        return FEW_TEXTS
    if len(set(scores)) == 1 or len(set(points)) == 1:
        return ALL_THE_SAME
    return float(scipy.stats.kendalltau(scores, -np.asarray(points, dtype=np.float64)).statistic)

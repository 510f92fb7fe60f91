"""Does a difference that unlike measures corroborate hold for people? (Amigó et al. 2012, Figure 1)"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined
from measures.meta_evaluation.system_differences import QUALITY_DECIMALS, checked_arrays
from measures.meta_evaluation.unlike_measures import PairSample, corroboration

NO_RATED_PAIR = Undefined("no input has two outputs with every score and a rating")


@dataclass(frozen=True)
class CorroborationCurve:
    """Equal parts of the ordered pairs of outputs, from the least to the most heterogeneous corroboration.

    Attributes
    ----------
    heterogeneity : FloatArray of shape (parts,)
        Mean heterogeneity of the measures that score the first output no lower.
    not_worse : FloatArray of shape (parts,)
        Share of pairs whose first output has at least the quality of the second, as in the paper.
    better : FloatArray of shape (parts,)
        Share of pairs whose first output has the higher quality.
    pairs : int
        Ordered pairs in all.
    """

    heterogeneity: FloatArray
    not_worse: FloatArray
    better: FloatArray
    pairs: int


def corroboration_curve(
    scores: npt.ArrayLike, quality: npt.ArrayLike, sample: PairSample, *, parts: int = 100
) -> CorroborationCurve | Undefined:
    """Compare the heterogeneity of the corroborating measures with people's preference.

    Pairs of the same heterogeneity share the mean of their answers, so that it does not matter which of them fall
    into which part.

    Parameters
    ----------
    scores : array_like of shape (measures, systems, inputs)
        Large is good; NaN where a score is missing.
    quality : array_like of shape (systems, inputs)
        NaN where an output has no rating.
    sample : PairSample
        From `sample_pairs`.
    parts : int
        Number of parts; fewer pairs than this make one part each.

    Returns
    -------
    CorroborationCurve or Undefined
        The data of the plot; undefined without a rated pair.

    Raises
    ------
    ValueError
        If the shapes do not fit, or there is less than one part.

    Examples
    --------
    >>> from measures.meta_evaluation.unlike_measures import sample_pairs
    >>> scores = [[[1, 1], [2, 2]], [[1, 2], [2, 1]]]
    >>> found = corroboration_curve(scores, [[1, 2], [3, 2]], sample_pairs(scores), parts=2)
    >>> found.heterogeneity.tolist(), found.better.tolist(), found.pairs
    ([0.0, 0.25], [0.0, 0.5], 4)
    """
    x, q = checked_arrays(scores, quality)
    return curve_of_corroboration(corroboration(x, sample), q, parts=parts)


def curve_of_corroboration(
    found: FloatArray, quality: FloatArray, *, parts: int = 100
) -> CorroborationCurve | Undefined:
    """Do the same where the heterogeneity is known already, for one judgement after another.

    Parameters
    ----------
    found : FloatArray of shape (systems, systems, inputs)
        From `corroboration`, or of `heterogeneity_ranking`.
    quality : FloatArray of shape (systems, inputs)
        NaN where an output has no rating.
    parts : int
        Number of parts.

    Returns
    -------
    CorroborationCurve or Undefined
        As `corroboration_curve`.

    Raises
    ------
    ValueError
        If the shapes do not fit, or there is less than one part.

    Examples
    --------
    >>> found = np.array([[[np.nan], [0.0]], [[0.5], [np.nan]]])
    >>> curve_of_corroboration(found, np.array([[1.0], [3.0]])).better.tolist()
    [0.0, 1.0]
    """
    if parts < 1:
        raise ValueError(f"parts must be at least 1, not {parts}")
    if found.shape != (len(quality), *quality.shape):
        raise ValueError(f"quality of shape {quality.shape} does not fit corroboration of shape {found.shape}")
    difference = np.round(quality[:, None] - quality[None], QUALITY_DECIMALS)
    there = np.isfinite(found) & np.isfinite(difference)
    if not there.any():
        return NO_RATED_PAIR
    values, places, number = np.unique(found[there], return_inverse=True, return_counts=True)
    answers = difference[there]
    shares = [np.bincount(places, weights=each) / number for each in (answers >= 0, answers > 0)]
    order = np.repeat(np.arange(len(values)), number)
    cut = np.array_split(order, min(parts, len(order)))
    columns = [np.array([column[part].mean() for part in cut]) for column in (values, *shares)]
    return CorroborationCurve(columns[0], columns[1], columns[2], len(order))

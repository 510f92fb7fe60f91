"""How often a metric orders two systems as people do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from measures.core.undefined import Undefined
from measures.meta_evaluation.system_differences import QUALITY_DECIMALS, SCORE_DECIMALS, pair_differences, rounded

NO_PAIR_OF_SYSTEMS = Undefined("no pair of systems has an input with this metric and the quality")


@dataclass(frozen=True)
class PairwiseAccuracy:
    """Pairs of systems that a metric orders as the quality does.

    Attributes
    ----------
    agreeing, pairs : int
        Pairs with the same sign of the difference of means, and all pairs with a value.
    """

    agreeing: int
    pairs: int

    @property
    def share(self) -> float | Undefined:
        """Agreeing pairs as a share of all pairs."""
        return self.agreeing / self.pairs if self.pairs else NO_PAIR_OF_SYSTEMS


def pairwise_accuracy(
    scores: npt.ArrayLike, quality: npt.ArrayLike, *, among: Sequence[bool] | None = None
) -> tuple[PairwiseAccuracy, ...]:
    """Compare the order of systems by their mean in a metric with their order by mean quality.

    A tie agrees only with a tie.

    Source: Kocmi et al. 2021, "To ship or not to ship".

    Parameters
    ----------
    scores : array_like of shape (metrics, systems, inputs)
        Large is good; NaN where a score is missing.
    quality : array_like of shape (systems, inputs)
        NaN where an output has no rating.
    among : sequence of bool of shape (pairs,), optional
        Which pairs of systems to count, such as those with a significant difference in quality.

    Returns
    -------
    tuple of PairwiseAccuracy
        One for each metric.

    Raises
    ------
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> found = pairwise_accuracy([[[0.1, 0.2], [0.5, 0.1], [0.1, 0.1]]], [[1, 1], [2, 2], [1, 1]])
    >>> found[0], round(found[0].share, 3)
    (PairwiseAccuracy(agreeing=2, pairs=3), 0.667)
    """
    d = pair_differences(scores, quality)
    counted = np.ones(len(d.pairs), dtype=np.bool_) if among is None else np.asarray(among, dtype=np.bool_)
    if counted.shape != (len(d.pairs),):
        raise ValueError(f"among must say yes or no to {len(d.pairs)} pairs, not be of shape {counted.shape}")
    inputs = np.maximum(d.used.sum(axis=1), 1)
    mine = np.sign(rounded(d.scores.sum(axis=2) / inputs, SCORE_DECIMALS))
    theirs = np.sign(rounded(d.quality.sum(axis=1) / inputs, QUALITY_DECIMALS))
    there = d.scored & counted
    agreeing = (there & (mine == theirs)).sum(axis=1)
    return tuple(PairwiseAccuracy(int(a), int(n)) for a, n in zip(agreeing, there.sum(axis=1), strict=True))

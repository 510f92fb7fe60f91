"""Which pairs of systems differ significantly, by a judgement and by metrics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy

from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.many_tests import holm
from measures.core.signed_rank import Zeros, signed_rank
from measures.meta_evaluation.judged_outputs import JudgedOutputs
from measures.meta_evaluation.sign_flips import sign_flip_p
from measures.meta_evaluation.system_differences import (
    QUALITY_DECIMALS,
    SCORE_DECIMALS,
    PairDifferences,
    pair_differences,
    system_pairs,
)

Test: TypeAlias = Literal["wilcoxon", "paired t", "permutation"]
Direction: TypeAlias = Literal["ranks", "median", "mean"]
PairKind: TypeAlias = Literal["auto-auto", "human-auto", "human-human"]

MIN_INPUTS = 10
COARSE = 10
# Differences that are tested at a time: all metrics on as many pairs of systems as this allows.
_BLOCK = 2_000_000


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What the judgement and every metric say about each pair of systems.

    The judgement is row 0, the metrics follow.

    Attributes
    ----------
    pairs : IntArray of shape (p, 2)
        Places of the two systems of each pair that has enough inputs.
    verdict : IntArray of shape (m + 1, p)
        1 if the first system is significantly better, -1 if the second is, 0 if neither.
    p : FloatArray of shape (m + 1, p)
        Two-sided p-values; NaN where the test is undefined (the verdict is 0).
    difference : FloatArray of shape (m + 1, p)
        Difference of means, first minus second.
    left_out : int
        Number of pairs with too few inputs.
    coarse : bool
        Whether there are so few systems that shares of pairs are coarse.
    """

    pairs: IntArray
    verdict: IntArray
    p: FloatArray
    difference: FloatArray
    left_out: int
    coarse: bool

    def of_pairs(self, chosen: BoolArray) -> Verdicts:
        """Return the verdicts on some of the pairs."""
        return Verdicts(
            self.pairs[chosen],
            self.verdict[:, chosen],
            self.p[:, chosen],
            self.difference[:, chosen],
            self.left_out,
            self.coarse,
        )


def verdicts(
    outputs: JudgedOutputs,
    *,
    alpha: float = 0.05,
    test: Test = "wilcoxon",
    zeros: Zeros = "wilcox",
    direction: Direction = "ranks",
    over_pairs: Literal["plain", "holm"] = "plain",
    min_inputs: int = MIN_INPUTS,
    seed: int = 2012,
) -> Verdicts:
    """Test every pair of systems by the judgement and by every metric, on the same inputs.

    Source: Owczarzak et al. 2012, "An assessment of the accuracy of automatic evaluation in summarization", §3.

    Parameters
    ----------
    outputs : JudgedOutputs
        Scores and quality.
    alpha : float, default 0.05
        A difference is significant if p is below this.
    test : {"wilcoxon", "paired t", "permutation"}
        Wilcoxon's signed-rank test, the paired t test, or the permutation test of the mean, which turns the signs of
        differences; two-sided.
    zeros : {"wilcox", "pratt"}
        What Wilcoxon's test does with differences of 0.
    direction : {"ranks", "median", "mean"}
        Which system is the better one: by the sign of W+ - W-, of the median difference or of the mean difference.
    over_pairs : {"plain", "holm"}
        Whether p is adjusted over the pairs of systems.
    min_inputs : int, default 10
        Pairs that share fewer inputs are left out.
    seed : int
        Seed of the 1,000 sign vectors of the permutation test; with 16 inputs or fewer it takes all vectors.

    Returns
    -------
    Verdicts
        The judgement in row 0, then the metrics.

    Examples
    --------
    >>> quality = np.array([[1, 2, 1, 2, 1, 3], [2, 3, 2, 3.5, 2, 3.8]])
    >>> outputs = JudgedOutputs(("R",), ("A", "B"), tuple("uvwxyz"), np.array([-quality]), quality)
    >>> found = verdicts(outputs, min_inputs=5)
    >>> found.verdict.tolist(), found.p.round(5).tolist()
    ([[-1], [1]], [[0.03125], [0.03125]])
    """
    blocks = [
        _tested(differences, min_inputs, test, zeros, direction, seed) for differences in _blocks_of_pairs(outputs)
    ]
    pairs = np.concatenate([each.pairs for each in blocks])
    p, side, mean = (np.concatenate([getattr(each, name) for each in blocks], axis=1) for name in ("p", "side", "mean"))
    if over_pairs == "holm":
        p = np.array([holm(row) for row in p]).reshape(p.shape)
    left_out = sum(each.left_out for each in blocks)
    return Verdicts(pairs, np.where(p < alpha, side, 0), p, mean, left_out, len(outputs.systems) < COARSE)


def pair_kinds(found: Verdicts, people: npt.ArrayLike) -> dict[PairKind, Verdicts]:
    """Divide the pairs by whether none, one or both of the systems are people.

    Parameters
    ----------
    found : Verdicts
        All verdicts.
    people : array_like of bool, of shape (s,)
        Which systems are people.

    Returns
    -------
    dict of str to Verdicts
        For "auto-auto", "human-auto" and "human-human".

    Examples
    --------
    >>> quality = np.arange(40.0).reshape(4, 10) ** 2
    >>> outputs = JudgedOutputs(("R",), tuple("ABCD"), tuple("0123456789"), np.array([quality]), quality)
    >>> kinds = pair_kinds(verdicts(outputs), [False, False, False, True])
    >>> {kind: len(each.pairs) for kind, each in kinds.items()}
    {'auto-auto': 3, 'human-auto': 3, 'human-human': 0}
    """
    number = np.asarray(people, dtype=np.int64)[found.pairs].sum(axis=1)
    kinds: tuple[PairKind, ...] = ("auto-auto", "human-auto", "human-human")
    return {kind: found.of_pairs(number == place) for place, kind in enumerate(kinds)}


def restricted(found: Verdicts, judges: Sequence[Verdicts]) -> Verdicts:
    """Keep the pairs on which every judge (meaning and grammar, or others) finds a significant difference.

    Source: Owczarzak et al. 2012, Figure 5.
    """
    significant = [{tuple(pair) for pair in each.pairs[each.verdict[0] != 0].tolist()} for each in judges]
    chosen = [all(tuple(pair) in pairs for pairs in significant) for pair in found.pairs.tolist()]
    return found.of_pairs(np.array(chosen, dtype=bool))


def _blocks_of_pairs(outputs: JudgedOutputs) -> Iterator[PairDifferences]:
    """Yield the differences of some pairs of systems at a time, at least once."""
    pairs = system_pairs(len(outputs.systems))
    step = max(1, _BLOCK // max(1, (1 + len(outputs.metrics)) * len(outputs.inputs)))
    for start in range(0, max(1, len(pairs)), step):
        yield pair_differences(outputs.scores, outputs.quality, pairs=pairs[start : start + step])


@dataclass(frozen=True, eq=False)
class _Tested:
    """Tests of some pairs of systems; `side` is the sign of each difference, whatever p."""

    pairs: IntArray
    p: FloatArray
    side: IntArray
    mean: FloatArray
    left_out: int


def _tested(
    differences: PairDifferences, min_inputs: int, test: Test, zeros: Zeros, direction: Direction, seed: int
) -> _Tested:
    kept = differences.used.sum(axis=1) >= max(1, min_inputs)
    d = _rows(differences)[:, kept]
    ranks = signed_rank(d, zeros=zeros, decimals=SCORE_DECIMALS)
    known = ~np.isnan(d)
    count = known.sum(axis=2)
    mean = np.where(known, d, 0).sum(axis=2) / np.maximum(count, 1)
    mean = np.where(count > 0, mean, np.nan)
    mean[:1], mean[1:] = np.round(mean[:1], QUALITY_DECIMALS), np.round(mean[1:], SCORE_DECIMALS)
    p = ranks.p if test == "wilcoxon" else _paired_t(d, mean, count)
    if test == "permutation":
        p = sign_flip_p(d, seed=seed)
    sign = ranks.w_plus - ranks.w_minus
    if direction != "ranks":
        sign = mean if direction == "mean" else _medians(d)
    side = np.sign(np.nan_to_num(sign)).astype(np.int64)
    return _Tested(differences.pairs[kept], p, side, mean, int((~kept).sum()))


def _rows(found: PairDifferences) -> FloatArray:
    """Return the differences in quality, then in each metric; NaN where they are not used."""
    scores = np.where(found.used & found.scored[:, :, None], found.scores, np.nan)
    return np.concatenate([np.where(found.used, found.quality, np.nan)[None], scores])


def _paired_t(d: FloatArray, mean: FloatArray, count: IntArray) -> FloatArray:
    known = ~np.isnan(d)
    squares = np.where(known, (d - mean[..., None]) ** 2, 0).sum(axis=2)
    varies = (count > 1) & (squares > 1e-18)
    with np.errstate(invalid="ignore", divide="ignore"):
        t = np.where(varies, mean / np.sqrt(squares / (count - 1) / count), np.nan)
    p: FloatArray = 2 * scipy.special.stdtr(np.maximum(count - 1, 1), -np.abs(t))
    return np.where((count > 0) & ~np.where(known, d, 0).any(axis=2), 1.0, p)


def _medians(d: FloatArray) -> FloatArray:
    missing = np.isnan(d).all(axis=2, keepdims=True)
    return np.nanmedian(np.where(missing, 0, d), axis=2)

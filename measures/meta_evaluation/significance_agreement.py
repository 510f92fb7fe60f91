"""Whether a metric finds the same significant differences between systems as people do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from measures.core.arrays import IntArray
from measures.core.undefined import Undefined
from measures.meta_evaluation.pair_shares import Share, share_of
from measures.meta_evaluation.pair_verdicts import Verdicts

Shares: TypeAlias = Literal["diff", "no diff", "contr", "sig", "all"]
ContradictionsOf: TypeAlias = Literal["all pairs", "pairs significant by both"]
"""What contradictions are a share of."""

SHARE_NAMES: tuple[Shares, ...] = ("diff", "no diff", "contr", "sig", "all")

NO_PAIRS = Undefined("there is no pair of systems with enough inputs")
NO_DIFFERENCE = Undefined("people find no significant difference on any pair")
ALL_DIFFERENT = Undefined("people find a significant difference on every pair")
NEVER_BOTH = Undefined("people and metric find no pair on which both see a significant difference")
NO_SCORES = Undefined("the metric has no scores on these pairs")
_REASONS: dict[Shares, Undefined] = {"diff": NO_DIFFERENCE, "no diff": ALL_DIFFERENT, "contr": NEVER_BOTH}


@dataclass(frozen=True, eq=False)
class Agreement:
    """Agreement of one metric with the judgement about significant differences.

    Attributes
    ----------
    table : IntArray of shape (3, 3)
        Pairs by the verdict of the judgement (row: better, neither, worse) and of the metric (column).
    shares : dict of str to (Share or Undefined)
        "diff": the same significant verdict, of those significant for people; "no diff": neither significant, of those
        not significant for people; "contr": opposite significant verdicts, of all or of those significant by both;
        "sig": the three diagonal cells, of all; "all": the means differ in the same direction, whether significantly or
        not, of all.
    """

    table: IntArray
    shares: dict[Shares, Share | Undefined]


NOT_SCORED = Agreement(np.zeros((3, 3), dtype=np.int64), dict.fromkeys(SHARE_NAMES, NO_SCORES))


def agreement(
    judge: npt.ArrayLike,
    metric: npt.ArrayLike,
    same_direction: npt.ArrayLike | None = None,
    *,
    contradictions_of: ContradictionsOf = "all pairs",
) -> Agreement:
    """Compare a metric's verdicts with those of the judgement.

    Source: Owczarzak et al. 2012, Tables 2 and 3.

    Parameters
    ----------
    judge, metric : array_like of shape (p,)
        1, 0 or -1 for each pair of systems.
    same_direction : array_like of bool, of shape (p,), optional
        Whether the differences of means have the same sign (0 with 0); without it "all" is undefined.
    contradictions_of : {"all pairs", "pairs significant by both"}
        Denominator of "contr"; the paper does not give it.

    Returns
    -------
    Agreement
        The table and the shares.

    Examples
    --------
    >>> found = agreement([1, 1, 0, -1], [1, 0, 0, 1])
    >>> found.table.tolist(), found.shares["sig"].value, found.shares["contr"].agreed
    ([[1, 1, 0], [0, 1, 0], [1, 0, 0]], 0.5, 1)
    """
    rows, columns = np.asarray(judge, dtype=np.int64), np.asarray(metric, dtype=np.int64)
    table = np.bincount((1 - rows) * 3 + 1 - columns, minlength=9).reshape(3, 3)
    total, neither = int(table.sum()), int(table[1].sum())
    same, opposite = int(table[0, 0] + table[2, 2]), int(table[0, 2] + table[2, 0])
    contradictions = (opposite, total if contradictions_of == "all pairs" else same + opposite)
    counts: dict[Shares, tuple[int, int]] = {
        "diff": (same, total - neither),
        "no diff": (int(table[1, 1]), neither),
        "contr": contradictions,
        "sig": (int(table.trace()), total),
    }
    shares: dict[Shares, Share | Undefined] = {}
    for name, (agreed, of) in counts.items():
        reason = _REASONS.get(name, NO_PAIRS) if total else NO_PAIRS
        shares[name] = share_of(agreed, of) if of else reason
    directions = None if same_direction is None else np.asarray(same_direction, dtype=bool)
    shares["all"] = Undefined("the differences of means are not known")
    if directions is not None:
        shares["all"] = share_of(int(directions.sum()), total) if total else NO_PAIRS
    return Agreement(table, shares)


def agreements(found: Verdicts, *, contradictions_of: ContradictionsOf = "all pairs") -> list[Agreement]:
    """Compare the verdicts of every metric with those of the judgement; see `agreement`.

    Pairs on which a metric has no value do not count for it.

    Examples
    --------
    >>> from measures.meta_evaluation.judged_outputs import JudgedOutputs
    >>> from measures.meta_evaluation.pair_verdicts import verdicts
    >>> quality = np.array([[1, 2, 1, 2, 1, 3], [2, 3, 2, 3.5, 2, 3.8]])
    >>> outputs = JudgedOutputs(("R",), ("A", "B"), tuple("uvwxyz"), np.array([quality]), quality)
    >>> agreements(verdicts(outputs, min_inputs=5))[0].shares["diff"].value
    1.0
    """
    signs, known = np.sign(found.difference), ~np.isnan(found.difference)
    return [
        agreement(
            found.verdict[0, there], row[there], signs[0, there] == sign[there], contradictions_of=contradictions_of
        )
        if there.any() or not len(there)
        else NOT_SCORED
        for row, sign, there in zip(found.verdict[1:], signs[1:], known[1:], strict=True)
    ]

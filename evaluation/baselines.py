"""Metrics beside the baselines of Owczarzak et al. 2012: ROUGE-2 for pairs of systems, ROUGE-1 with people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from evaluation.parameters import EvaluationParameters
from measures.core.arrays import BoolArray, FloatArray
from measures.core.many_tests import benjamini_hochberg, holm
from measures.core.undefined import Undefined
from measures.meta_evaluation import (
    Agreement,
    BootstrapIntervals,
    JudgedOutputs,
    Share,
    Verdicts,
    agreements,
    beats_baseline,
    bootstrap_direction,
    mcnemar,
)
from measures.meta_evaluation.pair_verdicts import PairKind
from measures.meta_evaluation.significance_agreement import Shares

BASELINES: dict[PairKind, str] = {
    "auto-auto": "LR-2+Recall+MULT-ALL",
    "human-auto": "LR-1+Recall+MULT-ALL",
    "human-human": "LR-1+Recall+MULT-ALL",
}

LEAST_DRAWN = 10
"""With fewer systems, pairs of systems that are drawn again say less about certainty than they seem to."""
TOO_FEW_DRAWN = Undefined(f"there are fewer than {LEAST_DRAWN} systems to draw")


@dataclass(frozen=True, eq=False)
class Versus:
    """Metrics (m) beside a baseline on some pairs of systems.

    `p` has, for "sig" (the verdict is people's) and "all" (the direction is), McNemar's p of each metric; NaN for the
    baseline itself. `resampled` are intervals of how much oftener a metric has people's direction than the baseline,
    None with too few systems to draw them.
    """

    baseline: int
    name: str
    shares: Sequence[Agreement]
    p: Mapping[Shares, FloatArray]
    resampled: BootstrapIntervals | None

    @cached_property
    def _corrected(self) -> Mapping[Shares, tuple[FloatArray, FloatArray, FloatArray]]:
        return {figure: (p, holm(p), benjamini_hochberg(p)) for figure, p in self.p.items()}

    def columns(self, figure: Shares, metric: int) -> dict[str, Any]:
        """Return what is compared: "sig" and "all" have tests, only the latter the bootstrap."""
        mine, theirs = (self.shares[each].shares[figure] for each in (metric, self.baseline))
        if figure not in self.p or not isinstance(mine, Share) or not isinstance(theirs, Share):
            return {}
        columns: dict[str, Any] = {"baseline": self.name}
        if metric == self.baseline:
            return columns
        columns |= {"beats_baseline": beats_baseline(mine, theirs), "versus_baseline": mine.value - theirs.value}
        for name, values in zip(("p", "p_holm", "p_bh"), self._corrected[figure], strict=True):
            columns[name] = values[metric]
        if figure == "all":
            columns |= self._ends(metric)
        return columns

    def _ends(self, metric: int) -> dict[str, Any]:
        if self.resampled is None:
            return {"no_versus_interval": TOO_FEW_DRAWN.reason}
        found = self.resampled.intervals[metric]
        return {} if isinstance(found, Undefined) else {"versus_low": found.low, "versus_high": found.high}


def versus_baseline(
    outputs: JudgedOutputs, found: Verdicts, kind: PairKind, parameters: EvaluationParameters
) -> Versus | None:
    """Compare the metrics with the baseline on some pairs of systems; None where there is nothing to compare."""
    known = ~np.isnan(found.difference[1:])
    scored = np.asarray(known.any(axis=1), dtype=np.bool_)
    if not scored.any():
        return None
    baseline = baseline_of(kind, outputs.metrics, scored)
    among = _among(outputs, found)
    resampled = None
    if len(np.unique(found.pairs)) >= LEAST_DRAWN:
        resampled = bootstrap_direction(outputs, baseline, seed=parameters.seed, among=among, draws=parameters.draws)
    sign = np.sign(found.difference)
    agrees: dict[Shares, BoolArray] = {"sig": found.verdict[1:] == found.verdict[:1], "all": sign[1:] == sign[:1]}
    p = {figure: _p_values(each, known, baseline) for figure, each in agrees.items()}
    return Versus(baseline, outputs.metrics[baseline], agreements(found), p, resampled)


def baseline_of(kind: PairKind, metrics: Sequence[str], scored: BoolArray) -> int:
    """Return the place of the paper's baseline for a kind of pairs, else of the first metric that has scores."""
    if BASELINES[kind] in metrics:
        return metrics.index(BASELINES[kind])
    return int(np.argmax(scored))


def _p_values(agrees: BoolArray, known: BoolArray, baseline: int) -> FloatArray:
    """Return p of each metric, on the pairs on which it and the baseline have scores."""
    both = known & known[baseline]
    p = [
        mcnemar(mine[there], agrees[baseline, there]) if there.any() else np.nan
        for mine, there in zip(agrees, both, strict=True)
    ]
    p[baseline] = np.nan
    return np.array(p, dtype=np.float64)


def _among(outputs: JudgedOutputs, found: Verdicts) -> BoolArray:
    """Return which of all pairs of systems there are verdicts on."""
    chosen = set(map(tuple, found.pairs.tolist()))
    return np.array([pair in chosen for pair in outputs.pairs], dtype=np.bool_)

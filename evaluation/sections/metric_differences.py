"""Is one metric better than another? Each metric against the best one, by exchanging their scores (PERM-BOTH)."""

from collections.abc import Callable, Iterator

import numpy as np

from evaluation.compared import Compared
from evaluation.judged_release import JudgedRelease
from evaluation.sections.base import Figures, ReportSection, Row, SectionResult, plain, row
from measures.core.arrays import FloatArray
from measures.core.many_tests import benjamini_hochberg, holm
from measures.core.undefined import Undefined
from measures.meta_evaluation import compare_input_level
from measures.meta_evaluation.permutation import MetricComparisons

TABLE, PERM_BOTH = "metric differences", "PERM-BOTH"
NOTHING = Undefined("no metric has a correlation")
ONE_METRIC = Undefined("there is no other metric")


def difference_rows(judged: JudgedRelease) -> SectionResult:
    """Return the best metric of each judgement against all others; p is corrected over all ordered pairs of metrics.

    The statistic is the mean over pairs of systems, whatever the report's `over_pairs`.
    """
    rows: list[Row] = []
    figures: Figures = {}
    for judgement in judged.judgements:
        compared, chosen = judged.compared[judgement], judged.parameters
        found = compare_input_level(
            compared.outputs.scores,
            compared.outputs.quality,
            draws=chosen.draws,
            seed=chosen.seed,
            missing=chosen.missing,
        )
        p = one_sided(found)
        corrected = {"p_holm": _over_pairs(p, holm), "p_bh": _over_pairs(p, benjamini_hochberg)}
        rows += _rows(judgement, compared, found, {"p": p, **corrected})
        figures[judgement] = {
            "metrics": list(compared.outputs.metrics),
            "p": [[plain(round(value, 6)) for value in line] for line in p.tolist()],
        }
    return SectionResult(rows, {TABLE: figures})


def one_sided(found: MetricComparisons) -> FloatArray:
    """Return p for each metric (row) being no better than each other (column); NaN where they can't be compared."""
    # Without an output that two metrics score there is nothing to exchange, and nothing is compared.
    p = found.greater / max(1, found.swaps) if found.enumerated else (1 + found.greater) / (1 + found.swaps)
    compared = ~np.isnan(found.difference) & ~np.eye(len(p), dtype=np.bool_)
    return np.where(compared, p, np.nan)


def _over_pairs(p: FloatArray, correct: Callable[[FloatArray], FloatArray]) -> FloatArray:
    return correct(p.reshape(-1)).reshape(p.shape)


def _rows(judgement: str, compared: Compared, found: MetricComparisons, p: dict[str, FloatArray]) -> Iterator[Row]:
    metrics, values = compared.outputs.metrics, found.values
    if np.isnan(values).all() or len(metrics) < 2:
        reason = ONE_METRIC if len(metrics) < 2 else NOTHING
        yield row(TABLE, PERM_BOTH, reason, judgement=judgement)
        return
    best = int(np.nanargmax(values))
    for other in np.argsort(-values, kind="stable").tolist():
        if other == best:
            continue
        difference = found.difference[best, other]
        yield row(
            TABLE,
            PERM_BOTH,
            NOTHING if np.isnan(difference) else float(difference),
            judgement=judgement,
            metric=metrics[best],
            other=metrics[other],
            n=found.swaps,
            is_enumerated=found.enumerated,
            **{name: plain(each[best, other]) for name, each in p.items()},
        )


SECTIONS = [ReportSection(60, difference_rows, cost=8)]

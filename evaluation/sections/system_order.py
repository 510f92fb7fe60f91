"""Does a metric order systems as people do? Pairwise accuracy, on all and on significant pairs, and soft."""

import numpy as np

from evaluation.judged_release import JudgedRelease
from evaluation.sections.base import ReportSection, Row, SectionResult, row
from measures.core.undefined import Undefined
from measures.meta_evaluation import JudgedOutputs, pairwise_accuracy, soft_pairwise_accuracy, system_tests
from measures.meta_evaluation.significance_agreement import NO_DIFFERENCE
from measures.meta_evaluation.smallest_trusted_difference import ALL_TIED
from measures.meta_evaluation.system_differences import QUALITY_DECIMALS
from measures.meta_evaluation.system_order import PairwiseAccuracy

TABLE = "system order"
ACCURACY, SIGNIFICANT, SOFT = "pairwise accuracy", "pairwise accuracy, significant pairs", "soft pairwise accuracy"


def order_rows(judged: JudgedRelease) -> SectionResult:
    """Return the three accuracies of each metric for each judgement."""
    rows: list[Row] = []
    chosen = judged.parameters
    for judgement in judged.judgements:
        outputs = judged.comparable(judgement)
        if _all_tied(outputs):
            rows += [
                row(TABLE, figure, ALL_TIED, n=0, judgement=judgement, metric=metric)
                for metric in outputs.metrics
                for figure in (ACCURACY, SIGNIFICANT, SOFT)
            ]
            continue
        people, _metrics = system_tests(outputs.of_metrics([]))
        differ = np.nan_to_num(people.wilcoxon_p[0], nan=1.0) < chosen.alpha
        plain = pairwise_accuracy(outputs.scores, outputs.quality)
        among = pairwise_accuracy(outputs.scores, outputs.quality, among=differ.tolist())
        soft = soft_pairwise_accuracy(outputs.scores, outputs.quality, draws=chosen.draws, seed=chosen.seed)
        pairs, ties = (~np.isnan(soft.p)).sum(axis=1), (soft.ties[:1] | soft.ties[1:]).sum(axis=1)
        for number, metric in enumerate(outputs.metrics):
            about = {"judgement": judgement, "metric": metric}
            rows += [
                row(TABLE, ACCURACY, plain[number].share, n=plain[number].pairs, **about),
                row(TABLE, SIGNIFICANT, _share(among[number], plain[number]), n=among[number].pairs, **about),
                row(TABLE, SOFT, soft.values[number], n=int(pairs[number]), ties=int(ties[number]), **about),
            ]
    return SectionResult(rows, {})


def _all_tied(outputs: JudgedOutputs) -> bool:
    """Whether people's means are the same for all systems: a metric that never differs would seem to be perfect."""
    rated = ~np.isnan(outputs.quality)
    means = np.nansum(outputs.quality, axis=1)[rated.any(axis=1)] / rated.sum(axis=1)[rated.any(axis=1)]
    return len(means) > 1 and not np.ptp(np.round(means, QUALITY_DECIMALS))


def _share(among: PairwiseAccuracy, every: PairwiseAccuracy) -> float | Undefined:
    """Return the share of the pairs that differ significantly, or that there are none among all pairs."""
    return NO_DIFFERENCE if every.pairs and not among.pairs else among.share


SECTIONS = [ReportSection(130, order_rows)]

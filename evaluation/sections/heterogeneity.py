"""Metrics combined without any rating (HBR), beside single metrics and plain combinations."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.judged_release import JudgedRelease
from evaluation.sections.base import LEAST_INPUTS, Figures, ReportSection, Row, SectionResult, plain, row
from measures.core.arrays import FloatArray
from measures.core.many_tests import benjamini_hochberg, holm
from measures.core.undefined import Undefined
from measures.meta_evaluation import (
    auc_counts,
    auc_differences,
    best_single,
    curve_of_corroboration,
    first_component,
    heterogeneity_ranking,
    mean_rank,
    mean_z_score,
    robustness,
)
from measures.meta_evaluation.auc import AucCounts, AucDifference

TABLE, CURVE = "heterogeneity", "corroboration"
HBR, MEAN_RANK, MEAN_Z, COMPONENT = "HBR", "mean rank", "mean z-score", "first component"
TOO_FEW_TOPICS = f"fewer than {LEAST_INPUTS} inputs have outputs with different ratings"
NO_SCORES = Undefined("no output has a score of this metric")


@dataclass(frozen=True, eq=False)
class _Measures:
    """Metrics with scores, then the combinations that are defined; HBR comes first of these.

    `scores` (measure, system, input) are only of outputs with every metric. `missing` has the measures that are
    undefined, `counts` the outputs that were kept and left out, and the pairs if HBR took only some.
    """

    names: Sequence[str]
    scores: FloatArray
    metrics: int
    missing: Mapping[str, Undefined]
    corroboration: FloatArray | Undefined
    counts: Mapping[str, int]


def heterogeneity_rows(judged: JudgedRelease) -> SectionResult:
    """Return AUC and robustness of each metric and combination, and the test of HBR against each.

    The combinations see no rating. They need every metric, so outputs that lack one are left out of all rows.
    """
    measures = _measures(judged)
    rows, figures = list[Row](), dict[str, Figures]()
    for judgement in judged.judgements:
        rows += _rows(judged, judgement, measures)
        for name, reason in measures.missing.items():
            rows.append(row(TABLE, "auc", reason, judgement=judgement, metric=name, **measures.counts))
        figures[judgement] = _curve(measures, judged.quality(judgement))
    return SectionResult(rows, {CURVE: figures})


def _measures(judged: JudgedRelease) -> _Measures:
    scored = np.asarray((~np.isnan(judged.scored.scores)).any(axis=(1, 2)), dtype=np.bool_)
    scores = judged.scored.scores[scored]
    complete = ~np.isnan(scores).any(axis=0) & bool(len(scores))
    kept = np.where(complete, scores, np.nan)
    ranking = heterogeneity_ranking(kept, seed=judged.parameters.seed)
    combined: dict[str, FloatArray | Undefined] = {
        HBR: ranking if isinstance(ranking, Undefined) else ranking.outputs,
        MEAN_RANK: mean_rank(kept),
        MEAN_Z: mean_z_score(kept),
        COMPONENT: first_component(kept),
    }
    defined = {name: each for name, each in combined.items() if not isinstance(each, Undefined)}
    names = [judged.metrics[place].name for place in np.flatnonzero(scored).tolist()]
    missing = {judged.metrics[place].name: NO_SCORES for place in np.flatnonzero(~scored).tolist()}
    missing |= {name: each for name, each in combined.items() if isinstance(each, Undefined)}
    outputs = sum(text is not None for texts in judged.outputs for text in texts)
    counts = {"outputs": int(complete.sum()), "left_out": outputs - int(complete.sum())}
    if not isinstance(ranking, Undefined) and ranking.pairs < ranking.all_pairs:
        counts |= {"drawn_pairs": ranking.pairs, "all_pairs": ranking.all_pairs}
    return _Measures(
        [*names, *defined],
        np.concatenate([kept, *(each[None] for each in defined.values())]),
        len(names),
        missing,
        ranking if isinstance(ranking, Undefined) else ranking.corroboration,
        counts,
    )


def _rows(judged: JudgedRelease, judgement: str, measures: _Measures) -> Iterator[Row]:
    counts = auc_counts(measures.scores, judged.quality(judgement))
    pooled = counts.pooled()
    of_topics = robustness(counts, combined=range(measures.metrics, len(measures.names)))
    oracle = best_single(pooled[: measures.metrics])
    for number, name in enumerate(measures.names):
        known = {"judgement": judgement, "metric": name, "n": int(counts.pairs.sum()), **measures.counts}
        known |= {"is_combined": number >= measures.metrics, "is_best_single": number == oracle}
        topics = {"topics": len(of_topics.topics), "inconsistent": len(of_topics.inconsistent)}
        yield row(TABLE, "auc", pooled[number], **known)
        yield row(TABLE, "worst rank", of_topics.worst_rank[number], **topics, **known)
        yield row(TABLE, "auc without inconsistent topics", of_topics.auc_without[number], **topics, **known)
    if HBR in measures.names:
        yield from _tests(judged, judgement, measures, counts)


def _tests(judged: JudgedRelease, judgement: str, measures: _Measures, counts: AucCounts) -> Iterator[Row]:
    """Yield AUC of HBR minus that of each other measure; n is the number of inputs with different ratings."""
    chosen, hbr = judged.parameters, measures.names.index(HBR)
    tested = auc_differences(counts, hbr, draws=chosen.draws, seed=chosen.seed)
    p = np.array([np.nan if isinstance(each.p, Undefined) else each.p for each in tested])
    p[hbr] = np.nan
    corrected = zip(holm(p), benjamini_hochberg(p), strict=True)
    for name, each, (p_holm, p_bh) in zip(measures.names, tested, corrected, strict=True):
        if name != HBR:
            found = {**_defined({"p": each.p}), **_ends(each)}
            about = {"judgement": judgement, "metric": name, "n": each.topics, **measures.counts}
            yield row(TABLE, "HBR minus this", each.difference, p_holm=p_holm, p_bh=p_bh, **about, **found)


def _ends(found: AucDifference) -> Mapping[str, float | str | None]:
    """Return the columns of an interval, or why there is none."""
    if found.topics < LEAST_INPUTS:
        return {"no_interval": TOO_FEW_TOPICS}
    return _defined({"low": found.low, "high": found.high})


def _defined(values: Mapping[str, float | Undefined]) -> dict[str, float | None]:
    """Return None for what is undefined, so that its reason does not stand for the value's."""
    return {name: None if isinstance(each, Undefined) else each for name, each in values.items()}


def _curve(measures: _Measures, quality: FloatArray) -> Figures:
    """Return how often people prefer the output that more unlike metrics corroborate."""
    found = measures.corroboration
    curve = found if isinstance(found, Undefined) else curve_of_corroboration(found, quality)
    if isinstance(curve, Undefined):
        return {"reason": curve.reason}
    lines = {"heterogeneity": curve.heterogeneity, "not_worse": curve.not_worse, "better": curve.better}
    return {name: [plain(round(each, 5)) for each in values.tolist()] for name, values in lines.items()}


SECTIONS = [ReportSection(120, heterogeneity_rows, cost=3)]

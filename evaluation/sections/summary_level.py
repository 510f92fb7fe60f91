"""Correlations within inputs, within systems and over all outputs, beside those over systems."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from evaluation.judged_release import JudgedRelease
from evaluation.sections.base import ReportSection, Row, SectionResult, row
from measures.core.arrays import FloatArray
from measures.meta_evaluation import JudgedOutputs, grouped_correlation, system_level_correlations, text_sentinels
from measures.meta_evaluation.summary_correlations import Grouping, Kind

TABLE = "summary level"
OVER_SYSTEMS, WITHIN_INPUTS = "r_SYS", "r_SUM"
REWARD_KNOWING_THE_INPUT: dict[Grouping, str] = {"system": "within systems", "none": "over all outputs"}


def summary_rows(judged: JudgedRelease) -> SectionResult:
    """Return r_SYS, r_SUM, and the correlations of outputs grouped by system and not at all, also of sentinels.

    Those within systems and over all outputs reward a metric for knowing which inputs are hard. So do sentinels that
    know nothing but the source.
    """
    texts = [source.text for source in judged.inputs]
    sentinels = text_sentinels(texts, judged.outputs, seed=judged.parameters.seed)
    rows: list[Row] = []
    for judgement in judged.judgements:
        outputs = judged.compared[judgement].outputs
        rows += _rows(outputs, judgement, is_sentinel=False)
        others = replace(outputs, metrics=tuple(sentinels), scores=_stacked(sentinels, outputs))
        rows += _rows(others, judgement, is_sentinel=True)
    return SectionResult(rows, {})


def _stacked(scores: dict[str, FloatArray], outputs: JudgedOutputs) -> FloatArray:
    return np.array(list(scores.values()), dtype=np.float64).reshape(len(scores), *outputs.quality.shape)


def _rows(outputs: JudgedOutputs, judgement: str, *, is_sentinel: bool) -> Iterator[Row]:
    about = {"judgement": judgement, "is_sentinel": is_sentinel}
    for kind in get_args(Kind):
        of_systems = system_level_correlations(outputs.scores, outputs.quality, kind=kind)
        both = ~np.isnan(outputs.scores) & ~np.isnan(outputs.quality)
        systems = both.any(axis=2).sum(axis=1).tolist()
        for metric, value, number in zip(outputs.metrics, of_systems, systems, strict=True):
            yield row(TABLE, OVER_SYSTEMS, value, metric=metric, other=kind, n=number, **about)
        yield from _grouped(outputs, "input", kind, WITHIN_INPUTS, about)
    for by, figure in REWARD_KNOWING_THE_INPUT.items():
        yield from _grouped(outputs, by, "pearson", figure, about)


def _grouped(outputs: JudgedOutputs, by: Grouping, kind: Kind, figure: str, about: dict[str, Any]) -> Iterator[Row]:
    """Yield the mean correlation of groups; n is the number of groups that have one."""
    found = grouped_correlation(outputs.scores, outputs.quality, by=by, kind=kind)
    for metric, each in zip(outputs.metrics, found, strict=True):
        counts = {"n": each.groups, "skipped": each.skipped}
        yield row(TABLE, figure, each.value, metric=metric, other=kind, **counts, **about)


SECTIONS = [ReportSection(150, summary_rows, cost=2)]

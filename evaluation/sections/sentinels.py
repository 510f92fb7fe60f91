"""Scores that say nothing about quality, treated like metrics, and one rater treated so."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from evaluation.judged_release import JudgedRelease
from evaluation.sections.base import ReportSection, Row, SectionResult, row
from measures.core.undefined import Undefined
from measures.meta_evaluation import JudgedOutputs, corpus_level, input_level, rater_sentinel, text_sentinels
from measures.meta_evaluation.sentinels import ONE_RATER

TABLE = "sentinels"


def sentinel_rows(judged: JudgedRelease) -> SectionResult:
    """Return the correlations of sentinels with each judgement, at input level and over systems."""
    texts = [source.text for source in judged.inputs]
    scores = text_sentinels(texts, judged.outputs, seed=judged.parameters.seed)
    rows: list[Row] = []
    for judgement in judged.judgements:
        outputs = judged.compared[judgement].outputs
        stacked = np.stack(list(scores.values()))
        rows += _rows(judged, judgement, replace(outputs, metrics=tuple(scores), scores=stacked))
        one, others = rater_sentinel(judged.ratings(judgement), seed=judged.parameters.seed, panels=judged.panels)
        rows += _rows(judged, judgement, replace(outputs, metrics=(ONE_RATER,), scores=one[None], quality=others))
    return SectionResult(rows, {})


def _rows(judged: JudgedRelease, judgement: str, outputs: JudgedOutputs) -> Iterator[Row]:
    level = input_level(outputs, missing=judged.parameters.missing)
    systems = corpus_level(outputs, method="kendall")
    for number, sentinel in enumerate(outputs.metrics):
        about = {"judgement": judgement, "metric": sentinel}
        found: float | Undefined = level.over_pairs(number, judged.parameters.over_pairs)
        yield row(TABLE, "r", found, n=level.least_inputs(number), **about)
        yield row(TABLE, "kendall", systems[number].r, n=systems[number].systems, **about)


SECTIONS = [ReportSection(70, sentinel_rows)]

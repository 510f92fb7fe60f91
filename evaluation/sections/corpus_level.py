"""How metrics order systems: correlations of the systems' means with those of people (corpus level)."""

from collections.abc import Iterator
from typing import get_args

import numpy as np

from evaluation.judged_release import WHOLE, JudgedRelease, Part
from evaluation.sections.base import (
    LEAST_INPUTS,
    LEAST_SYSTEMS,
    TOO_FEW_INPUTS,
    TOO_FEW_SYSTEMS,
    ReportSection,
    Row,
    SectionResult,
    row,
)
from measures.core.intervals import Interval
from measures.core.undefined import Undefined
from measures.meta_evaluation import Correlation, JudgedOutputs, Of, bootstrap_corpus_level, corpus_level

TABLE = "corpus level"


def corpus_rows(judged: JudgedRelease) -> SectionResult:
    """Return the correlations of each metric, on all inputs and on parts of them; intervals draw systems and inputs.

    On all inputs, also with each metric's mean over every output that there is, rated or not.
    """
    rows = [
        each
        for judgement in judged.judgements
        for part in judged.parts
        for of in (get_args(Of) if part.kind == WHOLE else ("judged",))
        for each in _rows(judged, judgement, part, of)
    ]
    return SectionResult(rows, {})


def _rows(judged: JudgedRelease, judgement: str, part: Part, of: Of) -> Iterator[Row]:
    outputs = judged.judged(judgement, part)
    about = {"judgement": judgement, "part_kind": part.kind, "part": part.name, "of": of}
    for method in get_args(Correlation):
        intervals = _intervals(judged, outputs, part, of, method)
        for number, found in enumerate(corpus_level(outputs, method=method, of=of)):
            p = {} if isinstance(found.p, Undefined) else {"p": found.p}
            ends = intervals[number] if intervals and not isinstance(found.r, Undefined) else {}
            yield row(TABLE, method, found.r, **about, metric=outputs.metrics[number], n=found.systems, **p, **ends)


def _intervals(
    judged: JudgedRelease, outputs: JudgedOutputs, part: Part, of: Of, method: Correlation
) -> list[dict[str, float | str]]:
    """Return the columns of the intervals of all metrics; none for parts, whose few inputs say little about systems."""
    if part.kind != WHOLE or of != "judged":
        return []
    if reason := _too_few(outputs):
        return [interval_values(reason)] * len(outputs.metrics)
    chosen = judged.parameters
    found = bootstrap_corpus_level(outputs, seed=chosen.seed, method=method, draws=chosen.draws)
    return [interval_values(each) for each in found.intervals]


def _too_few(outputs: JudgedOutputs) -> Undefined | None:
    rated = ~np.isnan(outputs.quality)
    if (rated.any(axis=1)).sum() < LEAST_SYSTEMS:
        return TOO_FEW_SYSTEMS
    return None if (rated.sum(axis=0) > 1).sum() >= LEAST_INPUTS else TOO_FEW_INPUTS


def interval_values(found: Interval | Undefined) -> dict[str, float | str]:
    """Return the columns of an interval, or why there is none."""
    if isinstance(found, Undefined):
        return {"no_interval": found.reason}
    return {"low": found.low, "high": found.high}


SECTIONS = [ReportSection(30, corpus_rows, cost=4)]

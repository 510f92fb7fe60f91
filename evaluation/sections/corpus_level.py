"""How metrics order systems: correlations of the systems' means with those of people (corpus level)."""

from collections.abc import Iterator
from typing import Any, get_args

import numpy as np

from evaluation.judged_release import WHOLE, JudgedRelease, Part
from evaluation.sections.base import (
    LEAST_INPUTS,
    TOO_FEW_INPUTS,
    ReportSection,
    Row,
    SectionResult,
    row,
)
from measures.core.intervals import Interval
from measures.core.undefined import Undefined
from measures.meta_evaluation import (
    Correlation,
    CorrelationInterval,
    JudgedOutputs,
    Of,
    SystemCorrelation,
    corpus_level,
    corpus_level_interval,
)

TABLE = "corpus level"


def corpus_rows(judged: JudgedRelease) -> SectionResult:
    """Return the correlations of each metric, on all inputs and on parts of them; intervals are over systems.

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
    # A part has few inputs, and each interval would be of another population of outputs.
    has_intervals = part.kind == WHOLE and of == "judged"
    for method in get_args(Correlation):
        for metric, found in zip(outputs.metrics, corpus_level(outputs, method=method, of=of), strict=True):
            p = {} if isinstance(found.p, Undefined) else {"p": found.p}
            ends = _interval(outputs, found, method) if has_intervals else {}
            order = {} if found.same_order is None else {"order": "same" if found.same_order else "opposite"}
            yield row(TABLE, method, found.r, **about, metric=metric, n=found.systems, **p, **ends, **order)


def _interval(outputs: JudgedOutputs, found: SystemCorrelation, method: Correlation) -> dict[str, Any]:
    """Return the columns of an interval over systems; nothing where the correlation is not defined."""
    if isinstance(found.r, Undefined):
        return {}
    rated = ~np.isnan(outputs.quality)
    enough = (rated.sum(axis=0) > 1).sum() >= LEAST_INPUTS
    return interval_values(corpus_level_interval(found, method) if enough else TOO_FEW_INPUTS)


def interval_values(found: Interval | CorrelationInterval | tuple[float, float] | Undefined) -> dict[str, Any]:
    """Return the columns of an interval, or why there is none."""
    if isinstance(found, Undefined):
        return {"no_interval": found.reason}
    if isinstance(found, tuple):
        return {"low": found[0], "high": found[1]}
    ends = {"low": found.low, "high": found.high}
    return ends | ({"systems": found.systems, "raters": found.raters} if isinstance(found, CorrelationInterval) else {})


SECTIONS = [ReportSection(30, corpus_rows, cost=4)]

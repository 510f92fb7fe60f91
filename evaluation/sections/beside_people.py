"""Each metric beside people on the same pairs of answers: does it see the differences that they see?"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from evaluation.judged_release import JudgedRelease
from evaluation.sections.base import ReportSection, Row, SectionResult, row
from measures.core.arrays import FloatArray
from measures.core.intervals import Interval
from measures.core.undefined import Undefined
from measures.experiments import MetricBesidePeople, PairedTests, metric_beside_people, paired_tests

TABLE = "metric beside people"
MOST_SYSTEMS = 3
"""Each metric is tested on every pair of systems, with draws of its own."""
TOO_MANY = Undefined(f"there are more than {MOST_SYSTEMS} systems")
NO_SCORE = Undefined("the metric has no score on this pair")
NO_PAIR = Undefined("no question has rated answers of both")


def beside_rows(judged: JudgedRelease) -> SectionResult:
    """Return, where raters judged answers to questions, what people and each metric say of each pair of systems."""
    if not judged.compares_answers:
        return SectionResult([], {})
    if len(judged.systems) > MOST_SYSTEMS:
        return SectionResult([row(TABLE, "rho", TOO_MANY)], {})
    rows: list[Row] = []
    for judgement in judged.judgements:
        outputs = judged.compared[judgement].outputs
        for one, other in combinations(range(len(outputs.systems)), 2):
            found = outputs.differences(one, other, missing=judged.parameters.missing)
            about = {"judgement": judgement, "other": f"{outputs.systems[one]}, {outputs.systems[other]}"}
            rows += _people(judged, found.quality, about)
            for metric, scores in zip(outputs.metrics, found.scores, strict=True):
                rows += _metric(judged, scores, found.quality, about | {"metric": metric})
    return SectionResult(rows, {})


def _people(judged: JudgedRelease, quality: FloatArray, about: dict[str, str]) -> Iterator[Row]:
    tests = paired_tests(quality, draws=judged.parameters.draws, seed=judged.parameters.seed)
    yield from _compared(NO_PAIR if isinstance(tests, Undefined) else tests, about)


def _metric(judged: JudgedRelease, scores: FloatArray, quality: FloatArray, about: dict[str, str]) -> Iterator[Row]:
    found: MetricBesidePeople | Undefined = NO_SCORE
    if len(scores) and not np.isnan(scores).any():
        found = metric_beside_people(scores, quality, draws=judged.parameters.draws, seed=judged.parameters.seed)
    if isinstance(found, Undefined):
        yield row(TABLE, "difference", found, **about)
        return
    yield from _compared(found.tests, about)
    ends = {"low": found.interval.low, "high": found.interval.high} if isinstance(found.interval, Interval) else {}
    yield row(TABLE, "rho", found.rho, n=found.sources, **about, **ends)
    yield row(TABLE, "same sign", found.same_sign, n=found.sources, **about)


def _compared(tests: PairedTests | Undefined, about: dict[str, str]) -> Iterator[Row]:
    """Yield the mean difference with the p of its paired t, and the shares better, equal and worse."""
    if isinstance(tests, Undefined):
        yield row(TABLE, "difference", tests, **about)
        return
    p = None if isinstance(tests.t, Undefined) else tests.t.p
    yield row(TABLE, "difference", tests.mean, n=tests.pairs, p=p, **about)
    for figure, number in (("better", tests.better), ("equal", tests.equal), ("worse", tests.worse)):
        yield row(TABLE, figure, number / tests.pairs, n=tests.pairs, **about)


SECTIONS = [ReportSection(25, beside_rows, cost=2)]

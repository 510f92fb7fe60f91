"""The means of systems by people and by metrics, as in Table 8, and systems tested against each other."""

from collections.abc import Iterator

import numpy as np

from evaluation.judged_release import JudgedRelease
from evaluation.sections.base import ReportSection, Row, SectionResult, row
from measures.core.undefined import Undefined
from measures.meta_evaluation import SystemTests, system_means, system_tests

MEANS, TESTS = "table 8", "systems"
NO_SCORE = Undefined("no output with a rating has a score")
NO_RATING = Undefined("no output has a rating")
ONE_SYSTEM = Undefined("there are fewer than 2 systems")


def mean_rows(judged: JudgedRelease) -> SectionResult:
    """Return the mean of each judgement and metric for each system, over the outputs with ratings."""
    rows: list[Row] = []
    for judgement in judged.judgements:
        outputs = judged.compared[judgement].outputs
        scores, quality = system_means(outputs)
        rated = (~np.isnan(outputs.quality)).sum(axis=1)
        for place, system in enumerate(judged.systems):
            rows.append(_mean(judgement, "", system, quality[place], int(rated[place]), NO_RATING))
        if judgement == judged.judgements[0]:
            counts = (~np.isnan(outputs.quality) & ~np.isnan(outputs.scores)).sum(axis=2)
            rows += [
                _mean("", metric, system, scores[number, place], int(counts[number, place]), NO_SCORE)
                for number, metric in enumerate(outputs.metrics)
                for place, system in enumerate(judged.systems)
            ]
    return SectionResult(rows, {})


def _mean(judgement: str, metric: str, system: str, value: float, number: int, missing: Undefined) -> Row:
    found = missing if np.isnan(value) else float(value)
    return row(MEANS, "mean", found, judgement=judgement, metric=metric, other=system, n=number)


def tested_rows(judged: JudgedRelease) -> SectionResult:
    """Return the tests of every two systems by people and by each metric; p by Holm is over the pairs of systems."""
    rows: list[Row] = []
    by_pair: list[Row] = []
    for judgement in judged.judgements:
        outputs = judged.compared[judgement].outputs
        if len(judged.systems) < 2:
            rows.append(row(TESTS, "t", ONE_SYSTEM, judgement=judgement))
            continue
        people, metrics = system_tests(outputs)
        rows += _tested(people, [""], outputs.pair_names, judgement)
        by_pair += _tested(metrics, outputs.metrics, outputs.pair_names, judgement)
    return SectionResult(rows, {}, by_pair)


def _tested(
    tests: SystemTests, names: list[str] | tuple[str, ...], pairs: tuple[tuple[str, str], ...], judgement: str
) -> Iterator[Row]:
    for score, metric in enumerate(names):
        for place, pair in enumerate(pairs):
            about = {"judgement": judgement, "metric": metric, "other": ", ".join(pair)}
            shared = {"n": tests.inputs[score, place], "difference": tests.difference[score, place]}
            t = {"p": tests.t_p[score, place], "p_holm": tests.t_holm[score, place]}
            yield row(TESTS, "t", tests.t_at(score, place), **about, **shared, **t)
            ranks = {"p": tests.wilcoxon_p[score, place], "p_holm": tests.wilcoxon_holm[score, place]}
            yield row(TESTS, "wilcoxon", tests.difference[score, place], **about, **shared, **ranks)


SECTIONS = [ReportSection(10, mean_rows), ReportSection(20, tested_rows)]

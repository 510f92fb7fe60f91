"""How large must a difference between two systems be in a metric until it can be trusted?"""

from collections.abc import Iterator

import numpy as np

from evaluation.judged_release import JudgedRelease
from evaluation.sections.base import Figures, ReportSection, Row, SectionResult, plain, row
from measures.meta_evaluation import (
    TrustedDifference,
    Verdicts,
    agreement_curve,
    difference_histogram,
    trusted_differences,
)

TABLE, HISTOGRAM = "shown difference", "difference histogram"
"""Reports of before have a table "trusted difference", in which metrics without any relation to people have values."""


def trusted_rows(judged: JudgedRelease) -> SectionResult:
    """Return from which difference on each metric is shown to agree with people so often; people count as systems."""
    rows: list[Row] = []
    figures: Figures = {}
    chosen, names = judged.parameters, [each.name for each in judged.metrics]
    for judgement in judged.judgements:
        everyone, outputs = judged.people_and_systems[judgement], judged.comparable(judgement)
        found = judged.verdicts[judgement]
        if everyone.is_person.any():
            found, outputs = everyone.verdicts, everyone.outputs
        trusted = trusted_differences(outputs, found, seed=chosen.seed, draws=chosen.draws)
        rows += _rows(judgement, names, found, trusted, people=int(everyone.is_person.sum()))
        figures[judgement] = dict(_plots(names, found))
    return SectionResult(rows, {HISTOGRAM: figures})


def _rows(
    judgement: str, names: list[str], found: Verdicts, trusted: list[TrustedDifference], *, people: int
) -> Iterator[Row]:
    pairs = (~np.isnan(found.difference[1:])).sum(axis=1)
    for metric, each, number in zip(names, trusted, pairs.tolist(), strict=True):
        about = {"judgement": judgement, "metric": metric, "n": number, "people": people}
        for level, smallest in each.smallest.items():
            yield row(TABLE, f"{level:.0%}", smallest, pairs_above=each.pairs[level], **about)


def _plots(names: list[str], found: Verdicts) -> Iterator[tuple[str, Figures]]:
    """Yield for each metric its pairs by the size of the difference, and how agreement grows with it."""
    sign, significant = np.sign(found.difference), found.verdict[0] != 0
    for number, metric in enumerate(names):
        differences = found.difference[number + 1]
        known = ~np.isnan(differences)
        if not known.any():
            continue
        same = sign[number + 1, known] == sign[0, known]
        bins = difference_histogram(differences[known], significant[known], same)
        sizes, agreement = agreement_curve(differences[known], same)
        yield (
            metric,
            {
                "edges": [round(edge, 6) for edge in bins.edges.tolist()],
                "significant": bins.significant.tolist(),
                "agree": bins.agree.tolist(),
                "all": bins.all_pairs.tolist(),
                "curve": _corners(sizes.tolist(), agreement.tolist()),
            },
        )


def _corners(sizes: list[float], agreement: list[float]) -> list[list[float]]:
    """Return where the fitted agreement rises: the size from which on it holds, and the agreement."""
    rises = [place for place, each in enumerate(agreement) if not place or each > agreement[place - 1] + 1e-12]
    return [[plain(round(sizes[place], 6)), plain(round(agreement[place], 4))] for place in rises]


SECTIONS = [ReportSection(110, trusted_rows, cost=3)]

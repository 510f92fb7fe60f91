"""How large must a difference between two systems be in a metric until it can be trusted?"""

from collections.abc import Iterator

import numpy as np

from evaluation.judged_release import JudgedRelease
from evaluation.sections.base import LEAST_PAIRS, Figures, ReportSection, Row, SectionResult, plain, row
from evaluation.sections.corpus_level import interval_values
from measures.core.undefined import Undefined
from measures.meta_evaluation import TrustedDifference, Verdicts, difference_histogram, trusted_differences

TABLE, HISTOGRAM = "trusted difference", "difference histogram"
ALL_TIED = Undefined("the mean ratings of two systems never differ")
TOO_FEW_PAIRS = Undefined(f"there are fewer than {LEAST_PAIRS} pairs of systems with enough inputs")
NO_PAIRS = Undefined("there is no pair of systems with enough inputs")


def trusted_rows(judged: JudgedRelease) -> SectionResult:
    """Return from which difference on each metric agrees with people so often; people count as systems.

    Pairs are drawn for the intervals. They share systems, so the intervals are too narrow.
    """
    rows: list[Row] = []
    figures: Figures = {}
    for judgement in judged.judgements:
        everyone = judged.people_and_systems[judgement]
        found = everyone.verdicts if everyone.is_person.any() else judged.verdicts[judgement]
        trusted = _trusted(judged, found)
        names = [each.name for each in judged.metrics]
        rows += _rows(judgement, names, found, trusted, people=int(everyone.is_person.sum()))
        figures[judgement] = dict(_plots(names, found, trusted))
    return SectionResult(rows, {HISTOGRAM: figures})


def _trusted(judged: JudgedRelease, found: Verdicts) -> list[TrustedDifference]:
    chosen = judged.parameters
    return trusted_differences(found.difference[1:], _same_direction(found), seed=chosen.seed, draws=chosen.draws)


def _same_direction(found: Verdicts) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Return for each metric and pair whether the metric's means differ in the direction of people's."""
    sign = np.sign(found.difference)
    return np.asarray(sign[1:] == sign[:1], dtype=np.bool_)


def _rows(
    judgement: str, names: list[str], found: Verdicts, trusted: list[TrustedDifference], *, people: int
) -> Iterator[Row]:
    pairs = (~np.isnan(found.difference[1:])).sum(axis=1)
    all_tied = not np.nan_to_num(found.difference[0]).any()
    for metric, each, number in zip(names, trusted, pairs.tolist(), strict=True):
        about = {"judgement": judgement, "metric": metric, "n": number, "people": people}
        for level, smallest in each.smallest.items():
            value = _too_little(number, all_tied=all_tied) or smallest
            ends = {} if isinstance(value, Undefined) else interval_values(each.intervals[level])
            yield row(TABLE, f"{level:.0%}", value, missed=each.missed[level], **about, **ends)


def _too_little(pairs: int, *, all_tied: bool) -> Undefined | None:
    """Return why so many pairs of systems tell nothing."""
    if not pairs:
        return NO_PAIRS
    return ALL_TIED if all_tied else TOO_FEW_PAIRS if pairs < LEAST_PAIRS else None


def _plots(names: list[str], found: Verdicts, trusted: list[TrustedDifference]) -> Iterator[tuple[str, Figures]]:
    """Yield for each metric its pairs by the size of the difference, and how agreement grows with it."""
    same, significant = _same_direction(found), found.verdict[0] != 0
    for number, metric in enumerate(names):
        differences = found.difference[number + 1]
        known = ~np.isnan(differences)
        if not known.any():
            continue
        bins = difference_histogram(differences[known], significant[known], same[number, known])
        curve = trusted[number]
        yield (
            metric,
            {
                "edges": [round(edge, 6) for edge in bins.edges.tolist()],
                "significant": bins.significant.tolist(),
                "agree": bins.agree.tolist(),
                "all": bins.all_pairs.tolist(),
                "curve": _corners(curve.differences.tolist(), curve.agreement.tolist()),
            },
        )


def _corners(sizes: list[float], agreement: list[float]) -> list[list[float]]:
    """Return where the fitted agreement rises: the size from which on it holds, and the agreement."""
    rises = [place for place, each in enumerate(agreement) if not place or each > agreement[place - 1] + 1e-12]
    return [[plain(round(sizes[place], 6)), plain(round(agreement[place], 4))] for place in rises]


SECTIONS = [ReportSection(110, trusted_rows, cost=3)]

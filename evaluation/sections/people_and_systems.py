"""Do metrics order people and systems as people do? People are scored against the texts of the others."""

from collections.abc import Iterator
from typing import get_args

from evaluation.judged_release import JudgedRelease
from evaluation.sections.base import ReportSection, Row, SectionResult, row
from measures.core.undefined import Undefined
from measures.meta_evaluation import Correlation, correlations_by_kind

TABLE = "people and systems"
NOBODY = Undefined("no editor wrote enough texts that have ratings, and scores against the texts of other people")


def people_rows(judged: JudgedRelease) -> SectionResult:
    """Return the correlation of means over systems, people, and both, with every score jackknifed."""
    return SectionResult([each for judgement in judged.judgements for each in _rows(judged, judgement)], {})


def _rows(judged: JudgedRelease, judgement: str) -> Iterator[Row]:
    found = judged.people_and_systems[judgement]
    counts = {"people": len(found.everyone), "people_left_out": found.too_few}
    if not found.everyone:
        yield row(TABLE, "pearson", NOBODY, judgement=judgement, **counts)
        return
    scores, quality, is_person = found.means()
    for metric, means in zip(found.outputs.metrics, scores, strict=True):
        for method in get_args(Correlation):
            for who, each in correlations_by_kind(means, quality, is_person, method).items():
                p = None if isinstance(each.p, Undefined) else each.p
                about = {"judgement": judgement, "metric": metric, "other": who, "n": each.systems, "p": p}
                yield row(TABLE, method, each.r, **about, **counts)


SECTIONS = [ReportSection(160, people_rows, cost=2)]

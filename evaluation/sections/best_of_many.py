"""What the best metric owes to having been chosen, and which others may be the best."""

from collections.abc import Iterator

from evaluation.judged_release import JudgedRelease
from evaluation.sections.base import ReportSection, Row, SectionResult, row
from measures.core.undefined import Undefined
from measures.meta_evaluation import BestOfMany, best_of_many

TABLE, ADJUSTED, NOT_WORSE = "best of many", "adjusted r", "not shown to be worse"


def best_rows(judged: JudgedRelease) -> SectionResult:
    """Return the adjusted correlation of the best metric of each judgement, and a row for each other of its group.

    The correlation is the mean over pairs of systems, whatever the report's `over_pairs`.
    """
    return SectionResult([each for judgement in judged.judgements for each in _rows(judged, judgement)], {})


def _rows(judged: JudgedRelease, judgement: str) -> Iterator[Row]:
    outputs, chosen = judged.compared[judgement].outputs, judged.parameters
    found = best_of_many(outputs, seed=chosen.seed, alpha=chosen.alpha, missing=chosen.missing)
    if isinstance(found, Undefined):
        yield row(TABLE, ADJUSTED, found, judgement=judgement)
        return
    metric = outputs.metrics[found.metric]
    yield row(TABLE, ADJUSTED, found.adjusted, judgement=judgement, metric=metric, **_values(found))
    for other in found.group[1:]:
        yield row(TABLE, NOT_WORSE, judgement=judgement, metric=metric, other=outputs.metrics[other])


def _values(found: BestOfMany) -> dict[str, object]:
    return {"r": found.r, "luck": found.luck, "metrics": found.metrics, "splits": found.splits}


SECTIONS = [ReportSection(45, best_rows, cost=2)]

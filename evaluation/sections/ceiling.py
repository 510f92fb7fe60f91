"""The most that a metric can reach, given how well halves of the raters agree."""

from evaluation.judged_release import JudgedRelease
from evaluation.sections.base import ReportSection, Row, SectionResult, row
from measures.core.undefined import Undefined
from measures.meta_evaluation import Ceiling, ceilings
from measures.meta_evaluation.ceiling import FEW_RATERS

TABLE, OVER_PAIRS = "ceiling", "mean over pairs"


def ceiling_rows(judged: JudgedRelease) -> SectionResult:
    """Return the ceiling on each pair of systems, and its mean over them."""
    rows: list[Row] = []
    for judgement in judged.judgements:
        pairs = judged.compared[judgement].outputs.pair_names
        found = ceilings(judged.ratings(judgement), seed=judged.parameters.seed)
        rows.append(row(TABLE, OVER_PAIRS, mean_ceiling(found), judgement=judgement, n=len(found)))
        for pair, each in zip(pairs, found, strict=True):
            known = {"halves": _or_none(each.halves), "reliability": _or_none(each.reliability)}
            rows.append(row(TABLE, "ceiling", each.ceiling, judgement=judgement, other=", ".join(pair), **known))
    return SectionResult(rows, {})


def mean_ceiling(found: list[Ceiling]) -> float | Undefined:
    """Return the mean over the pairs that have a ceiling."""
    known = [each.ceiling for each in found if not isinstance(each.ceiling, Undefined)]
    if known:
        return sum(known) / len(known)
    reasons = [each.ceiling for each in found if isinstance(each.ceiling, Undefined)]
    return reasons[0] if reasons else FEW_RATERS


def _or_none(value: float | Undefined) -> float | None:
    return None if isinstance(value, Undefined) else value


SECTIONS = [ReportSection(80, ceiling_rows)]

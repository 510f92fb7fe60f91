"""The correlation that a perfect metric would have, given how well halves of the raters agree."""

from evaluation.judged_release import JudgedRelease
from evaluation.sections.base import ReportSection, Row, SectionResult, row
from measures.core.undefined import Undefined
from measures.meta_evaluation import Ceiling, ceilings
from measures.meta_evaluation.ceiling import FEW_RATERS, ceiling_of

TABLE, OVER_PAIRS = "ceiling", "mean over pairs"


def ceiling_rows(judged: JudgedRelease) -> SectionResult:
    """Return the ceiling on each pair of systems, and that over all of them."""
    rows: list[Row] = []
    for judgement in judged.judgements:
        pairs = judged.compared[judgement].outputs.pair_names
        found = ceilings(judged.ratings(judgement), seed=judged.parameters.seed)
        mean, used = mean_ceiling(found)
        known = {"halves": _or_none(mean.halves), "reliability": _or_none(mean.reliability)}
        rows.append(row(TABLE, OVER_PAIRS, mean.ceiling, judgement=judgement, n=used, pairs=len(found), **known))
        for pair, each in zip(pairs, found, strict=True):
            known = {"halves": _or_none(each.halves), "reliability": _or_none(each.reliability)}
            rows.append(row(TABLE, "ceiling", each.ceiling, judgement=judgement, other=", ".join(pair), **known))
    return SectionResult(rows, {})


def mean_ceiling(found: list[Ceiling]) -> tuple[Ceiling, int]:
    """Return the ceiling from the mean of the halves' correlations over pairs, and on how many these are defined.

    Correlations below 0 count as well: without them the ratings would seem more reliable than they are.
    """
    known = [each.halves for each in found if not isinstance(each.halves, Undefined)]
    if known:
        return ceiling_of(known), len(known)
    return found[0] if found else Ceiling(FEW_RATERS, FEW_RATERS, FEW_RATERS), 0


def _or_none(value: float | Undefined) -> float | None:
    return None if isinstance(value, Undefined) else value


SECTIONS = [ReportSection(80, ceiling_rows)]

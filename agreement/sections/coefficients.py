"""Coefficients of all judges of a round at once: Krippendorff's alpha, Gwet's AC1 and AC2, plain percentages."""

from typing import get_args

import numpy as np

from agreement.report_rows import ReportRow, alpha_row, gwet_rows, intraclass_rows
from agreement.scale_ratings import ScaleRatings
from agreement.sections.base import ReportSection
from measures.agreement.cohen import Weights
from measures.agreement.gwet import gwet_agreement
from measures.agreement.intraclass import intraclass
from measures.agreement.krippendorff import Level, krippendorff_alpha
from measures.core.arrays import FloatArray, IntArray

LEVELS: tuple[Level, ...] = get_args(Level)
RELIABLE = 0.8
INTRACLASS = (
    "ICC(1), one rating",
    "ICC(1,k), mean of a text's ratings",
    f"ratings of a text for ICC(1,k) = {RELIABLE}",
)
PERCENT = "share of pairs that agree"
ALL_RATERS, ALL_EXPERTS = "all raters", "all experts"


def coefficient_rows(ratings: ScaleRatings) -> list[ReportRow]:
    """Return those of the rater round, and of the expert round where there was one; the experts are not drawn."""
    rows = _of_round(ratings, ALL_RATERS, ratings.crowd, ratings.raters)
    if not np.isnan(ratings.experts).all():
        rows += _of_round(ratings, ALL_EXPERTS, ratings.experts, None)
    return rows


def _of_round(ratings: ScaleRatings, judges: str, points: FloatArray, raters: IntArray | None) -> list[ReportRow]:
    """AC2 has the weights of the report's kappa."""
    rows = [_alpha(ratings, judges, points, raters, level) for level in LEVELS]
    rows += _gwet(ratings, judges, points, raters, "none", ("Gwet's AC1", PERCENT))
    weights = ratings.parameters.weights
    if weights != "none":
        rows += _gwet(ratings, judges, points, raters, weights, (f"Gwet's AC2 ({weights})", f"{PERCENT} ({weights})"))
    found = intraclass(points, categories=ratings.scale.values, sources=ratings.families, raters=raters)
    return rows + intraclass_rows(ratings.scale.key, judges, INTRACLASS, found, RELIABLE)


def _alpha(ratings: ScaleRatings, judges: str, points: FloatArray, raters: IntArray | None, level: Level) -> ReportRow:
    result = krippendorff_alpha(
        points,
        level=level,
        categories=ratings.scale.values,
        sources=ratings.families,
        raters=raters,
    )
    return alpha_row(ratings.scale.key, judges, f"Krippendorff's alpha ({level})", result)


def _gwet(
    ratings: ScaleRatings,
    judges: str,
    points: FloatArray,
    raters: IntArray | None,
    weights: Weights,
    names: tuple[str, str],
) -> list[ReportRow]:
    result = gwet_agreement(
        points,
        categories=ratings.scale.values,
        weights=weights,
        sources=ratings.families,
        raters=raters,
    )
    return gwet_rows(ratings.scale.key, judges, *names, result)


SECTIONS = [ReportSection(30, coefficient_rows)]

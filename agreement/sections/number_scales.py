"""Agreement on scales of many points or real numbers: interval alpha, intraclass and rank correlations."""

from dataclasses import replace

import numpy as np
from django.utils.translation import gettext_noop

from agreement.report_rows import ReportRow, alpha_row, intraclass_rows, undefined_rows
from agreement.scale_ratings import ScaleRatings
from agreement.sections.base import ReportSection
from agreement.sections.coefficients import ALL_EXPERTS, ALL_RATERS, INTRACLASS, RELIABLE
from agreement.sections.paper_table import WORKERS
from measures.agreement.number_scales import (
    RankCorrelations,
    crossed_intraclass,
    interval_alpha,
    number_intraclass,
    rank_correlations,
    sampled_numbers,
)
from measures.core.arrays import FloatArray, IntArray
from measures.core.undefined import Undefined

ALPHA = "Krippendorff's alpha (interval)"
CROSSED = ("ICC(2,1), one rating", "ICC(2,k), mean of a text's ratings")
SPEARMAN, KENDALL = "Spearman's rho, mean over pairs of raters", "Kendall's tau-b, mean over pairs of raters"
MIN_COMMON_ITEMS = 5
MANY_POINTS = Undefined(
    gettext_noop(
        "so many points that exact agreement says little: no kappa, no share of exact agreement and no table of "
        "points, but Krippendorff's alpha (interval), intraclass and rank correlations"
    )
)
NO_INTERVAL = "none is computed for raters who may each have rated only some of the texts"


def number_rows(ratings: ScaleRatings) -> list[ReportRow]:
    """Return why there is no kappa, then the coefficients of the rater round and of any expert round."""
    rows = undefined_rows(ratings.scale.key, WORKERS, MANY_POINTS)
    rows += _of_round(ratings, ALL_RATERS, ratings.all_crowd, ratings.raters)
    if not np.isnan(ratings.experts).all():
        rows += _of_round(ratings, ALL_EXPERTS, ratings.experts, ratings.expert_raters)
    return rows


def _of_round(ratings: ScaleRatings, judges: str, points: FloatArray, raters: IntArray) -> list[ReportRow]:
    scale = ratings.scale.key
    sampled = sampled_numbers(points, sources=ratings.families, raters=np.where(np.isnan(points), -1, raters))
    rows = [alpha_row(scale, judges, ALPHA, interval_alpha(sampled))]
    rows += intraclass_rows(scale, judges, INTRACLASS, number_intraclass(sampled), RELIABLE)
    crossed = crossed_intraclass(sampled)
    if isinstance(crossed, Undefined):
        rows += [ReportRow(scale, judges, name, undefined=crossed.reason) for name in CROSSED]
    else:
        row = ReportRow(scale, judges, "", items=crossed.items, no_interval=NO_INTERVAL)
        values = (crossed.single, crossed.panel)
        rows += [replace(row, measure=name, value=value) for name, value in zip(CROSSED, values, strict=True)]
    return rows + _rank_rows(scale, judges, rank_correlations(sampled, min_items=MIN_COMMON_ITEMS))


def _rank_rows(scale: str, judges: str, found: RankCorrelations | Undefined) -> list[ReportRow]:
    if isinstance(found, Undefined):
        return [ReportRow(scale, judges, name, undefined=found.reason) for name in (SPEARMAN, KENDALL)]
    why = f"{found.pairs} pairs, which share raters and texts, are no sample of pairs"
    row = ReportRow(scale, judges, "", items=found.items, no_interval=why)
    return [replace(row, measure=SPEARMAN, value=found.spearman), replace(row, measure=KENDALL, value=found.kendall)]


SECTIONS = [ReportSection(35, number_rows, many_points=True)]

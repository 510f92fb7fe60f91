"""Agreement person by person: each rater with the others, and raters in pairs."""

from agreement.report_rows import ReportRow, plain_rows
from agreement.scale_ratings import ScaleRatings
from agreement.sections.base import ReportSection
from measures.agreement.rater_pairs import pairwise_kappa
from measures.agreement.rater_vs_others import group_agreement

ONE_RATER, PAIR = "one rater versus the others", "pair of raters"
MIN_COMMON_ITEMS = 5


def rater_rows(ratings: ScaleRatings) -> list[ReportRow]:
    """Those who have a name: nobody knows which nameless ratings are of one person."""
    found = group_agreement(
        ratings.crowd,
        ratings.raters,
        categories=ratings.scale.values,
        rounding=ratings.parameters.rounding,
        weights=ratings.parameters.weights,
        sources=ratings.families,
    )
    scale = ratings.scale.key
    return [
        row.of(ratings.names[each.group])
        for each in found
        if each.ratings
        for row in plain_rows(scale, ONE_RATER, each.agreement, each.kappa, each.ratings, each.intervals)
    ]


def pair_of_raters_rows(ratings: ScaleRatings) -> list[ReportRow]:
    """Pairs with some things in common."""
    found = pairwise_kappa(
        ratings.crowd,
        raters=ratings.raters,
        categories=ratings.scale.values,
        weights=ratings.parameters.weights,
        min_items=MIN_COMMON_ITEMS,
        sources=ratings.families,
    )
    scale, names = ratings.scale.key, ratings.names
    return [
        row.of(f"{names[each.rater_a]} and {names[each.rater_b]}")
        for each in found
        for row in plain_rows(scale, PAIR, each.agreement, each.kappa, each.items, each.intervals)
    ]


SECTIONS = [ReportSection(60, rater_rows), ReportSection(70, pair_of_raters_rows)]

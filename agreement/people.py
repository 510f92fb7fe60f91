"""Agreement person by person: each rater with the others, and raters in pairs."""

from agreement.question import Question
from agreement.rows import ReportRow, plain_rows
from measures.pairwise import pairwise_kappa
from measures.raters import group_agreement

ONE_RATER, PAIR = "one rater versus the others", "pair of raters"
FEWEST_OF_PAIR = 5


def rater_rows(question: Question) -> list[ReportRow]:
    """Those who have a name: nobody knows which nameless ratings are of one person."""
    found = group_agreement(
        question.crowd,
        question.raters,
        categories=question.scale.values,
        rounding=question.parameters.rounding,
        weights=question.parameters.weights,
    )
    scale = question.scale.key
    return [
        row.of(question.names[each.group])
        for each in found
        if each.ratings
        for row in plain_rows(scale, ONE_RATER, each.agreement, each.kappa, each.ratings)
    ]


def pair_of_raters_rows(question: Question) -> list[ReportRow]:
    """Pairs with some things in common."""
    found = pairwise_kappa(
        question.crowd,
        raters=question.raters,
        categories=question.scale.values,
        weights=question.parameters.weights,
        min_items=FEWEST_OF_PAIR,
    )
    scale, names = question.scale.key, question.names
    return [
        row.of(f"{names[each.rater_a]} and {names[each.rater_b]}")
        for each in found
        for row in plain_rows(scale, PAIR, each.agreement, each.kappa, each.items)
    ]

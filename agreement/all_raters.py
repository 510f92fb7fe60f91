"""Coefficients of all judges of a round at once: Krippendorff's alpha, Gwet's AC1 and AC2, plain percentages."""

from typing import get_args

import numpy as np

from agreement.question import Question
from agreement.rows import ReportRow, alpha_row, gwet_rows
from measures.alpha import Level, krippendorff_alpha
from measures.arrays import FloatArray
from measures.cohen import Weights
from measures.gwet import gwet_agreement

LEVELS: tuple[Level, ...] = get_args(Level)
PERCENT = "share of pairs that agree"
ALL_RATERS, ALL_EXPERTS = "all raters", "all experts"


def coefficient_rows(question: Question) -> list[ReportRow]:
    """Of the rater round, and of the expert round where there was one."""
    rows = _of_round(question, ALL_RATERS, question.crowd)
    if not np.isnan(question.experts).all():
        rows += _of_round(question, ALL_EXPERTS, question.experts)
    return rows


def _of_round(question: Question, judges: str, points: FloatArray) -> list[ReportRow]:
    """AC2 has the weights of the report's kappa."""
    rows = [_alpha(question, judges, points, level) for level in LEVELS]
    rows += _gwet(question, judges, points, "none", ("Gwet's AC1", PERCENT))
    weights = question.parameters.weights
    if weights != "none":
        rows += _gwet(question, judges, points, weights, (f"Gwet's AC2 ({weights})", f"{PERCENT} ({weights})"))
    return rows


def _alpha(question: Question, judges: str, points: FloatArray, level: Level) -> ReportRow:
    parameters = question.parameters
    result = krippendorff_alpha(
        points,
        level=level,
        categories=question.scale.values,
        replications=parameters.alpha_replications,
        seed=parameters.seed,
    )
    return alpha_row(question.scale.key, judges, f"Krippendorff's alpha ({level})", result)


def _gwet(
    question: Question, judges: str, points: FloatArray, weights: Weights, names: tuple[str, str]
) -> list[ReportRow]:
    parameters = question.parameters
    result = gwet_agreement(
        points,
        categories=question.scale.values,
        weights=weights,
        replications=parameters.alpha_replications,
        seed=parameters.seed,
    )
    return gwet_rows(question.scale.key, judges, *names, result)

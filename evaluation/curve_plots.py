"""Curves of a report: what unlike metrics corroborate, and models against raters by the head start they get."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from common.plots import Axis, linear_axis
from evaluation.page_words import pool_label, score_label
from evaluation.parameters import EvaluationParameters
from evaluation.sections.annotator_test import EPSILON_CURVE
from evaluation.sections.heterogeneity import CURVE as CORROBORATION

HALF = 0.5
"""Of the raters, a model must win against so many."""

Points = Sequence[Sequence[float | None]]


@dataclass(frozen=True)
class CurvePlot:
    """One or two lines in a square of 100; `across_at` and `up_at` are where straight lines cross it."""

    path: str
    second_path: str
    across: Axis
    upwards: Axis
    up_at: float | None = None
    across_at: float | None = None


@dataclass(frozen=True)
class EpsilonPlot:
    """The winning rate of a model against a pool, by epsilon."""

    model: str
    pool: str
    score: str
    epsilon: float
    plot: CurvePlot


def corroboration_plot(figures: Mapping[str, Any], judgement: str) -> CurvePlot | None:
    """Draw how often people agree with the metrics that prefer an output; None without at least two parts of pairs."""
    stored = figures.get(CORROBORATION, {}).get(judgement, {})
    x = stored.get("heterogeneity") or []
    if len(x) < 2 or x[0] == x[-1]:
        return None
    return CurvePlot(
        _path([*zip(x, stored["not_worse"], strict=True)], x[0], x[-1]),
        _path([*zip(x, stored["better"], strict=True)], x[0], x[-1]),
        linear_axis(_("How unlike the metrics are that score the output no lower"), x[0], x[-1]),
        linear_axis(_("Pairs of outputs"), 0, 1, percent=True).upwards,
    )


def epsilon_plots(figures: Mapping[str, Any], judgement: str, parameters: dict[str, Any]) -> list[EpsilonPlot]:
    """Draw the winning rate of each model against each pool, by equal points and by distance."""
    chosen = EvaluationParameters.of(parameters)
    curves = [each for each in figures.get(EPSILON_CURVE, []) if each["judgement"] == judgement]
    return [
        EpsilonPlot(
            each["metric"],
            pool_label(each["pool"]),
            score_label(each["score"]),
            chosen.epsilon_for(each["pool"]),
            _epsilon_plot(each["curve"], chosen.epsilon_for(each["pool"])),
        )
        for each in curves
    ]


def _epsilon_plot(curve: Points, epsilon: float) -> CurvePlot:
    most = curve[-1][0] or 1.0
    return CurvePlot(
        _path(curve, 0, most),
        "",
        linear_axis(_("Head start of the model (epsilon)"), 0, most),
        linear_axis(_("Raters whom the model beats"), 0, 1, percent=True).upwards,
        up_at=100 * (1 - HALF),
        across_at=100 * epsilon / most if epsilon <= most else None,
    )


def _path(points: Points, low: float, high: float) -> str:
    """Return a line through the points that are defined."""
    places = [(100 * ((x or 0) - low) / (high - low), 100 - 100 * y) for x, y in points if y is not None]
    return "".join(f"{'L' if number else 'M'}{x:g} {y:g}" for number, (x, y) in enumerate(places))

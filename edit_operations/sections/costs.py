"""How quality goes with operations and length: a mixed model of mean ratings, and one of ratings as categories."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from crowd.scales import Scale
from edit_operations.sections.base import Line, ReleaseTexts, ReportSection, Row, row
from edit_operations.sections.quality import operations_present, quality_of
from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined
from measures.experiments import Coefficient, CrossedModel, FTest, OrderedModel, crossed_model, ordered_model

COSTS, ORDERED, RATE, TOGETHER = "costs", "ordered ratings", "rate", "operations together"
NOT_VARYING = "all of the rated texts are alike in this"
NO_RATERS = "no ratings by known raters"


def cost_rows(texts: ReleaseTexts) -> list[Row]:
    """Fit a model for each scale: operations and rate, with sources and editors as random intercepts.

    A text of several editors counts once, for the first of them; one without a known editor is left out.
    """
    lines = [line for line in texts.people if line.text.editors]
    return [each for scale in texts.rated_scales for each in _of_scale(texts, lines, scale)]


def ordered_rows(texts: ReleaseTexts) -> list[Row]:
    """Fit a cumulative logit model for each scale, with random effects of sources, texts and raters."""
    return [each for scale in texts.rated_scales for each in _ordered_of_scale(texts, scale)]


def _of_scale(texts: ReleaseTexts, lines: list[Line], scale: Scale) -> list[Row]:
    quality = quality_of(lines, scale)
    rated = ~np.isnan(quality)
    terms = _terms(texts, lines)
    varying = {name: column for name, column in terms.items() if len(np.unique(column[rated])) > 1}
    found = crossed_model(
        quality,
        varying,
        [line.source.place for line in lines],
        np.array([line.text.editors[0] for line in lines], dtype=np.str_),
        together=[name for name in varying if name != RATE],
    )
    number = int(rated.sum())
    if isinstance(found, Undefined):
        return [row(COSTS, scale.key, group=name, n=number, reason=found.reason) for name in terms]
    return [*_model_rows(found, scale), *_left_out(COSTS, scale, terms, varying, number)]


def _ordered_of_scale(texts: ReleaseTexts, scale: Scale) -> list[Row]:
    lines = [line for line in texts.people if (line.text.given or {}).get(scale.key)]
    given = [(line.text.given or {})[scale.key] for line in lines]
    of_text = np.repeat(np.arange(len(lines)), [len(each) for each in given])
    points = np.array([point for each in given for _, point in each], dtype=np.float64)
    terms = {name: column[of_text] for name, column in _terms(texts, lines).items()}
    varying = {name: column for name, column in terms.items() if len(np.unique(column)) > 1}
    found = ordered_model(
        points,
        varying,
        of_text,
        np.array([rater for each in given for rater, _ in each], dtype=np.str_),
        np.array([line.source.place for line in lines], dtype=np.int64)[of_text],
    )
    if isinstance(found, Undefined):
        reason = found.reason if len(points) else NO_RATERS
        return [row(ORDERED, scale.key, group=name, n=len(lines), reason=reason) for name in terms]
    return [*_ordered_model_rows(found, scale), *_left_out(ORDERED, scale, terms, varying, len(lines))]


def _left_out(
    table: str, scale: Scale, terms: Mapping[str, FloatArray], varying: Mapping[str, FloatArray], number: int
) -> Sequence[Row]:
    return [row(table, scale.key, group=name, n=number, reason=NOT_VARYING) for name in terms if name not in varying]


def _terms(texts: ReleaseTexts, lines: list[Line]) -> Mapping[str, FloatArray]:
    operations = {
        name: np.array([has(line.text) for line in lines], dtype=np.float64)
        for name, has in operations_present(texts).items()
    }
    return {**operations, RATE: np.array([line.text.rate for line in lines], dtype=np.float64)}


def _model_rows(model: CrossedModel, scale: Scale) -> list[Row]:
    known: dict[str, Any] = {
        "n": model.texts,
        "sources": model.sources,
        "editors": model.editors,
        "method": model.method,
    }
    coefficients = [
        row(COSTS, scale.key, group=name, **_tested(each), **known) for name, each in model.coefficients.items()
    ]
    together = (
        [row(COSTS, scale.key, group=TOGETHER, **_tested_together(model.together), **known)]
        if isinstance(model.together, FTest)
        else []
    )
    variances = {
        "source": model.variances.source,
        "editor": model.variances.editor,
        "residual": model.variances.error,
    }
    return [
        *coefficients,
        *together,
        *(row(COSTS, scale.key, group=name, value=value, **known) for name, value in variances.items()),
    ]


def _tested(coefficient: Coefficient) -> dict[str, Any]:
    known: dict[str, Any] = {"value": coefficient.value, "standard_error": coefficient.standard_error}
    test = coefficient.test
    if isinstance(test, Undefined):
        return {**known, "no_interval": test.reason}
    return {**known, "low": test.low, "high": test.high, "t": test.t, "df": test.df, "p": test.p}


def _tested_together(test: FTest) -> dict[str, Any]:
    return {"value": test.f, "numerator_df": test.numerator_df, "df": test.df, "p": test.p}


def _ordered_model_rows(model: OrderedModel, scale: Scale) -> list[Row]:
    known: dict[str, Any] = {
        "n": model.texts,
        "sources": model.sources,
        "raters": model.raters,
        "ratings": model.ratings,
        "method": "Laplace",
    }
    coefficients = []
    for name, each in model.coefficients.items():
        tested = (
            {"no_interval": model.few.reason}
            if model.few
            else {"low": each.low, "high": each.high, "z": each.z, "df": each.df, "p": each.p}
        )
        values = {"value": each.value, "standard_error": each.standard_error, **tested, **known}
        coefficients.append(row(ORDERED, scale.key, group=name, **values))
    deviations = {f"{name} deviation": value for name, value in model.deviations.items()}
    return coefficients + [
        row(ORDERED, scale.key, group=name, value=value, **known) for name, value in deviations.items()
    ]


SECTIONS = [ReportSection(50, cost_rows), ReportSection(51, ordered_rows)]

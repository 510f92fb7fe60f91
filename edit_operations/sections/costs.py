"""How quality goes with operations and length: a mixed model of the ratings."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from crowd.scales import Scale
from edit_operations.sections.base import Line, ReleaseTexts, ReportSection, Row, row
from edit_operations.sections.quality import operations_present, quality_of
from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined
from measures.experiments import CrossedModel, crossed_model

COSTS, RATE = "costs", "rate"
NOT_VARYING = "all of the rated texts are alike in this"


def cost_rows(texts: ReleaseTexts) -> list[Row]:
    """Fit a model for each scale: operations and rate, with sources and editors as random intercepts.

    A text of several editors counts once, for the first of them; one without a known editor is left out.
    """
    lines = [line for line in texts.people if line.text.editors]
    return [each for scale in texts.rated_scales for each in _of_scale(texts, lines, scale)]


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
    )
    number = int(rated.sum())
    if isinstance(found, Undefined):
        return [row(COSTS, scale.key, group=name, n=number, reason=found.reason) for name in terms]
    left_out = [
        row(COSTS, scale.key, group=name, n=number, reason=NOT_VARYING) for name in terms if name not in varying
    ]
    return [*_model_rows(found, scale), *left_out]


def _terms(texts: ReleaseTexts, lines: list[Line]) -> Mapping[str, FloatArray]:
    operations = {
        name: np.array([has(line.text) for line in lines], dtype=np.float64)
        for name, has in operations_present(texts).items()
    }
    return {**operations, RATE: np.array([line.text.rate for line in lines], dtype=np.float64)}


def _model_rows(model: CrossedModel, scale: Scale) -> list[Row]:
    known: dict[str, Any] = {"n": model.texts, "sources": model.sources, "editors": model.editors}
    coefficients = [
        row(
            COSTS,
            scale.key,
            group=name,
            value=each.value,
            standard_error=each.standard_error,
            low=each.low,
            high=each.high,
            p=each.p,
            **known,
        )
        for name, each in model.coefficients.items()
    ]
    variances = {
        "source": model.variances.source,
        "editor": model.variances.editor,
        "residual": model.variances.error,
    }
    return coefficients + [row(COSTS, scale.key, group=name, value=value, **known) for name, value in variances.items()]


SECTIONS = [ReportSection(50, cost_rows)]

"""How far a model that rates texts agrees with the people of each pool, beside how far these agree among themselves."""

from collections.abc import Iterator
from typing import Any, get_args

import numpy as np

from evaluation.judged_release import JudgedRelease
from evaluation.model_items import ModelItems, items_of
from evaluation.parameters import Pool
from evaluation.sections.base import ReportSection, Row, SectionResult, row
from measures.agreement.cohen import kappa_of_table, kappa_or_undefined, pair_table
from measures.agreement.mean_rounding import rounded_means
from measures.agreement.rater_vs_others import RaterVsOthers, group_agreement
from measures.agreement.sampled_ratings import sampled_ratings
from measures.agreement.table_intervals import AgreementIntervals, IntervalOrUndefined, reference_intervals
from measures.core.drawn_correlation import DrawnCorrelation, drawn_correlation
from measures.core.drawn_sources import drawn_ratios
from measures.core.rating_scale import category_indices
from measures.core.undefined import Undefined

TABLE = "model judges"
MODEL, RATER = "model versus the pool", "rater versus the others"
NOTHING = Undefined("the model has rated no text that people of this pool rated")
BETWEEN = Undefined("the model gives points between those of the scale")
MANY_POINTS = Undefined("the scale has so many points that hardly any two are the same: see the correlation")
NOBODY = Undefined("no text has ratings of two people of this pool")


def model_rows(judged: JudgedRelease) -> SectionResult:
    """Return the agreement of each model with each pool on each scale."""
    rows = [
        each
        for model in judged.models
        for pool in get_args(Pool)
        for items in items_of(judged, model, pool)
        for each in _rows(judged, model.name, pool, items)
    ]
    return SectionResult(rows, {})


def _rows(judged: JudgedRelease, model: str, pool: Pool, items: ModelItems) -> Iterator[Row]:
    about: dict[str, Any] = {"judgement": items.scale.key, "metric": model, "other": pool}
    number = int(items.both.sum())
    if not number:
        yield row(TABLE, f"{MODEL}, kappa", NOTHING, n=0, **about)
        return
    if items.scale.has_few_points:
        yield from _kappa_rows(items, about, number)
        yield from _pool_rows(items, about)
    else:
        for who in (MODEL, RATER):
            for measure in ("agreement", "kappa"):
                yield row(TABLE, f"{who}, {measure}", MANY_POINTS, n=number, **about)
    draws = {"draws": judged.parameters.draws, "seed": judged.parameters.seed}
    chosen = items.both
    found = drawn_correlation(items.model[chosen], items.people_mean[chosen], items.families[chosen], **draws)
    yield row(TABLE, "pearson", **correlation_values(found), **about)
    difference = (items.model - items.people_mean)[chosen, None]
    (mean,) = drawn_ratios(
        difference, np.ones_like(difference), items.families[chosen], nothing=NOTHING.reason, **draws
    )
    if not isinstance(mean, Undefined):
        low, high = (None, None) if isinstance(mean.interval, Undefined) else (mean.interval.low, mean.interval.high)
        yield row(TABLE, "model minus people", mean.value, low=low, high=high, n=mean.texts, **about)


def _kappa_rows(items: ModelItems, about: dict[str, Any], number: int) -> Iterator[Row]:
    """Compare the model with the rounded mean of the people."""
    if not items.has_whole_points:
        yield row(TABLE, f"{MODEL}, agreement", BETWEEN, n=number, **about)
        yield row(TABLE, f"{MODEL}, kappa", BETWEEN, n=number, **about)
        return
    values = items.scale.values
    model, points = items.model[items.both], items.points[items.both]
    table = pair_table(model, rounded_means(points), values)
    intervals = reference_intervals(
        sampled_ratings(
            points,
            categories=values,
            sources=items.families[items.both],
            raters=items.people.raters[items.both],
            groups=category_indices(model, values),
        ),
        categories=values,
    )
    kappa = kappa_or_undefined(float(kappa_of_table(table)), number)
    agreement = float(np.trace(table) / table.sum())
    yield from _pair(MODEL, agreement, kappa, intervals, number, about)


def _pool_rows(items: ModelItems, about: dict[str, Any]) -> Iterator[Row]:
    """Compare each person with the rounded mean of the others, on the texts that the model rated."""
    points = items.points[np.isfinite(items.model)]
    groups = np.where(np.isfinite(points), 0, -1)
    found = group_agreement(
        points, groups, categories=items.scale.values, sources=items.families[np.isfinite(items.model)]
    )
    of_pool: RaterVsOthers | None = found[0] if found else None
    if of_pool is None or of_pool.agreement is None:
        yield row(TABLE, f"{RATER}, kappa", NOBODY, n=0, **about)
        return
    yield from _pair(RATER, of_pool.agreement, of_pool.kappa, of_pool.intervals, of_pool.ratings, about)


def _pair(
    who: str,
    agreement: float,
    kappa: float | Undefined,
    intervals: AgreementIntervals,
    number: int,
    about: dict[str, Any],
) -> Iterator[Row]:
    yield row(TABLE, f"{who}, agreement", agreement, n=number, **_ends(intervals.agreement), **about)
    ends = {} if isinstance(kappa, Undefined) else _ends(intervals.kappa)
    yield row(TABLE, f"{who}, kappa", kappa, n=number, **ends, **about)


def _ends(interval: IntervalOrUndefined) -> dict[str, Any]:
    if isinstance(interval, Undefined):
        return {"no_interval": interval.reason}
    return {"low": interval.low, "high": interval.high}


def correlation_values(found: DrawnCorrelation | Undefined) -> dict[str, Any]:
    """Return the columns of a correlation with its interval."""
    if isinstance(found, Undefined):
        return {"value": found}
    if isinstance(found.interval, Undefined):
        return {"value": found.value, "no_interval": found.interval.reason, "n": found.texts}
    return {"value": found.value, "low": found.interval.low, "high": found.interval.high, "n": found.texts}


SECTIONS = [ReportSection(200, model_rows)]

"""May a model replace a rater of this pool? The alternative annotator test."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from evaluation.judged_release import JudgedRelease
from evaluation.model_items import ModelItems, items_of
from evaluation.parameters import EvaluationParameters, Pool
from evaluation.sections.base import Figures, ReportSection, Row, SectionResult, row
from measures.core.undefined import Undefined
from measures.meta_evaluation import (
    alternative_annotator_test,
    annotator_test_power,
    contests,
    epsilon_curve,
    items_needed,
    pool_confusion,
)
from measures.meta_evaluation.alternative_annotator import AlternativeAnnotatorTest
from measures.meta_evaluation.rater_contests import Contests, Score

TABLE = "alternative annotator test"
EPSILON_CURVE = "epsilon curve"
SIMULATIONS = 100
ITEMS = (30, 100, 300)
MANY_POINTS = Undefined("not defined on a scale of so many points that hardly any two are the same")
BETWEEN = Undefined("the model gives points between those of the scale, which equal no rating")


def annotator_rows(judged: JudgedRelease) -> SectionResult:
    """Test each model against each pool on each scale, by share equal and by distance."""
    rows: list[Row] = []
    curves: list[Figures] = []
    for model in judged.models:
        for pool in get_args(Pool):
            for items in items_of(judged, model, pool):
                for score in get_args(Score):
                    found, curve = _tested(judged, model.name, pool, items, score)
                    rows += found
                    if curve:
                        about = {"judgement": items.scale.key, "metric": model.name, "pool": pool, "score": score}
                        curves.append({**about, "curve": curve})
    return SectionResult(rows, {EPSILON_CURVE: curves})


def _tested(
    judged: JudgedRelease, model: str, pool: Pool, items: ModelItems, score: Score
) -> tuple[list[Row], list[list[float | None]]]:
    """Return the rows of one test, and its winning rate for each epsilon."""
    chosen = judged.parameters
    about = {"judgement": items.scale.key, "metric": model, "pool": pool, "score": score}
    if score == "accuracy" and not items.scale.has_few_points:
        return [row(TABLE, "winning rate", MANY_POINTS, n=0, **about)], []
    if score == "accuracy" and not items.has_whole_points:
        return [row(TABLE, "winning rate", BETWEEN, n=0, **about)], []
    table, names = items.by_rater()
    found = _only_named(contests(items.model, table, score=score, min_raters=chosen.min_raters), len(names))
    result = alternative_annotator_test(
        found,
        epsilon=chosen.epsilon_for(pool),
        min_items=chosen.min_items,
        sources=items.families.tolist(),
        draws=chosen.draws,
        seed=chosen.seed,
    )
    rows = [*_whole(result, about), *_by_rater(result, names, about)]
    if not result.raters:
        return rows, []
    rows += _power(items, table, score, pool, chosen, about)
    curve = epsilon_curve(found, min_items=chosen.min_items)
    return rows, [[epsilon, None if isinstance(rate, Undefined) else rate] for epsilon, rate in curve]


def _only_named(found: Contests, names: int) -> Contests:
    """Leave out ratings whose rater is unknown: they count among the others, but nobody can be tested by them."""
    named = np.arange(found.counted.shape[1]) < names
    return replace(found, counted=found.counted & named)


def _whole(result: AlternativeAnnotatorTest, about: dict[str, Any]) -> Iterator[Row]:
    tested = len(result.raters)
    counts = {"n": tested, "not_tested": len(result.not_tested), "is_coarse": result.is_coarse}
    yield row(
        TABLE,
        "winning rate",
        result.winning_rate,
        winning_rate_sources=_or_none(result.winning_rate_sources),
        may_replace=_or_none(result.may_replace),
        **counts,
        **about,
    )
    low, high = _or_none(result.low), _or_none(result.high)
    yield row(TABLE, "advantage probability", result.advantage, low=low, high=high, **counts, **about)


def _by_rater(result: AlternativeAnnotatorTest, names: Sequence[str], about: dict[str, Any]) -> Iterator[Row]:
    for each in result.raters:
        yield row(
            TABLE,
            "model's advantage",
            each.model_advantage,
            other=names[each.rater],
            n=each.items,
            rater_advantage=each.rater_advantage,
            p=_or_none(each.p),
            p_sources=_or_none(each.p_sources),
            rejected=each.rejected,
            rejected_sources=each.rejected_sources,
            **about,
        )


def _power(
    items: ModelItems, table: Any, score: Score, pool: Pool, chosen: EvaluationParameters, about: dict[str, Any]
) -> Iterator[Row]:
    """Return how many texts the test would need, if the model erred as the pool does."""
    if not items.scale.has_few_points:
        yield row(TABLE, "texts needed", MANY_POINTS, **about)
        return
    confusion = pool_confusion(np.rint(items.model), table, min_raters=chosen.min_raters)
    if isinstance(confusion, Undefined):
        yield row(TABLE, "texts needed", confusion, **about)
        return
    plans = annotator_test_power(
        confusion,
        ITEMS,
        score=score,
        epsilon=chosen.epsilon_for(pool),
        min_items=chosen.min_items,
        simulations=SIMULATIONS,
        seed=chosen.seed,
    )
    yield row(TABLE, "texts needed", items_needed(plans), **about)
    for plan in plans:
        yield row(TABLE, "power", plan.power.value, other=str(plan.items), n=plan.items, **about)


def _or_none(value: Any) -> Any:
    return None if isinstance(value, Undefined) else value


SECTIONS = [ReportSection(210, annotator_rows)]

"""What a model rates otherwise than people do: long texts, copied words, single systems, its own outputs."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from evaluation.judged_release import JudgedRelease
from evaluation.model_items import PEOPLE, ModelItems, items_of
from evaluation.sections.base import ReportSection, Row, SectionResult, row
from evaluation.sections.model_agreement import correlation_values
from measures.core.arrays import BoolArray, FloatArray
from measures.core.drawn_correlation import drawn_correlation
from measures.core.drawn_sources import Ratio, drawn_differences, drawn_ratios
from measures.core.undefined import Undefined
from measures.meta_evaluation.sentinels import word_list
from measures.text.normalization import length

TABLE = "model judge bias"
LENGTH, COPIED, SYSTEM, OWN = "length", "share of words copied", "system", "its own outputs minus the others"
NO_TEXTS = "no text of both"


def bias_rows(judged: JudgedRelease) -> SectionResult:
    """Return how the model's points minus people's mean go with properties of the texts."""
    pool = judged.parameters.pool
    rows = [
        each
        for model in judged.models
        for by_maker, compute in ((False, _text_rows), (True, _system_rows))
        for items in items_of(judged, model, pool, by_maker=by_maker)
        for each in compute(judged, model.name, items)
    ]
    return SectionResult(rows, {})


def _text_rows(judged: JudgedRelease, model: str, items: ModelItems) -> Iterator[Row]:
    about: dict[str, Any] = {"judgement": items.scale.key, "metric": model}
    draws = {"draws": judged.parameters.draws, "seed": judged.parameters.seed}
    chosen = items.both
    difference, families = (items.model - items.people_mean)[chosen], items.families[chosen]
    texts = [each for each, is_rated in zip(items.texts, chosen, strict=True) if is_rated]
    for figure, values in (
        (LENGTH, [length(each.text) / max(1, length(each.source.text)) for each in texts]),
        (COPIED, [copied_share(each.source.text, each.text) for each in texts]),
    ):
        found = drawn_correlation(np.array(values, dtype=np.float64), difference, families, **draws)
        yield row(TABLE, figure, **correlation_values(found), **about)


def _system_rows(judged: JudgedRelease, model: str, items: ModelItems) -> Iterator[Row]:
    """Yield the model's points minus people's for each system; an output that two made counts for both."""
    about: dict[str, Any] = {"judgement": items.scale.key, "metric": model}
    draws = {"draws": judged.parameters.draws, "seed": judged.parameters.seed}
    chosen = items.both
    difference, families = (items.model - items.people_mean)[chosen], items.families[chosen]
    texts = [each for each, is_rated in zip(items.texts, chosen, strict=True) if is_rated]
    systems = np.array([each.system for each in texts], dtype=np.str_)
    for system in np.unique(systems):
        own = systems == system
        (mean,) = drawn_ratios(difference[own, None], np.ones((own.sum(), 1)), families[own], nothing=NO_TEXTS, **draws)
        is_own = is_same_name(model, str(system))
        yield row(TABLE, SYSTEM, other=str(system) or "people", is_own=is_own, **_ratio_values(mean), **about)
    yield from _own_rows(model, systems, difference, families.tolist(), about, draws)


def _own_rows(
    model: str,
    systems: Any,
    difference: FloatArray,
    families: Sequence[int],
    about: dict[str, Any],
    draws: dict[str, int],
) -> Iterator[Row]:
    """Compare the model's own outputs with those of the other systems for the same sources."""
    own: BoolArray = np.array([is_same_name(model, str(system)) for system in systems], dtype=np.bool_)
    others = ~own & (systems != PEOPLE)
    if not own.any() or not others.any():
        return
    groups = [
        (difference[mask, None], np.ones((int(mask.sum()), 1)), np.array(families)[mask]) for mask in (own, others)
    ]
    (found,) = drawn_differences(groups[0], groups[1], nothing=NO_TEXTS, **draws)
    yield row(TABLE, OWN, **_ratio_values(found), **about)


def _ratio_values(found: Ratio | Undefined) -> dict[str, Any]:
    if isinstance(found, Undefined):
        return {"value": found}
    if isinstance(found.interval, Undefined):
        return {"value": found.value, "no_interval": found.interval.reason, "n": found.texts}
    return {"value": found.value, "low": found.interval.low, "high": found.interval.high, "n": found.texts}


def copied_share(source: str, text: str) -> float:
    """Return the share of a text's words that stand in its source; NaN for a text without words."""
    there, words = set(word_list(source)), word_list(text)
    return sum(word in there for word in words) / len(words) if words else np.nan


def is_same_name(model: str, system: str) -> bool:
    """Whether a model rates outputs of its own: a system has its name, but for case and what is around it."""
    return bool(system) and model.strip().casefold() == system.strip().casefold()


SECTIONS = [ReportSection(220, bias_rows)]

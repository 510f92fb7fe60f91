"""What a model rates otherwise than people do: long texts, copied words, single systems, its own outputs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.judged_release import JudgedRelease
from evaluation.model_items import PEOPLE, ModelItems, RatedText, items_of
from evaluation.sections.base import ReportSection, Row, SectionResult, row
from evaluation.sections.model_agreement import correlation_values
from measures.core.arrays import BoolArray, FloatArray, IntArray
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
        for each in compute(_Differences.of(judged, model.name, items))
    ]
    return SectionResult(rows, {})


@dataclass(frozen=True, eq=False)
class _Differences:
    """The model's points minus people's mean on the texts that both rated."""

    model: str
    about: dict[str, Any]
    draws: dict[str, int]
    values: FloatArray
    families: IntArray
    texts: list[RatedText]

    @classmethod
    def of(cls, judged: JudgedRelease, model: str, items: ModelItems) -> "_Differences":
        chosen = items.both
        return cls(
            model,
            {"judgement": items.scale.key, "metric": model},
            {"draws": judged.parameters.draws, "seed": judged.parameters.seed},
            (items.model - items.people_mean)[chosen],
            items.families[chosen],
            [each for each, is_rated in zip(items.texts, chosen, strict=True) if is_rated],
        )


def _text_rows(found: _Differences) -> Iterator[Row]:
    for figure, values in (
        (LENGTH, [length(each.text) / max(1, length(each.source.text)) for each in found.texts]),
        (COPIED, [copied_share(each.source.text, each.text) for each in found.texts]),
    ):
        numbers = np.array(values, dtype=np.float64)
        correlation = drawn_correlation(numbers, found.values, found.families, **found.draws)
        yield row(TABLE, figure, **correlation_values(correlation), **found.about)


def _system_rows(found: _Differences) -> Iterator[Row]:
    """Yield the mean difference for each system; an output that two made counts for both."""
    systems = np.array([each.system for each in found.texts], dtype=np.str_)
    for system in np.unique(systems):
        own = systems == system
        one = np.ones((own.sum(), 1))
        (mean,) = drawn_ratios(found.values[own, None], one, found.families[own], nothing=NO_TEXTS, **found.draws)
        is_own = is_same_name(found.model, str(system))
        yield row(TABLE, SYSTEM, other=str(system) or "people", is_own=is_own, **_ratio_values(mean), **found.about)
    yield from _own_rows(systems, found)


def _own_rows(systems: Any, found: _Differences) -> Iterator[Row]:
    """Compare the model's own outputs with those of the other systems for the same sources."""
    own: BoolArray = np.array([is_same_name(found.model, str(system)) for system in systems], dtype=np.bool_)
    others = ~own & (systems != PEOPLE)
    if not own.any() or not others.any():
        return
    groups = [(found.values[mask, None], np.ones((int(mask.sum()), 1)), found.families[mask]) for mask in (own, others)]
    (difference,) = drawn_differences(groups[0], groups[1], nothing=NO_TEXTS, **found.draws)
    yield row(TABLE, OWN, **_ratio_values(difference), **found.about)


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

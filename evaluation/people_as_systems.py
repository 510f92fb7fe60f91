"""People as systems: what an editor wrote, scored against the texts of the other people."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from corpus.release.records import ReleasedSource, ReleasedText
from evaluation.parameters import EvaluationParameters, Pool
from evaluation.scored_outputs import MetricInfo, ScoredOutputs
from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.meta_evaluation import JudgedOutputs, Verdicts, system_means, verdicts

MAX_PEOPLE = 8
"""Every pair of a person and a system, or two people, is tested by all metrics: for as many people as O12 had."""
PERSON = "person "


class Rated(Protocol):
    """What is needed of a release: `JudgedRelease` holds what is computed here, so it can't be imported."""

    @property
    def inputs(self) -> Sequence[ReleasedSource]: ...

    @property
    def systems(self) -> Sequence[str]: ...

    @property
    def metrics(self) -> Sequence[MetricInfo]: ...

    @property
    def scored(self) -> ScoredOutputs: ...

    @property
    def parameters(self) -> EvaluationParameters: ...

    def quality(self, judgement: str) -> FloatArray: ...

    def mean_points(self, subject: ReleasedText, judgement: str, pool: Pool) -> float: ...


@dataclass(frozen=True, eq=False)
class Person:
    """An editor on the inputs (k) for which a text of theirs has ratings and scores (m).

    Of several texts for one input, the mean counts.
    """

    name: str
    places: IntArray
    scores: FloatArray
    quality: FloatArray


@dataclass(frozen=True, eq=False)
class PeopleAndSystems:
    """One judgement of systems and people.

    `outputs` has the jackknifed scores of the systems and of at most 8 people, in the order of their names,
    `is_person` says who of them is one, and `verdicts` what is significant. `everyone` are all people with enough
    inputs, most inputs first; `too_few` counts the editors without.
    """

    outputs: JudgedOutputs
    is_person: BoolArray
    verdicts: Verdicts
    everyone: Sequence[Person]
    too_few: int

    def means(self) -> tuple[FloatArray, FloatArray, BoolArray]:
        """Return the means of scores (m, s) and quality (s) of the systems and of everyone, and who is a person."""
        scores, quality = system_means(self.outputs)
        people = [_means(each.scores) for each in self.everyone]
        return (
            np.column_stack([scores[:, ~self.is_person], *people]),
            np.append(quality[~self.is_person], [each.quality.mean() for each in self.everyone]),
            np.arange((~self.is_person).sum() + len(people)) >= (~self.is_person).sum(),
        )


def people_and_systems(judged: Rated, judgement: str) -> PeopleAndSystems:
    """Arrange systems and people for one judgement."""
    editors = _texts_of_editors(judged)
    people = [_person(judged, judgement, editor, editors[editor]) for editor in sorted(editors)]
    enough = [each for each in people if len(each.places) >= judged.parameters.min_inputs]
    enough.sort(key=lambda each: -len(each.places))
    chosen = enough[:MAX_PEOPLE]
    outputs, is_person = _arranged(judged, judgement, chosen)
    found = verdicts(outputs, alpha=judged.parameters.alpha, min_inputs=judged.parameters.min_inputs)
    return PeopleAndSystems(outputs, is_person, found, enough, len(people) - len(enough))


def _texts_of_editors(judged: Rated) -> Mapping[str, Mapping[int, list[ReleasedText]]]:
    """Return the texts that have scores, by editor and place of the input."""
    found: dict[str, dict[int, list[ReleasedText]]] = defaultdict(lambda: defaultdict(list))
    for place, source in enumerate(judged.inputs):
        for text in source.texts:
            scores = judged.scored.people.get((place, text.text))
            if scores is None or np.isnan(scores).all():
                continue
            for editor in filter(None, dict.fromkeys(text.editors)):
                found[editor][place].append(text)
    return found


def _person(judged: Rated, judgement: str, editor: str, texts: Mapping[int, list[ReleasedText]]) -> Person:
    pool, kept = judged.parameters.pool, []
    for place, written in texts.items():
        rated = [(text, judged.mean_points(text, judgement, pool)) for text in written]
        known = [(judged.scored.people[place, text.text], mean) for text, mean in rated if not np.isnan(mean)]
        if known:
            kept.append((place, np.mean([scores for scores, _ in known], axis=0), np.mean([mean for _, mean in known])))
    return Person(
        editor,
        np.array([place for place, _, _ in kept], dtype=np.int64),
        np.array([scores for _, scores, _ in kept], dtype=np.float64).reshape(len(kept), len(judged.metrics)).T,
        np.array([mean for _, _, mean in kept], dtype=np.float64),
    )


def _arranged(judged: Rated, judgement: str, people: Sequence[Person]) -> tuple[JudgedOutputs, BoolArray]:
    names = [*judged.systems, *(_name(each.name, judged.systems) for each in people)]
    shape = (len(judged.metrics), len(names), len(judged.inputs))
    scores, quality = np.full(shape, np.nan), np.full(shape[1:], np.nan)
    scores[:, : len(judged.systems)] = judged.scored.jackknifed
    quality[: len(judged.systems)] = judged.quality(judgement)
    for row, person in enumerate(people, start=len(judged.systems)):
        scores[:, row, person.places] = person.scores
        quality[row, person.places] = person.quality
    order = sorted(range(len(names)), key=names.__getitem__)
    outputs = JudgedOutputs(
        tuple(each.name for each in judged.metrics),
        tuple(names[place] for place in order),
        tuple(source.source_id for source in judged.inputs),
        scores[:, order],
        quality[order],
    )
    return outputs, np.array(order, dtype=np.int64) >= len(judged.systems)


def _means(scores: FloatArray) -> FloatArray:
    """Return the mean of each metric over the inputs for which it has a score."""
    known = ~np.isnan(scores)
    return np.where(known.any(axis=1), np.nansum(scores, axis=1) / np.maximum(known.sum(axis=1), 1), np.nan)


def _name(editor: str, systems: Sequence[str]) -> str:
    """Return the name of a person as a system, which no system has."""
    name = f"{PERSON}{editor}"
    while name in systems:
        name = f"{name}'"
    return name

"""A release as metrics are held against it: the outputs of its systems, their ratings, and their scores."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isnan, nan

import numpy as np

from compressions.genres import genre_label
from compressions.selectors.translations import TranslationRow
from corpus.release.rater_spreads import RaterSpreads
from corpus.release.records import ReleasedOutput, ReleasedRating, ReleasedSource, ReleasedText
from crowd.scales import Scale
from evaluation.compared import Compared, compare_metrics
from evaluation.parameters import EvaluationParameters, Pool
from evaluation.people_as_systems import PeopleAndSystems, people_and_systems
from evaluation.scored_outputs import MetricInfo, ScoredOutputs
from measures.core.arrays import FloatArray, IntArray
from measures.meta_evaluation import GivenRatings, JudgedOutputs, Verdicts, verdicts
from measures.sampling.terciles import thirds
from measures.text.normalization import length
from measures.text.segmentation import word_count

COMBINED = "combined"
BY_RATER = ", z by rater"
"""Behind the key of a scale: its numbers, each less the mean of its rater's and over their standard deviation."""
WHOLE = ""


@dataclass(frozen=True, eq=False)
class Part:
    """Some inputs of a release: all of them, those of a genre, or those of a third of lengths."""

    kind: str
    name: str
    places: IntArray


@dataclass(frozen=True, eq=False)
class ModelRatings:
    """The ratings of one model: its points by scale, for the id of a source and a text of it."""

    name: str
    scores: Mapping[tuple[str, str], Mapping[str, float]]


@dataclass(frozen=True, eq=False)
class Translations:
    """Translations of texts of a release, oldest first.

    `language` is that of the originals, and `keep_percent` how much of a translated source its summary may keep.
    """

    language: str = ""
    keep_percent: int = 100
    rows: Sequence[TranslationRow] = ()


@dataclass(frozen=True, eq=False)
class JudgedRelease:
    """Outputs of systems (s) for inputs (n) with the scores of metrics (m) and the ratings of people.

    `sources` are all sources of the release, `inputs` those that any system has an output for, in the same order.
    `outputs` holds the text of each output, None where a system has none.
    """

    sources: Sequence[ReleasedSource]
    inputs: tuple[ReleasedSource, ...]
    systems: tuple[str, ...]
    scales: tuple[Scale, ...]
    outputs: tuple[tuple[str | None, ...], ...]
    scored: ScoredOutputs
    parameters: EvaluationParameters
    models: Sequence[ModelRatings] = field(default=())
    translations: Translations = field(default_factory=Translations)
    compares_answers: bool = False
    """Whether raters judged answers to questions, those of all systems to each."""

    @property
    def metrics(self) -> tuple[MetricInfo, ...]:
        return self.scored.metrics

    @cached_property
    def judgements(self) -> tuple[str, ...]:
        """The keys of the scales of single texts, and "combined" where all have the same points and raters.

        Of scales of many points whose raters are known there are z-scores, too.
        """
        single = [scale for scale in self.scales if not scale.is_preference]
        is_combinable = len(self._own) > 1 and len({(len(scale.points), scale.arm) for scale in self._own}) == 1
        derived = (scale.key + BY_RATER for scale in single if self._has_z_scores(scale))
        return (*(scale.key for scale in single), *derived, *((COMBINED,) if is_combinable else ()))

    @cached_property
    def _own(self) -> list[Scale]:
        return [scale for scale in self.scales if not scale.is_preference and scale.numbers is None]

    def _has_z_scores(self, scale: Scale) -> bool:
        return self._spreads.has(scale.key)

    @cached_property
    def _spreads(self) -> RaterSpreads:
        """Where the numbers of each named rater lie on scales of many points."""
        found = RaterSpreads([scale.key for scale in self.scales if not scale.has_few_points])
        for source in self.sources:
            found.add(source)
        return found

    def ratings(self, judgement: str, pool: Pool | None = None) -> FloatArray:
        """Return the ratings of each output, of shape (s, n, r): NaN where an output has fewer than r."""
        return self._ratings[judgement, pool or self.parameters.pool]

    def given_ratings(self, judgement: str) -> GivenRatings:
        """Return the ratings of each output with the raters who gave them."""
        points, pool = self.ratings(judgement), self.parameters.pool
        raters = np.full(points.shape, -1, dtype=np.int64)
        numbers: dict[str, int] = {}
        for row, column, output in self._rated:
            given = output.ratings if pool == "crowd" else output.expert_ratings
            known = [numbers.setdefault(each.rater, len(numbers)) if each.rater else -1 for each in given]
            raters[row, column, : len(known)] = known
        return GivenRatings(points, raters)

    @cached_property
    def panels(self) -> IntArray:
        """The first system with the same text and ratings, of shape (s, n): with another, they were given once."""
        found = np.repeat(np.arange(len(self.systems))[:, None], len(self.inputs), axis=1)
        for column, source in enumerate(self.inputs):
            first: dict[str, int] = {}
            together = (each for each in source.outputs if self.parameters.pool not in each.rated_apart)
            rows = ((self._row[each.system], each.text) for each in together if each.system in self._row)
            for row, text in sorted(rows):
                found[row, column] = first.setdefault(text, row)
        return found

    def quality(self, judgement: str) -> FloatArray:
        """Return the mean rating of each output, of shape (s, n); NaN where it has none."""
        return _mean_of_ratings(self.ratings(judgement))

    @cached_property
    def _ratings(self) -> dict[tuple[str, Pool], FloatArray]:
        pools: tuple[Pool, ...] = ("crowd", "experts")
        return {(key, pool): self._ratings_of(key, pool) for key in self.judgements for pool in pools}

    def given_points(self, subject: ReleasedOutput | ReleasedText, judgement: str, pool: Pool) -> list[float]:
        """Return the points that each rater of a pool gave a text; for "combined" each rater's mean of the scales."""
        ratings = subject.ratings if pool == "crowd" else subject.expert_ratings
        if judgement == COMBINED:
            keys = [scale.key for scale in self._own]
            return [points_of(rating.scores, keys) for rating in ratings]
        key = judgement.removesuffix(BY_RATER)
        if judgement.endswith(BY_RATER):
            return [self._turned(key, self._z_score(rating, key, pool)) for rating in ratings]
        return [self._turned(key, points_of(rating.scores, [key])) for rating in ratings]

    def _z_score(self, rating: ReleasedRating, key: str, pool: Pool) -> float:
        z_score = self._spreads.z_score(rating, key, pool)
        return nan if z_score is None else z_score

    def _turned(self, key: str, number: float) -> float:
        """Return a number with the other sign where less is better, so that more is better everywhere."""
        return -number if key in self._less_is_better else number

    @cached_property
    def _less_is_better(self) -> frozenset[str]:
        return frozenset(scale.key for scale in self.scales if scale.numbers and scale.numbers.less_is_better)

    def mean_points(self, subject: ReleasedOutput | ReleasedText, judgement: str, pool: Pool) -> float:
        """Return the mean rating of a text; NaN where it has none."""
        known = [points for points in self.given_points(subject, judgement, pool) if not isnan(points)]
        return sum(known) / len(known) if known else nan

    def _ratings_of(self, judgement: str, pool: Pool) -> FloatArray:
        given = {(row, column): self.given_points(output, judgement, pool) for row, column, output in self._rated}
        most = max(map(len, given.values()), default=0)
        found = np.full((len(self.systems), len(self.inputs), most), np.nan)
        for (row, column), points in given.items():
            found[row, column, : len(points)] = points
        return found

    @property
    def _rated(self) -> Iterator[tuple[int, int, ReleasedOutput]]:
        """The outputs, each with the places of its system and its input."""
        for column, source in enumerate(self.inputs):
            for output in source.outputs:
                if output.system in self._row:
                    yield self._row[output.system], column, output

    @cached_property
    def _row(self) -> dict[str, int]:
        return {system: row for row, system in enumerate(self.systems)}

    def judged(self, judgement: str, part: Part | None = None) -> JudgedOutputs:
        """Return the scores against all references beside one judgement, of all inputs or of a part of them."""
        outputs = JudgedOutputs(
            tuple(each.name for each in self.metrics),
            self.systems,
            tuple(source.source_id for source in self.inputs),
            self.scored.scores,
            self.quality(judgement),
            self.lengths,
        )
        return outputs if part is None or part.kind == WHOLE else outputs.of_inputs(part.places)

    def comparable(self, judgement: str, part: Part | None = None) -> JudgedOutputs:
        """Return the same with ratings only where systems are compared: everywhere, or on complete inputs."""
        outputs = self.judged(judgement, part)
        if self.parameters.missing == "by pair":
            return outputs
        there = ~np.isnan(outputs.quality) & ~np.isnan(outputs.scores).any(axis=0)
        return replace(outputs, quality=np.where(there.all(axis=0), outputs.quality, np.nan))

    @cached_property
    def compared(self) -> Mapping[str, Compared]:
        """The metrics compared on each judgement of all inputs."""
        return {judgement: compare_metrics(self.judged(judgement), self.parameters) for judgement in self.judgements}

    @cached_property
    def verdicts(self) -> Mapping[str, Verdicts]:
        """Which systems differ significantly, for each judgement of all inputs."""
        return {judgement: self.verdicts_of(judgement) for judgement in self.judgements}

    def verdicts_of(self, judgement: str, part: Part | None = None) -> Verdicts:
        chosen = self.parameters
        return verdicts(self.comparable(judgement, part), alpha=chosen.alpha, min_inputs=chosen.min_inputs)

    @cached_property
    def people_and_systems(self) -> Mapping[str, PeopleAndSystems]:
        """Systems and people as systems, for each judgement."""
        return {judgement: people_and_systems(self, judgement) for judgement in self.judgements}

    @cached_property
    def lengths(self) -> FloatArray:
        """The length of each output in characters; NaN where there is none."""
        return np.array(
            [[np.nan if text is None else float(length(text)) for text in row] for row in self.outputs],
            dtype=np.float64,
        ).reshape(len(self.systems), len(self.inputs))

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """All inputs, then those of each genre and of each third of lengths, where there are several."""
        everything = np.arange(len(self.inputs))
        genres = np.array([source.genre for source in self.inputs], dtype=np.str_)
        by_genre = [Part("genre", str(name), np.flatnonzero(genres == name)) for name in np.unique(genres)]
        words = np.array([word_count(source.text) for source in self.inputs], dtype=np.int64)
        by_length = [Part("length", name, np.flatnonzero(mask)) for name, mask in thirds(words)]
        several = [part for parts in (by_genre, by_length) if len(parts) > 1 for part in parts]
        return (Part(WHOLE, WHOLE, everything), *several)

    def part_label(self, part: Part) -> str:
        return genre_label(part.name) if part.kind == "genre" else part.name


def points_of(scores: Mapping[str, float], keys: Sequence[str]) -> float:
    """Return the points of a rating on a scale, or the mean over several; NaN where one is missing."""
    return float(sum(scores.get(key, nan) for key in keys)) / len(keys)


def systems_of(sources: Sequence[ReleasedSource]) -> tuple[str, ...]:
    """Return the systems that have outputs in a release, in the order of their names."""
    return tuple(sorted({output.system for source in sources for output in source.outputs}))


def texts_of(inputs: Sequence[ReleasedSource], systems: Sequence[str]) -> tuple[tuple[str | None, ...], ...]:
    """Return the output of each system for each input, None where there is none."""
    by_input = [{output.system: output.text for output in source.outputs} for source in inputs]
    return tuple(tuple(found.get(system) for found in by_input) for system in systems)


def _mean_of_ratings(ratings: FloatArray) -> FloatArray:
    number = (~np.isnan(ratings)).sum(axis=2)
    sums = np.nansum(ratings, axis=2)
    return np.where(number > 0, sums / np.maximum(number, 1), np.nan)

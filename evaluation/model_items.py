"""The texts that a model and people of a pool rated, with both sides' points."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corpus.rating_matrices import RatingMatrix, rating_matrix
from corpus.release.records import Ratings, ReleasedOutput, ReleasedSource, ReleasedText
from crowd.scales import Scale
from evaluation.judged_release import JudgedRelease, ModelRatings
from evaluation.parameters import Pool
from measures.core.arrays import BoolArray, FloatArray, IntArray

PEOPLE = ""


@dataclass(frozen=True)
class RatedText:
    """A text of a source, and who made it: a system, or people."""

    source: ReleasedSource
    system: str
    text: str
    ratings: Ratings


@dataclass(frozen=True, eq=False)
class ModelItems:
    """Texts (t) that a model and people of a pool rated on one scale, or only one of them did.

    `model` has the model's points, NaN where it gave none; `points` people's, of shape (t, r), as `people` has them.
    """

    scale: Scale
    texts: tuple[RatedText, ...]
    model: FloatArray
    people: RatingMatrix
    points: FloatArray

    @cached_property
    def both(self) -> BoolArray:
        """Whether the model and at least one person rated a text."""
        return np.isfinite(self.model) & np.isfinite(self.points).any(axis=1)

    @cached_property
    def people_mean(self) -> FloatArray:
        """The mean of people's points; NaN where there are none."""
        number = np.isfinite(self.points).sum(axis=1)
        return np.where(number > 0, np.nansum(self.points, axis=1) / np.maximum(number, 1), np.nan)

    @cached_property
    def families(self) -> IntArray:
        """A number for each text's source; a paragraph and its own sentences have the same."""
        names = np.array([each.source.family for each in self.texts], dtype=np.str_)
        return np.asarray(np.unique(names, return_inverse=True)[1].reshape(-1), dtype=np.int64)

    @property
    def has_whole_points(self) -> bool:
        """Whether the model gave only points of the scale, none between them."""
        given = self.model[np.isfinite(self.model)]
        return bool(np.isin(given, self.scale.values).all())

    def by_rater(self) -> tuple[FloatArray, list[str]]:
        """Return people's points with a column for each rater, and the raters' names.

        Ratings of people who have no name are in further columns, which have no name: nobody knows whose they are.
        """
        raters, rated = self.people.raters, np.isfinite(self.points)
        nameless = rated & (raters < 0)
        place = np.where(raters >= 0, raters, len(self.people.names) + np.cumsum(nameless, axis=1) - 1)
        width = len(self.people.names) + int(nameless.sum(axis=1).max(initial=0))
        table = np.full((len(self.texts), width), np.nan)
        rows, columns = np.nonzero(rated)
        table[rows, place[rows, columns]] = self.points[rows, columns]
        return table, self.people.names


def items_of(judged: JudgedRelease, model: ModelRatings, pool: Pool, *, by_maker: bool = False) -> Iterator[ModelItems]:
    """Yield the texts with their ratings for each scale of single texts.

    A text that several systems and people made comes once, or, `by_maker`, once for each system and once for people.
    """
    made = (each for each in _texts(judged, pool) if (each.source.source_id, each.text) in model.scores)
    texts = tuple(made) if by_maker else tuple(_each_once(made))
    people = rating_matrix(each.ratings for each in texts)
    for scale in judged.scales:
        if not scale.is_preference:
            given = (model.scores[each.source.source_id, each.text].get(scale.key, np.nan) for each in texts)
            points = people.points(scale.key)
            yield ModelItems(scale, texts, np.fromiter(given, np.float64, len(texts)), people, points)


def _each_once(texts: Iterable[RatedText]) -> Iterator[RatedText]:
    # The same text of the same source has the same ratings, whoever made it.
    seen: set[tuple[str, str]] = set()
    for each in texts:
        key = (each.source.source_id, each.text)
        if key not in seen:
            seen.add(key)
            yield each


def _texts(judged: JudgedRelease, pool: Pool) -> Iterator[RatedText]:
    """Yield people's texts and outputs; a text that several made comes once for each system, and once for people."""
    for source in judged.sources:
        for text in source.texts:
            yield RatedText(source, PEOPLE, text.text, _ratings(text, pool))
        for output in source.outputs:
            yield RatedText(source, output.system, output.text, _ratings(output, pool))


def _ratings(text: ReleasedText | ReleasedOutput, pool: Pool) -> Ratings:
    return text.ratings if pool == "crowd" else text.expert_ratings

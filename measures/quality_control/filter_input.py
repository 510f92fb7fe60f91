"""What a rule judges, and the measuring of its workers on what is left when some of them are gone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.quality_control.dawid_skene import PointScores, dawid_skene_accuracy
from measures.quality_control.gold_accuracy import GoldAnswers, gold_accuracy
from measures.quality_control.parameters import ManualDecisions, RaterQuality
from measures.quality_control.role_decisions import Role
from measures.quality_control.tables import Authorship, Ratings, check_range
from measures.quality_control.worker_quality import editor_quality, rater_deviation

QualityAndCount: TypeAlias = tuple[FloatArray, IntArray]
"""Quality and number of items of each worker of a role."""


@dataclass(frozen=True, eq=False)
class RemovedWorkers:
    """Who is removed so far.

    Attributes
    ----------
    raters, editors : BoolArray of shape (n_raters,) and (n_editors,)
        True for whom is removed.
    """

    raters: BoolArray
    editors: BoolArray


@dataclass(frozen=True, eq=False)
class FilterInput:
    """All that a rule is given to judge; `apply_filter` says what each field is.

    Attributes
    ----------
    ratings : Ratings
        The ratings, n rows.
    authorship : Authorship
        Who wrote which text.
    rater_ids, editor_ids : ndarray of shape (n_raters,) and (n_editors,)
        Names or numbers of the workers.
    n_texts : int
        Number of texts.
    manual : ManualDecisions
        What people decided before.
    gold : GoldAnswers or None
        What raters answered to gold items.
    in_points : PointScores or None
        The scores as they were given, n rows.

    Raises
    ------
    ValueError
        If a text, rater or editor is out of range, or the lengths do not fit.
    """

    ratings: Ratings
    authorship: Authorship
    rater_ids: npt.NDArray[Any]
    editor_ids: npt.NDArray[Any]
    n_texts: int
    manual: ManualDecisions
    gold: GoldAnswers | None
    in_points: PointScores | None

    def __post_init__(self) -> None:
        check_range("text", self.ratings.text, self.n_texts)
        check_range("rater", self.ratings.rater, len(self.rater_ids))
        check_range("text", self.authorship.text, self.n_texts)
        check_range("editor", self.authorship.editor, len(self.editor_ids))
        if len(self.manual.included_raters) != len(self.rater_ids):
            raise ValueError(f"decisions on raters must be one for each of the {len(self.rater_ids)}")
        if len(self.manual.included_editors) != len(self.editor_ids):
            raise ValueError(f"decisions on editors must be one for each of the {len(self.editor_ids)}")
        if self.in_points is not None and len(self.in_points.scores) != len(self.ratings.text):
            raise ValueError(f"scores in points must have a row for each of the {len(self.ratings.text)} ratings")

    @property
    def raters(self) -> Role:
        return Role(self.rater_ids, self.manual.included_raters, self.manual.excluded_raters)

    @property
    def editors(self) -> Role:
        return Role(self.editor_ids, self.manual.included_editors, self.manual.excluded_editors)

    @property
    def written(self) -> BoolArray:
        """Texts that a person wrote: shape (n_texts,). The others are outputs of systems."""
        written = np.zeros(self.n_texts, dtype=np.bool_)
        written[self.authorship.text] = True
        return written

    def texts_left(self, gone: RemovedWorkers) -> BoolArray:
        """Find the texts with an author who is left, or with no author at all: shape (n_texts,)."""
        left = np.ones(self.n_texts, dtype=np.bool_)
        left[self.authorship.text] = False
        left[self.authorship.text[~gone.editors[self.authorship.editor]]] = True
        return left

    def ratings_left(self, gone: RemovedWorkers) -> BoolArray:
        """Find the ratings by raters who are left of texts that are left: shape (n,)."""
        return ~gone.raters[self.ratings.rater] & self.texts_left(gone)[self.ratings.text]

    def measure_editors(self, gone: RemovedWorkers) -> QualityAndCount:
        """Measure the editors on what is left; those who are gone have no items."""
        left = ~gone.editors[self.authorship.editor]
        authorship = Authorship(self.authorship.text[left], self.authorship.editor[left])
        return editor_quality(self._left(gone), authorship, self.n_texts, len(self.editor_ids))

    def measure_raters(self, quality: RaterQuality, gone: RemovedWorkers) -> QualityAndCount:
        """Measure the raters on what is left; those who are gone have no items.

        Raises
        ------
        ValueError
            If the quality rests on something that is not given.
        """
        if quality is RaterQuality.GOLD:
            return self._gold_accuracy(gone)
        if quality is RaterQuality.DAWID_SKENE:
            return self._dawid_skene_accuracy(gone)
        return rater_deviation(self._left(gone), self.n_texts, len(self.rater_ids))

    def _gold_accuracy(self, gone: RemovedWorkers) -> QualityAndCount:
        if self.gold is None:
            raise ValueError("gold answers must be given to judge raters by their accuracy on gold items")
        accuracy, items = gold_accuracy(self.gold, len(self.rater_ids))
        return np.where(gone.raters, np.nan, accuracy), np.where(gone.raters, 0, items)

    def _dawid_skene_accuracy(self, gone: RemovedWorkers) -> QualityAndCount:
        if self.in_points is None:
            raise ValueError("scores in points must be given to judge raters by their Dawid-Skene accuracy")
        rows = self.ratings_left(gone)
        ratings = Ratings(self.ratings.text[rows], self.ratings.rater[rows], self.in_points.scores[rows])
        return dawid_skene_accuracy(ratings, len(self.rater_ids), points=self.in_points.points)

    def _left(self, gone: RemovedWorkers) -> Ratings:
        rows = self.ratings_left(gone)
        return Ratings(self.ratings.text[rows], self.ratings.rater[rows], self.ratings.scores[rows])


class Measurements:
    """The qualities of the workers of one case, each computed once for the same workers gone.

    Parameters
    ----------
    case : FilterInput
        What is measured.
    rater_quality : RaterQuality
        What raters are measured by.
    """

    def __init__(self, case: FilterInput, rater_quality: RaterQuality) -> None:
        self.case = case
        self.rater_quality = rater_quality
        self._known: dict[tuple[str, bytes, bytes], QualityAndCount] = {}

    def raters(self, gone: RemovedWorkers) -> QualityAndCount:
        """Return quality and items of the raters on what is left."""
        return self._once("raters", gone, lambda: self.case.measure_raters(self.rater_quality, gone))

    def editors(self, gone: RemovedWorkers) -> QualityAndCount:
        """Return quality and items of the editors on what is left."""
        return self._once("editors", gone, lambda: self.case.measure_editors(gone))

    def _once(self, role: str, gone: RemovedWorkers, measure: Callable[[], QualityAndCount]) -> QualityAndCount:
        key = (role, gone.raters.tobytes(), gone.editors.tobytes())
        if key not in self._known:
            self._known[key] = measure()
        return self._known[key]

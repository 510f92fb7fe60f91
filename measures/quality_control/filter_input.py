"""Data of the worker filter, and the qualities of workers on the data that remain after removals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from measures.core.arrays import BoolArray
from measures.quality_control.dawid_skene import PointScores, dawid_skene_accuracy
from measures.quality_control.gold_accuracy import GoldAnswers, gold_accuracy
from measures.quality_control.measured_quality import MeasuredQuality
from measures.quality_control.parameters import ManualDecisions, RaterQuality
from measures.quality_control.role_decisions import Role
from measures.quality_control.tables import Authorship, Ratings, check_range
from measures.quality_control.worker_quality import editor_quality, rater_deviation


@dataclass(frozen=True, eq=False)
class RemovedWorkers:
    """Workers removed so far.

    Attributes
    ----------
    raters, editors : BoolArray of shape (n_raters,) and (n_editors,)
        True for removed workers.
    """

    raters: BoolArray
    editors: BoolArray


@dataclass(frozen=True, eq=False)
class FilterInput:
    """Data of the worker filter; see `apply_filter` for the fields.

    Attributes
    ----------
    ratings : Ratings
        The ratings, n rows.
    authorship : Authorship
        Authors of the texts.
    rater_ids, editor_ids : ndarray of shape (n_raters,) and (n_editors,)
        Names or numbers of the workers.
    n_texts : int
        Number of texts.
    manual : ManualDecisions
        Manual decisions.
    gold : GoldAnswers or None
        Raters' answers to gold items.
    point_scores : PointScores or None
        The original scores in points, n rows.

    Raises
    ------
    ValueError
        If a text, rater or editor is out of range, or the lengths do not match.
    """

    ratings: Ratings
    authorship: Authorship
    rater_ids: npt.NDArray[Any]
    editor_ids: npt.NDArray[Any]
    n_texts: int
    manual: ManualDecisions
    gold: GoldAnswers | None
    point_scores: PointScores | None

    def __post_init__(self) -> None:
        check_range("text", self.ratings.text, self.n_texts)
        check_range("rater", self.ratings.rater, len(self.rater_ids))
        check_range("text", self.authorship.text, self.n_texts)
        check_range("editor", self.authorship.editor, len(self.editor_ids))
        if len(self.manual.included_raters) != len(self.rater_ids):
            raise ValueError(f"decisions on raters must be one for each of the {len(self.rater_ids)}")
        if len(self.manual.included_editors) != len(self.editor_ids):
            raise ValueError(f"decisions on editors must be one for each of the {len(self.editor_ids)}")
        if self.point_scores is not None and len(self.point_scores.scores) != len(self.ratings.text):
            raise ValueError(f"scores in points must have a row for each of the {len(self.ratings.text)} ratings")

    @property
    def raters(self) -> Role:
        """The raters, with the manual decisions on them."""
        return Role(self.rater_ids, self.manual.included_raters, self.manual.excluded_raters)

    @property
    def editors(self) -> Role:
        """The editors, with the manual decisions on them."""
        return Role(self.editor_ids, self.manual.included_editors, self.manual.excluded_editors)

    @property
    def human_texts(self) -> BoolArray:
        """Mask of the texts written by people, of shape (n_texts,). The others are system outputs."""
        human = np.zeros(self.n_texts, dtype=np.bool_)
        human[self.authorship.text] = True
        return human

    def remaining_texts(self, removed: RemovedWorkers) -> BoolArray:
        """Return a mask of the texts with a remaining author, or without any author, of shape (n_texts,)."""
        remaining = np.ones(self.n_texts, dtype=np.bool_)
        remaining[self.authorship.text] = False
        remaining[self.authorship.text[~removed.editors[self.authorship.editor]]] = True
        return remaining

    def remaining_ratings(self, removed: RemovedWorkers) -> BoolArray:
        """Return a mask of the ratings of remaining texts by remaining raters, of shape (n,)."""
        return ~removed.raters[self.ratings.rater] & self.remaining_texts(removed)[self.ratings.text]

    def measure_editors(self, removed: RemovedWorkers) -> MeasuredQuality:
        """Return the quality of the editors on the remaining data; removed editors have no items."""
        rows = ~removed.editors[self.authorship.editor]
        authorship = Authorship(self.authorship.text[rows], self.authorship.editor[rows])
        return editor_quality(self._remaining(removed), authorship, self.n_texts, len(self.editor_ids))

    def measure_raters(self, quality: RaterQuality, removed: RemovedWorkers) -> MeasuredQuality:
        """Return the quality of the raters on the remaining data; removed raters have no items.

        Raises
        ------
        ValueError
            If the data that the quality needs are missing.
        """
        if quality is RaterQuality.GOLD:
            return self._gold_accuracy(removed)
        if quality is RaterQuality.DAWID_SKENE:
            return self._dawid_skene_accuracy(removed)
        return rater_deviation(self._remaining(removed), self.n_texts, len(self.rater_ids))

    def _gold_accuracy(self, removed: RemovedWorkers) -> MeasuredQuality:
        if self.gold is None:
            raise ValueError("gold answers must be given to judge raters by their accuracy on gold items")
        found = gold_accuracy(self.gold, len(self.rater_ids))
        return MeasuredQuality(
            np.where(removed.raters, np.nan, found.quality),
            np.where(removed.raters, 0, found.items),
            np.where(removed.raters, np.nan, found.standard_error),
        )

    def _dawid_skene_accuracy(self, removed: RemovedWorkers) -> MeasuredQuality:
        if self.point_scores is None:
            raise ValueError("scores in points must be given to judge raters by their Dawid-Skene accuracy")
        rows = self.remaining_ratings(removed)
        ratings = Ratings(self.ratings.text[rows], self.ratings.rater[rows], self.point_scores.scores[rows])
        return dawid_skene_accuracy(ratings, len(self.rater_ids), points=self.point_scores.points)

    def _remaining(self, removed: RemovedWorkers) -> Ratings:
        rows = self.remaining_ratings(removed)
        return Ratings(self.ratings.text[rows], self.ratings.rater[rows], self.ratings.scores[rows])


class Measurements:
    """Cached qualities of the workers, each computed once per set of removed workers.

    Parameters
    ----------
    filter_input : FilterInput
        The data.
    rater_quality : RaterQuality
        Definition of the quality of raters.
    """

    def __init__(self, filter_input: FilterInput, rater_quality: RaterQuality) -> None:
        self.filter_input = filter_input
        self.rater_quality = rater_quality
        self._cache: dict[tuple[str, bytes, bytes], MeasuredQuality] = {}

    def raters(self, removed: RemovedWorkers) -> MeasuredQuality:
        """Return quality and items of the raters on the remaining data."""
        return self._cached("raters", removed, lambda: self.filter_input.measure_raters(self.rater_quality, removed))

    def editors(self, removed: RemovedWorkers) -> MeasuredQuality:
        """Return quality and items of the editors on the remaining data."""
        return self._cached("editors", removed, lambda: self.filter_input.measure_editors(removed))

    def _cached(self, role: str, removed: RemovedWorkers, measure: Callable[[], MeasuredQuality]) -> MeasuredQuality:
        key = (role, removed.raters.tobytes(), removed.editors.tobytes())
        if key not in self._cache:
            self._cache[key] = measure()
        return self._cache[key]

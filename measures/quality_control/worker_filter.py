"""The worker filter: which workers a release leaves out, and why.

The filter only decides; it deletes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from measures.core.arrays import BoolArray
from measures.quality_control.dawid_skene import PointScores
from measures.quality_control.filter_input import FilterInput, Measurements, RemovedWorkers
from measures.quality_control.gold_accuracy import GoldAnswers
from measures.quality_control.lowest_share import Cutoff, lowest_share
from measures.quality_control.parameters import (
    FILTER_VERSION,
    FilterParameters,
    ManualDecisions,
    Order,
    RaterQuality,
    Roles,
)
from measures.quality_control.role_decisions import EDITOR_MEASURE, RATER_MEASURES, RoleOutcome, decide_role, keep_role
from measures.quality_control.tables import Authorship, Ratings
from measures.quality_control.worker_quality import editor_quality, rater_deviation, text_quality

__all__ = [
    "FILTER_VERSION",
    "Authorship",
    "Cutoff",
    "FilterParameters",
    "GoldAnswers",
    "ManualDecisions",
    "Order",
    "Outcome",
    "PointScores",
    "RaterQuality",
    "Ratings",
    "RoleOutcome",
    "Roles",
    "apply_filter",
    "decide",
    "editor_quality",
    "lowest_share",
    "rater_deviation",
    "text_quality",
]


@dataclass(frozen=True, eq=False)
class Outcome:
    """Result of the worker filter for all workers, ratings and texts.

    Attributes
    ----------
    raters, editors : RoleOutcome
        Decisions on the workers of each role.
    kept_rating : BoolArray of shape (n,)
        Ratings of kept texts by kept raters.
    kept_text : BoolArray of shape (n_texts,)
        Texts with a kept author, or without any author.
    """

    raters: RoleOutcome
    editors: RoleOutcome
    kept_rating: BoolArray
    kept_text: BoolArray


def apply_filter(  # noqa: PLR0913  (the complete input of the worker filter)
    ratings: Ratings,
    authorship: Authorship,
    *,
    rater_ids: npt.ArrayLike,
    editor_ids: npt.ArrayLike,
    n_texts: int,
    parameters: FilterParameters,
    manual: ManualDecisions | None = None,
    gold: GoldAnswers | None = None,
    point_scores: PointScores | None = None,
) -> Outcome:
    """Remove the worst raters and editors, and those excluded manually.

    Source: Toutanova et al. 2016, §3.1. The paper removes the bottom 10% of the editors with their
    compressions and "the same" of the raters, but gives neither the order nor the quality of a rater.

    Parameters
    ----------
    ratings : Ratings
        The ratings, n rows.
    authorship : Authorship
        Authors of the texts. A text with several authors is kept if at least one of them is.
    rater_ids, editor_ids : array_like of shape (n_raters,) and (n_editors,)
        Names or numbers of the workers, used to break ties.
    n_texts : int
        Number of texts.
    parameters : FilterParameters
        Parameters of the filter.
    manual : ManualDecisions or None
        Workers included or excluded by staff. Excluded workers are removed, with their ratings or texts, before
        anything is computed. Included workers count like all others, except that they are not eligible.
    gold : GoldAnswers or None
        Raters' answers to gold items; required by `RaterQuality.GOLD`.
    point_scores : PointScores or None
        The original scores of `ratings`, row by row; required by `RaterQuality.DAWID_SKENE`, since those in
        `ratings` may be `rescaled`.

    Returns
    -------
    Outcome
        The removed workers, with reasons, and what remains. Takes O(n log n) time, except with
        `RaterQuality.DAWID_SKENE`, where fitting the model takes longer.

    Raises
    ------
    ValueError
        If a text, rater or editor is out of range, manual decisions or point scores have the wrong length, or
        the data that the quality of raters needs are missing.

    Examples
    --------
    >>> scores = np.column_stack([[3.0, 3.0, 1.0, 1.0, 2.0, 3.0], np.full(6, 2.0)])
    >>> ratings = Ratings(np.repeat([0, 1], 3), np.tile([0, 1, 2], 2), scores)
    >>> outcome = apply_filter(ratings, Authorship(np.array([0, 1]), np.array([0, 1])), rater_ids=[7, 8, 9],
    ...                      editor_ids=[5, 6], n_texts=2, parameters=FilterParameters(share=0.5, min_items=1))
    >>> outcome.raters.reasons[2]
    'deviation 0.88 over 2 ratings is among the highest 1 of 3'
    >>> outcome.editors.removed, outcome.kept_text
    (array([False,  True]), array([ True, False]))
    """
    raters, editors = np.asarray(rater_ids), np.asarray(editor_ids)
    manual = manual or ManualDecisions.none(len(raters), len(editors))
    filter_input = FilterInput(ratings, authorship, raters, editors, n_texts, manual, gold, point_scores)
    return decide(Measurements(filter_input, parameters.rater_quality), parameters)


def decide(measurements: Measurements, parameters: FilterParameters) -> Outcome:
    """Apply the worker filter to data whose qualities may be cached already.

    Parameters
    ----------
    measurements : Measurements
        The data, and the qualities measured so far; those measured here are added.
    parameters : FilterParameters
        As for `apply_filter`; the quality of raters must be that of `measurements`.

    Returns
    -------
    Outcome
        As from `apply_filter`.

    Raises
    ------
    ValueError
        If the quality of raters differs from that of `measurements`, or the data that it needs are missing.
    """
    if measurements.rater_quality is not parameters.rater_quality:
        raise ValueError(f"rater_quality must be the one measured, {measurements.rater_quality.value!r}")
    data = measurements.filter_input
    removed = RemovedWorkers(data.manual.excluded_raters, data.manual.excluded_editors)
    if parameters.order is Order.RATERS_FIRST:
        raters = _decide_raters(measurements, removed, parameters)
        removed = replace(removed, raters=raters.removed)
        editors = _decide_editors(measurements, removed, parameters)
    else:
        editors = _decide_editors(measurements, removed, parameters)
        removed = replace(removed, editors=editors.removed)
        raters = _decide_raters(measurements, removed, parameters)
    removed = RemovedWorkers(raters.removed, editors.removed)
    return Outcome(
        raters, editors, kept_rating=data.remaining_ratings(removed), kept_text=data.remaining_texts(removed)
    )


def _decide_raters(measurements: Measurements, removed: RemovedWorkers, parameters: FilterParameters) -> RoleOutcome:
    role = measurements.filter_input.raters
    if not parameters.judges_raters:
        return keep_role(role)
    return decide_role(role, RATER_MEASURES[parameters.rater_quality], measurements.raters(removed), parameters)


def _decide_editors(measurements: Measurements, removed: RemovedWorkers, parameters: FilterParameters) -> RoleOutcome:
    role = measurements.filter_input.editors
    if not parameters.judges_editors:
        return keep_role(role)
    return decide_role(role, EDITOR_MEASURE, measurements.editors(removed), parameters)

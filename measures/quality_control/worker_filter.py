"""Which workers a rule removes, and why.

Nothing is deleted here: the rule says what a release leaves out.
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
    """What the rule says of all workers, ratings and texts.

    Attributes
    ----------
    raters, editors : RoleOutcome
        The two roles.
    kept_rating : BoolArray of shape (n,)
        Ratings of a kept rater on a kept text.
    kept_text : BoolArray of shape (n_texts,)
        Texts with a kept author, or with no author at all.
    """

    raters: RoleOutcome
    editors: RoleOutcome
    kept_rating: BoolArray
    kept_text: BoolArray


def apply_filter(  # noqa: PLR0913  (all that the rule looks at)
    ratings: Ratings,
    authorship: Authorship,
    *,
    rater_ids: npt.ArrayLike,
    editor_ids: npt.ArrayLike,
    n_texts: int,
    parameters: FilterParameters,
    kept_by_hand: ManualDecisions | None = None,
    gold: GoldAnswers | None = None,
    in_points: PointScores | None = None,
) -> Outcome:
    """Remove the worst raters and editors, and those whom people excluded.

    Source: Toutanova et al. 2016, §3.1. The paper removes the bottom 10% of the editors with their
    compressions and "the same" of the raters, and says neither in which order nor what a rater's quality is.

    Parameters
    ----------
    ratings : Ratings
        The ratings, n rows.
    authorship : Authorship
        Who wrote which text. A text with several authors stays as long as one of them does.
    rater_ids, editor_ids : array_like of shape (n_raters,) and (n_editors,)
        Names or numbers of the workers, used for ties.
    n_texts : int
        Number of texts.
    parameters : FilterParameters
        Share, least number of items, order, quality of raters, roles.
    kept_by_hand : ManualDecisions or None
        Whom people kept or left out. Those excluded are gone, with their ratings or texts, before anything
        is computed; those included count like everybody else, but not among the eligible.
    gold : GoldAnswers or None
        What raters answered to gold items; for `RaterQuality.GOLD`.
    in_points : PointScores or None
        The scores of `ratings`, row by row, as they were given; for `RaterQuality.DAWID_SKENE`, since those in
        `ratings` may be `rescaled`.

    Returns
    -------
    Outcome
        Who is removed and why, and what remains. Takes the time of a sort; with `RaterQuality.DAWID_SKENE` that
        of fitting the model, which is longer.

    Raises
    ------
    ValueError
        If a text, rater or editor is out of range, decisions or scores in points are not as many as they
        should be, or the chosen quality of raters rests on something that is not given.

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
    of_raters, of_editors = np.asarray(rater_ids), np.asarray(editor_ids)
    manual = kept_by_hand or ManualDecisions.none(len(of_raters), len(of_editors))
    case = FilterInput(ratings, authorship, of_raters, of_editors, n_texts, manual, gold, in_points)
    return decide(Measurements(case, parameters.rater_quality), parameters)


def decide(measurements: Measurements, parameters: FilterParameters) -> Outcome:
    """Apply the rule to a case of which some qualities may be known already.

    Parameters
    ----------
    measurements : Measurements
        The case and what is known of it. They learn what is measured here.
    parameters : FilterParameters
        As for `apply_filter`; the quality of raters must be that of the measurements.

    Returns
    -------
    Outcome
        As from `apply_filter`.

    Raises
    ------
    ValueError
        If the quality of raters is another, or rests on something that is not given.
    """
    if measurements.rater_quality is not parameters.rater_quality:
        raise ValueError(f"rater_quality must be the one measured, {measurements.rater_quality.value!r}")
    case = measurements.case
    gone = RemovedWorkers(case.manual.excluded_raters, case.manual.excluded_editors)
    if parameters.order is Order.RATERS_FIRST:
        raters = _judge_raters(measurements, gone, parameters)
        gone = replace(gone, raters=raters.removed)
        editors = _judge_editors(measurements, gone, parameters)
    else:
        editors = _judge_editors(measurements, gone, parameters)
        gone = replace(gone, editors=editors.removed)
        raters = _judge_raters(measurements, gone, parameters)
    gone = RemovedWorkers(raters.removed, editors.removed)
    return Outcome(raters, editors, kept_rating=case.ratings_left(gone), kept_text=case.texts_left(gone))


def _judge_raters(measurements: Measurements, gone: RemovedWorkers, parameters: FilterParameters) -> RoleOutcome:
    role = measurements.case.raters
    if not parameters.judges_raters:
        return keep_role(role)
    return decide_role(role, RATER_MEASURES[parameters.rater_quality], *measurements.raters(gone), parameters)


def _judge_editors(measurements: Measurements, gone: RemovedWorkers, parameters: FilterParameters) -> RoleOutcome:
    role = measurements.case.editors
    if not parameters.judges_editors:
        return keep_role(role)
    return decide_role(role, EDITOR_MEASURE, *measurements.editors(gone), parameters)

"""What the worker filter would do with other shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray, IntArray
from measures.quality_control.dawid_skene import PointScores
from measures.quality_control.filter_input import FilterInput, Measurements
from measures.quality_control.gold_accuracy import GoldAnswers
from measures.quality_control.parameters import FilterParameters, ManualDecisions
from measures.quality_control.tables import Authorship, Ratings
from measures.quality_control.worker_filter import Outcome, decide

__all__ = ["SharePreview", "preview", "preview_measured"]


@dataclass(frozen=True, eq=False)
class SharePreview:
    """What the rule would do with one share.

    Attributes
    ----------
    share : float
        The share, 0 to 1.
    removed_raters, removed_editors : IntArray of shape (r,) and (e,)
        Who would be removed, by the rule or by hand, in rising order.
    ratings_kept, texts_kept : int
        How many would remain of the texts that people wrote, and of the ratings of these.
    means_before, means_after : FloatArray of shape (s,)
        Mean of each scale over all ratings of texts that people wrote, and over those that would remain; in
        points as given where `in_points` is, else of `ratings`. NaN without ratings.
    """

    share: float
    removed_raters: IntArray
    removed_editors: IntArray
    ratings_kept: int
    texts_kept: int
    means_before: FloatArray
    means_after: FloatArray

    @property
    def n_removed_raters(self) -> int:
        return len(self.removed_raters)

    @property
    def n_removed_editors(self) -> int:
        return len(self.removed_editors)


def preview(  # noqa: PLR0913  (all that the rule looks at)
    ratings: Ratings,
    authorship: Authorship,
    *,
    rater_ids: npt.ArrayLike,
    editor_ids: npt.ArrayLike,
    n_texts: int,
    parameters: FilterParameters,
    shares: Sequence[float],
    kept_by_hand: ManualDecisions | None = None,
    gold: GoldAnswers | None = None,
    in_points: PointScores | None = None,
) -> list[SharePreview]:
    """Say what `apply_filter` would do with each of several shares.

    The role judged first is measured once. The second is measured again only where another number of the
    first is removed. A greater share removes all of the first role that a smaller one does; of the second
    role it may spare some, whose quality looks better on what the greater cut leaves.

    Parameters
    ----------
    ratings, authorship, rater_ids, editor_ids, n_texts, kept_by_hand, gold, in_points
        As for `apply_filter`.
    parameters : FilterParameters
        As for `apply_filter`; their own share does not matter.
    shares : sequence of float
        The shares, each 0 to 1, in any order.

    Returns
    -------
    list of SharePreview
        One for each share, in their order.

    Raises
    ------
    ValueError
        As from `apply_filter`, or if a share is out of range.

    Examples
    --------
    >>> scores = np.array([[3.0], [3.0], [1.0], [1.0], [1.0], [1.0]])
    >>> ratings = Ratings(np.repeat([0, 1], 3), np.tile([0, 1, 2], 2), scores)
    >>> found = preview(ratings, Authorship(np.array([0, 1]), np.array([0, 1])), rater_ids=[7, 8, 9],
    ...                 editor_ids=[5, 6], n_texts=2, parameters=FilterParameters(min_items=1), shares=[0, 0.4, 0.5])
    >>> [(one.n_removed_raters, one.n_removed_editors, one.ratings_kept) for one in found]
    [(0, 0, 6), (1, 0, 4), (1, 1, 2)]
    >>> found[2].means_before.round(2), found[2].means_after
    (array([1.67]), array([3.]))
    """
    of_raters, of_editors = np.asarray(rater_ids), np.asarray(editor_ids)
    manual = kept_by_hand or ManualDecisions.none(len(of_raters), len(of_editors))
    case = FilterInput(ratings, authorship, of_raters, of_editors, n_texts, manual, gold, in_points)
    return preview_measured(Measurements(case, parameters.rater_quality), parameters, shares)


def preview_measured(
    measurements: Measurements, parameters: FilterParameters, shares: Sequence[float]
) -> list[SharePreview]:
    """Say what `decide` would do with each of several shares.

    Parameters
    ----------
    measurements : Measurements
        As for `decide`.
    parameters : FilterParameters
        As for `decide`; their own share does not matter.
    shares : sequence of float
        The shares, each 0 to 1, in any order.

    Returns
    -------
    list of SharePreview
        As from `preview`.

    Raises
    ------
    ValueError
        As from `decide`, or if a share is out of range.
    """
    asked = [replace(parameters, share=share) for share in shares]
    return [_share_preview(measurements.case, one.share, decide(measurements, one)) for one in asked]


def _share_preview(case: FilterInput, share: float, outcome: Outcome) -> SharePreview:
    scores = case.ratings.scores if case.in_points is None else case.in_points.scores
    of_people = case.written[case.ratings.text]
    kept = outcome.kept_rating & of_people
    return SharePreview(
        share=share,
        removed_raters=np.flatnonzero(outcome.raters.removed),
        removed_editors=np.flatnonzero(outcome.editors.removed),
        ratings_kept=int(kept.sum()),
        texts_kept=int((outcome.kept_text & case.written).sum()),
        means_before=_means(scores[of_people]),
        means_after=_means(scores[kept]),
    )


def _means(scores: FloatArray) -> FloatArray:
    return scores.mean(axis=0) if len(scores) else np.full(scores.shape[1], np.nan)

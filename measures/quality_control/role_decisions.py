"""Decisions of the worker filter on one role, with their reasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.quality_control.lowest_share import Cutoff, lowest_share
from measures.quality_control.measured_quality import Convergence, MeasuredQuality, gap_to_cut
from measures.quality_control.parameters import FilterParameters, RaterQuality


@dataclass(frozen=True, eq=False)
class RoleOutcome:
    """Decisions of the worker filter on the w workers of one role.

    Attributes
    ----------
    quality : FloatArray of shape (w,)
        Quality of editors in points; for raters the chosen `RaterQuality`: deviation in points, or accuracy
        from 0 to 1. NaN where unknown: for workers without items or excluded manually, and for a role that is
        not filtered.
    items : IntArray of shape (w,)
        Number of texts, ratings or gold items on which the quality is based.
    standard_error : FloatArray of shape (w,)
        Standard error of the quality, NaN where unknown.
    gap : FloatArray of shape (w,)
        Distance of the quality from the cut, as from `gap_to_cut`; NaN where unknown.
    unassessed : BoolArray of shape (w,)
        Workers without a manual decision who have too few items to be assessed; nobody in a role that is not
        filtered.
    removed : BoolArray of shape (w,)
        Workers removed by the filter or excluded manually.
    reasons : tuple of str, of length w
        The reason for each decision, in words.
    cut : Cutoff
        The cut of the filter. Workers with a manual decision take no part in it.
    convergence : tuple of Convergence
        How the estimates of the qualities ended, one for each scale, if they are iterated.
    """

    quality: FloatArray
    items: IntArray
    standard_error: FloatArray
    gap: FloatArray
    unassessed: BoolArray
    removed: BoolArray
    reasons: tuple[str, ...]
    cut: Cutoff
    convergence: tuple[Convergence, ...] = ()


@dataclass(frozen=True, eq=False)
class Role:
    """The w workers of one role, with the manual decisions on them.

    Attributes
    ----------
    ids : ndarray of shape (w,)
        Names or numbers, used to break ties.
    included, excluded : BoolArray of shape (w,)
        Workers included and excluded manually.
    """

    ids: npt.NDArray[Any]
    included: BoolArray
    excluded: BoolArray


@dataclass(frozen=True)
class Measure:
    """Wording of the reasons for a quality.

    Attributes
    ----------
    name : str
        Name of the quality.
    items : str
        Name of the items on which it is based.
    smallest_is_worst : bool
        True for a quality, False for a deviation.
    required : str, default "items"
        Name of the items of which a worker needs `min_items` to be eligible.
    """

    name: str
    items: str
    smallest_is_worst: bool
    required: str = "items"

    @property
    def end(self) -> str:
        """The end of the ranking where the worst workers are."""
        return "lowest" if self.smallest_is_worst else "highest"


EDITOR_MEASURE = Measure("quality", "texts", smallest_is_worst=True)
RATER_MEASURES = {
    RaterQuality.DEVIATION: Measure("deviation", "ratings", smallest_is_worst=False),
    RaterQuality.GOLD: Measure("accuracy", "gold items", smallest_is_worst=True, required="gold items"),
    RaterQuality.DAWID_SKENE: Measure("Dawid-Skene accuracy", "texts", smallest_is_worst=True),
}


def decide_role(role: Role, measure: Measure, measured: MeasuredQuality, parameters: FilterParameters) -> RoleOutcome:
    """Decide on the workers of a role: remove the worst of those without a manual decision.

    Parameters
    ----------
    role : Role
        The w workers.
    measure : Measure
        Wording of the quality.
    measured : MeasuredQuality
        Quality and items of each worker.
    parameters : FilterParameters
        Share and least number of items.

    Returns
    -------
    RoleOutcome
        The removed workers, and the reason for each decision.

    Examples
    --------
    >>> nobody = np.zeros(3, dtype=bool)
    >>> role = Role(np.array([4, 5, 6]), included=np.array([True, False, False]), excluded=nobody)
    >>> measured = MeasuredQuality(np.array([0.5, 0.9, 0.75]), np.array([8, 8, 8]), np.full(3, 0.1))
    >>> decide_role(role, RATER_MEASURES[RaterQuality.GOLD], measured, FilterParameters(share=0.5)).reasons
    ('included by hand', 'kept', 'accuracy 0.75 over 8 gold items is among the lowest 1 of 2')
    """
    share, min_items = parameters.share, parameters.min_items
    quality, items = measured.quality, measured.items
    by_hand = role.included | role.excluded
    undecided = np.where(by_hand, np.nan, quality)
    cut = lowest_share(
        undecided, items, role.ids, share=share, min_items=min_items, smallest_is_worst=measure.smallest_is_worst
    )
    reasons = ["kept"] * len(quality)
    for worker in np.flatnonzero(items < min_items):
        reasons[worker] = f"not eligible: {_counted(items[worker], measure.required)}, {min_items} wanted"
    position = f"is among the {measure.end} {len(cut.removed)} of {cut.eligible}"
    for worker in cut.removed:
        reasons[worker] = (
            f"{measure.name} {quality[worker]:.2f} over {_counted(items[worker], measure.items)} {position}"
        )
    gap = gap_to_cut(quality, cut.cut, smallest_is_worst=measure.smallest_is_worst)
    return _outcome(role, measured, reasons, cut, gap, ~by_hand & (items < min_items))


def _counted(number: int, things: str) -> str:
    return f"{number} {things.removesuffix('s') if number == 1 else things}"


def keep_role(role: Role) -> RoleOutcome:
    """Keep the workers of a role that is not filtered, except those excluded manually.

    Parameters
    ----------
    role : Role
        The w workers.

    Returns
    -------
    RoleOutcome
        All qualities are NaN, since nothing is measured.

    Examples
    --------
    >>> role = Role(np.array([4, 5]), included=np.array([False, False]), excluded=np.array([False, True]))
    >>> keep_role(role).reasons
    ('not judged by this rule', 'excluded by hand')
    """
    workers = len(role.ids)
    nobody = Cutoff(removed=np.empty(0, dtype=np.int64), eligible=0, threshold=None, cut=None, tie=False)
    unknown = MeasuredQuality(np.full(workers, np.nan), np.zeros(workers, dtype=np.int64), np.full(workers, np.nan))
    reasons = ["not judged by this rule"] * workers
    return _outcome(role, unknown, reasons, nobody, unknown.quality, np.zeros(workers, dtype=np.bool_))


def _outcome(
    role: Role, measured: MeasuredQuality, reasons: list[str], cut: Cutoff, gap: FloatArray, unassessed: BoolArray
) -> RoleOutcome:
    """Return the decisions, with those by hand in place of the filter's."""
    for decided, reason in ((role.included, "included by hand"), (role.excluded, "excluded by hand")):
        for worker in np.flatnonzero(decided):
            reasons[worker] = reason
    removed = role.excluded.copy()
    removed[cut.removed] = True
    return RoleOutcome(
        quality=measured.quality,
        items=measured.items,
        standard_error=measured.standard_error,
        gap=gap,
        unassessed=unassessed,
        removed=removed,
        reasons=tuple(reasons),
        cut=cut,
        convergence=measured.convergence,
    )

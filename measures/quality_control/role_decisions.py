"""What the rule says of the workers of one role, in numbers and in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.quality_control.lowest_share import Cutoff, lowest_share
from measures.quality_control.parameters import FilterParameters, RaterQuality


@dataclass(frozen=True, eq=False)
class RoleOutcome:
    """What the rule says of the w workers of one role.

    Attributes
    ----------
    quality : FloatArray of shape (w,)
        Quality of editors, in points; of raters what `RaterQuality` says: deviation in points or accuracy,
        0 to 1. NaN where unknown: for workers without items or excluded by hand, and for a role that is not
        judged.
    items : IntArray of shape (w,)
        Number of texts, ratings or gold items that the quality rests on.
    removed : BoolArray of shape (w,)
        Who is removed, by the rule or by hand.
    reasons : tuple of str, of length w
        Why, in words.
    cut : Cutoff
        Where the rule made its cut. It holds nobody decided on by hand.
    """

    quality: FloatArray
    items: IntArray
    removed: BoolArray
    reasons: tuple[str, ...]
    cut: Cutoff


@dataclass(frozen=True, eq=False)
class Role:
    """The w workers of one role, and what people decided of them.

    Attributes
    ----------
    ids : ndarray of shape (w,)
        Names or numbers, used for ties.
    included, excluded : BoolArray of shape (w,)
        Who is kept and who is left out by hand.
    """

    ids: npt.NDArray[Any]
    included: BoolArray
    excluded: BoolArray


@dataclass(frozen=True)
class Measure:
    """How to speak of a quality.

    Attributes
    ----------
    name : str
        What it is called.
    items : str
        What it rests on.
    smallest_is_worst : bool
        True for a quality, False for a deviation.
    wanted : str, default "items"
        What somebody who is not eligible has too few of.
    """

    name: str
    items: str
    smallest_is_worst: bool
    wanted: str = "items"

    @property
    def end(self) -> str:
        return "lowest" if self.smallest_is_worst else "highest"


EDITOR_MEASURE = Measure("quality", "texts", smallest_is_worst=True)
RATER_MEASURES = {
    RaterQuality.DEVIATION: Measure("deviation", "ratings", smallest_is_worst=False),
    RaterQuality.GOLD: Measure("accuracy", "gold items", smallest_is_worst=True, wanted="gold items"),
    RaterQuality.DAWID_SKENE: Measure("Dawid-Skene accuracy", "texts", smallest_is_worst=True),
}


def decide_role(
    role: Role, measure: Measure, quality: FloatArray, items: IntArray, parameters: FilterParameters
) -> RoleOutcome:
    """Find the worst workers of a role among those whom nobody decided on by hand, and say why.

    Parameters
    ----------
    role : Role
        The w workers.
    measure : Measure
        What their quality is.
    quality : FloatArray of shape (w,)
        Quality of each worker, NaN where unknown.
    items : IntArray of shape (w,)
        Number of items of each worker.
    parameters : FilterParameters
        Share and least number of items.

    Returns
    -------
    RoleOutcome
        Who is removed, and why.

    Examples
    --------
    >>> nobody = np.zeros(3, dtype=bool)
    >>> role = Role(np.array([4, 5, 6]), included=np.array([True, False, False]), excluded=nobody)
    >>> quality, items = np.array([0.5, 0.9, 0.75]), np.array([8, 8, 8])
    >>> decide_role(role, RATER_MEASURES[RaterQuality.GOLD], quality, items, FilterParameters(share=0.5)).reasons
    ('included by hand', 'kept', 'accuracy 0.75 over 8 gold items is among the lowest 1 of 2')
    """
    share, min_items = parameters.share, parameters.min_items
    left_to_rule = np.where(role.included | role.excluded, np.nan, quality)
    cut = lowest_share(
        left_to_rule, items, role.ids, share=share, min_items=min_items, smallest_is_worst=measure.smallest_is_worst
    )
    reasons = ["kept"] * len(quality)
    for worker in np.flatnonzero(items < min_items):
        reasons[worker] = f"not eligible: {items[worker]} {measure.wanted}, {min_items} wanted"
    position = f"is among the {measure.end} {len(cut.removed)} of {cut.eligible}"
    for worker in cut.removed:
        reasons[worker] = f"{measure.name} {quality[worker]:.2f} over {items[worker]} {measure.items} {position}"
    return _with_manual_decisions(role, quality, items, reasons, cut)


def keep_role(role: Role) -> RoleOutcome:
    """Keep the workers of a role that the rule does not judge, but for those excluded by hand.

    Parameters
    ----------
    role : Role
        The w workers.

    Returns
    -------
    RoleOutcome
        All qualities NaN: nothing is measured.

    Examples
    --------
    >>> role = Role(np.array([4, 5]), included=np.array([False, False]), excluded=np.array([False, True]))
    >>> keep_role(role).reasons
    ('not judged by this rule', 'excluded by hand')
    """
    workers = len(role.ids)
    nobody = Cutoff(removed=np.empty(0, dtype=np.int64), eligible=0, threshold=None, tie=False)
    reasons = ["not judged by this rule"] * workers
    return _with_manual_decisions(role, np.full(workers, np.nan), np.zeros(workers, dtype=np.int64), reasons, nobody)


def _with_manual_decisions(
    role: Role, quality: FloatArray, items: IntArray, reasons: list[str], cut: Cutoff
) -> RoleOutcome:
    for decided, reason in ((role.included, "included by hand"), (role.excluded, "excluded by hand")):
        for worker in np.flatnonzero(decided):
            reasons[worker] = reason
    removed = role.excluded.copy()
    removed[cut.removed] = True
    return RoleOutcome(quality=quality, items=items, removed=removed, reasons=tuple(reasons), cut=cut)

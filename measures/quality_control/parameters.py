"""Inputs of the worker filter apart from the data: its parameters, and manual decisions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from measures.core.arrays import BoolArray

FILTER_VERSION = "bottom-share/4"
"""Version of the worker filter, stored with every decision; changes whenever a decision could change.

bottom-share/1
    Filters both roles, raters by their deviation from the others.
bottom-share/2
    Can filter raters by another quality, or one role only, and accepts manual decisions. Without any of
    these it decides as bottom-share/1.
bottom-share/3
    Fits the model of Dawid and Skene until no accuracy changes by more than 1e-7 in a step, instead of 1e-5.
    With the other qualities it decides as bottom-share/2.
bottom-share/4
    Fits the model of Dawid and Skene to up to 20,000 ratings until no accuracy changes by more than 1e-9 in a step,
    and goes on where it ended on a plateau. With the other qualities, or more ratings, it decides as bottom-share/3.
"""


class Order(StrEnum):
    """The role that is filtered first."""

    RATERS_FIRST = "raters first"
    EDITORS_FIRST = "editors first"


class Roles(StrEnum):
    """The roles that are filtered. Workers of the other role are kept unless excluded manually."""

    BOTH = "raters and editors"
    RATERS = "raters only"
    EDITORS = "editors only"


class RaterQuality(StrEnum):
    """Definitions of the quality of a rater. Toutanova et al. 2016, §3.1, give none."""

    DEVIATION = "deviation from the others"
    GOLD = "accuracy on gold items"
    DAWID_SKENE = "Dawid-Skene accuracy"


@dataclass(frozen=True)
class FilterParameters:
    """Parameters of the worker filter.

    Attributes
    ----------
    share : float, default 0.1
        Share of the eligible workers of each role to remove, 0 to 1.
    min_items : int, default 5
        A worker with fewer items is not eligible, and so is never removed. The items of an editor are rated
        texts; those of a rater depend on the quality: ratings compared, gold items or texts.
    order : Order, default Order.RATERS_FIRST
        The role filtered first. The second is filtered on the data that remain.
    rater_quality : RaterQuality, default RaterQuality.DEVIATION
        The quality by which raters are filtered.
    roles : Roles, default Roles.BOTH
        The roles that are filtered.

    Raises
    ------
    ValueError
        If a field is out of range; the message begins with its name.

    Examples
    --------
    >>> FilterParameters(rater_quality=RaterQuality.GOLD, roles=Roles.RATERS).share
    0.1
    """

    share: float = 0.10
    min_items: int = 5
    order: Order = Order.RATERS_FIRST
    rater_quality: RaterQuality = RaterQuality.DEVIATION
    roles: Roles = Roles.BOTH

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise ValueError(f"share must be between 0 and 1, not {self.share}")
        if self.min_items < 1:
            raise ValueError(f"min_items must be at least 1, not {self.min_items}")
        if not isinstance(self.order, Order):
            raise ValueError(f"order must be an Order, not {self.order!r}")
        if not isinstance(self.rater_quality, RaterQuality):
            raise ValueError(f"rater_quality must be a RaterQuality, not {self.rater_quality!r}")
        if not isinstance(self.roles, Roles):
            raise ValueError(f"roles must be Roles, not {self.roles!r}")

    @property
    def judges_raters(self) -> bool:
        """Whether raters are filtered."""
        return self.roles is not Roles.EDITORS

    @property
    def judges_editors(self) -> bool:
        """Whether editors are filtered."""
        return self.roles is not Roles.RATERS


@dataclass(frozen=True, eq=False)
class ManualDecisions:
    """Workers whom staff included or excluded. The worker filter never overrides these decisions.

    Attributes
    ----------
    included_raters, included_editors : BoolArray of shape (n_raters,) and (n_editors,)
        Workers who are never removed, and are not counted as eligible.
    excluded_raters, excluded_editors : BoolArray of shape (n_raters,) and (n_editors,)
        Workers who are removed, with their ratings or texts, before anything is computed.

    Raises
    ------
    ValueError
        If an array is not boolean, the arrays of a role differ in shape, or somebody is in both.

    Examples
    --------
    >>> decisions = ManualDecisions.none(n_raters=2, n_editors=1)
    >>> decisions.excluded_raters[1] = True
    >>> decisions.excluded_raters, decisions.included_editors
    (array([False,  True]), array([False]))
    """

    included_raters: BoolArray
    excluded_raters: BoolArray
    included_editors: BoolArray
    excluded_editors: BoolArray

    def __post_init__(self) -> None:
        for role in ("raters", "editors"):
            included, excluded = getattr(self, f"included_{role}"), getattr(self, f"excluded_{role}")
            if {included.dtype, excluded.dtype} != {np.dtype(np.bool_)}:
                raise ValueError(f"decisions on {role} must be truth values")
            if {included.shape, excluded.shape} != {(len(included),)}:
                raise ValueError(f"decisions on {role} differ in shape")
            if (included & excluded).any():
                raise ValueError(f"{role} must not be both included and excluded by hand")

    @property
    def raters(self) -> BoolArray:
        """Raters with a manual decision of either kind, of shape (n_raters,)."""
        return self.included_raters | self.excluded_raters

    @property
    def editors(self) -> BoolArray:
        """Editors with a manual decision of either kind, of shape (n_editors,)."""
        return self.included_editors | self.excluded_editors

    @classmethod
    def none(cls, n_raters: int, n_editors: int) -> ManualDecisions:
        """Return an object without any decisions."""
        raters, editors = np.zeros(n_raters, dtype=np.bool_), np.zeros(n_editors, dtype=np.bool_)
        return cls(raters, raters.copy(), editors, editors.copy())

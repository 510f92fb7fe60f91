"""Which workers a rule removes, and why.

Nothing is deleted here: the rule says what a release leaves out.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from measures.arrays import BoolArray, FloatArray, IntArray
from measures.bottom import Cut, bottom
from measures.workers import Authorship, Ratings, editor_quality, rater_deviation, text_quality

__all__ = [
    "RULE_VERSION",
    "Authorship",
    "Cut",
    "Order",
    "Outcome",
    "Ratings",
    "RoleOutcome",
    "RuleParameters",
    "apply_rule",
    "bottom",
    "editor_quality",
    "rater_deviation",
    "text_quality",
]

RULE_VERSION = "bottom-share/1"
"""Stored with every decision; changes when the rule decides anything differently."""


class Order(StrEnum):
    """Which role the rule looks at first."""

    RATERS_FIRST = "raters first"
    EDITORS_FIRST = "editors first"


@dataclass(frozen=True)
class RuleParameters:
    """The parameters of the rule.

    Attributes
    ----------
    share : float, default 0.1
        Share of the eligible workers of each role that is removed, 0 to 1.
    min_items : int, default 5
        A worker with fewer items is not eligible, so never removed.
    order : Order, default Order.RATERS_FIRST
        The second role is judged on what the first cut leaves.

    Raises
    ------
    ValueError
        If a field is out of range; the message begins with its name.
    """

    share: float = 0.10
    min_items: int = 5
    order: Order = Order.RATERS_FIRST

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise ValueError(f"share must be between 0 and 1, not {self.share}")
        if self.min_items < 1:
            raise ValueError(f"min_items must be at least 1, not {self.min_items}")
        if not isinstance(self.order, Order):
            raise ValueError(f"order must be an Order, not {self.order!r}")


@dataclass(frozen=True, eq=False)
class RoleOutcome:
    """What the rule says of the w workers of one role.

    Attributes
    ----------
    quality : FloatArray of shape (w,)
        Quality of editors, deviation of raters, in points; NaN where unknown.
    items : IntArray of shape (w,)
        Number of texts or ratings that the quality rests on.
    removed : BoolArray of shape (w,)
        Who is removed.
    reasons : tuple of str, of length w
        Why, in words.
    cut : Cut
        Where the cut was made.
    """

    quality: FloatArray
    items: IntArray
    removed: BoolArray
    reasons: tuple[str, ...]
    cut: Cut


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


def apply_rule(
    ratings: Ratings,
    authorship: Authorship,
    *,
    rater_ids: npt.ArrayLike,
    editor_ids: npt.ArrayLike,
    n_texts: int,
    parameters: RuleParameters,
    unknown_raters: npt.ArrayLike | None = None,
) -> Outcome:
    """Remove the worst raters and editors.

    Source: Toutanova et al. 2016, §3.1. The paper removes the bottom 10% of the editors with their
    compressions and "the same" of the raters, and does not say in which order.

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
    parameters : RuleParameters
        Share, least number of items, order.
    unknown_raters : array_like of shape (n_raters,), optional
        Raters of whom one rating is known and not whose it is: their ratings count, and they are not judged.

    Returns
    -------
    Outcome
        Who is removed and why, and what remains.

    Raises
    ------
    ValueError
        If a text, rater or editor is out of range.

    Examples
    --------
    >>> scores = np.column_stack([[3.0, 3.0, 1.0, 1.0, 2.0, 3.0], np.full(6, 2.0)])
    >>> ratings = Ratings(np.repeat([0, 1], 3), np.tile([0, 1, 2], 2), scores)
    >>> outcome = apply_rule(ratings, Authorship(np.array([0, 1]), np.array([0, 1])), rater_ids=[7, 8, 9],
    ...                      editor_ids=[5, 6], n_texts=2, parameters=RuleParameters(share=0.5, min_items=1))
    >>> outcome.raters.reasons[2]
    'deviation 0.88 over 2 ratings is among the highest 1 of 3'
    >>> outcome.editors.removed, outcome.kept_text
    (array([False,  True]), array([ True, False]))
    """
    of_raters, of_editors = np.asarray(rater_ids), np.asarray(editor_ids)
    unknown = np.zeros(len(of_raters), np.bool_) if unknown_raters is None else np.asarray(unknown_raters, np.bool_)
    if parameters.order is Order.RATERS_FIRST:
        raters = _judge_raters(ratings, n_texts, of_raters, unknown, parameters)
        of_kept_rater = ~raters.removed[ratings.rater]
        editors = _judge_editors(_select(ratings, of_kept_rater), authorship, n_texts, of_editors, parameters)
        kept_text = _texts_left(authorship, editors.removed, n_texts)
    else:
        editors = _judge_editors(ratings, authorship, n_texts, of_editors, parameters)
        kept_text = _texts_left(authorship, editors.removed, n_texts)
        left = _select(ratings, kept_text[ratings.text])
        raters = _judge_raters(left, n_texts, of_raters, unknown, parameters)
    kept_rating = ~raters.removed[ratings.rater] & kept_text[ratings.text]
    return Outcome(raters=raters, editors=editors, kept_rating=kept_rating, kept_text=kept_text)


def _select(ratings: Ratings, rows: BoolArray) -> Ratings:
    return Ratings(ratings.text[rows], ratings.rater[rows], ratings.scores[rows])


def _texts_left(authorship: Authorship, removed: BoolArray, n_texts: int) -> BoolArray:
    kept = np.ones(n_texts, dtype=np.bool_)
    kept[authorship.text] = False
    kept[authorship.text[~removed[authorship.editor]]] = True
    return kept


def _judge_raters(
    ratings: Ratings, n_texts: int, ids: npt.NDArray[Any], unknown: BoolArray, parameters: RuleParameters
) -> RoleOutcome:
    deviation, items = rater_deviation(ratings, n_texts, len(ids))
    return _role_outcome(deviation, np.where(unknown, 0, items), ids, parameters, smallest_is_worst=False)


def _judge_editors(
    ratings: Ratings, authorship: Authorship, n_texts: int, ids: npt.NDArray[Any], parameters: RuleParameters
) -> RoleOutcome:
    quality, items = editor_quality(ratings, authorship, n_texts, len(ids))
    return _role_outcome(quality, items, ids, parameters, smallest_is_worst=True)


def _role_outcome(
    quality: FloatArray,
    items: IntArray,
    ids: npt.NDArray[Any],
    parameters: RuleParameters,
    *,
    smallest_is_worst: bool,
) -> RoleOutcome:
    share, min_items = parameters.share, parameters.min_items
    cut = bottom(quality, items, ids, share=share, min_items=min_items, smallest_is_worst=smallest_is_worst)
    removed = np.zeros(len(quality), dtype=np.bool_)
    removed[cut.removed] = True
    wording = (
        "quality {:.2f} over {} texts is among the lowest {} of {}"
        if smallest_is_worst
        else "deviation {:.2f} over {} ratings is among the highest {} of {}"
    )
    reasons = ["kept"] * len(quality)
    for worker in np.flatnonzero(items < min_items):
        reasons[worker] = f"not eligible: {items[worker]} items, {min_items} wanted"
    for worker in cut.removed:
        reasons[worker] = wording.format(quality[worker], items[worker], len(cut.removed), cut.eligible)
    return RoleOutcome(quality=quality, items=items, removed=removed, reasons=tuple(reasons), cut=cut)

"""The answers of one rater in the order of work."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.rating_scale import DECIMALS, rescaled


@dataclass(frozen=True, eq=False)
class RaterWork:
    """Answers of one rater to n texts in the order of work, with those of the other raters.

    Attributes
    ----------
    scores : FloatArray of shape (n, s)
        The answers in points, whole numbers, higher is better; one column per scale.
    others : FloatArray of shape (n, s)
        Mean of the other raters' scores of the same text (see `others_means`); a row of NaN where nobody
        else rated it.
    milliseconds : FloatArray of shape (n,)
        Time from showing the text to the answer, NaN where unknown.
    words : IntArray of shape (n,)
        Number of words shown, source and compression together.
    points : tuple of int, of length s
        Number of points of each scale; scores range from 1 to this number.

    Raises
    ------
    ValueError
        If the shapes do not match or a value is out of range; the message begins with the name of the field.

    Examples
    --------
    >>> work = RaterWork(
    ...     scores=np.array([[3.0, 5.0], [2.0, 1.0]]),
    ...     others=np.array([[2.5, 4.5], [np.nan, np.nan]]),
    ...     milliseconds=np.array([9_000.0, np.nan]),
    ...     words=np.array([31, 40]),
    ...     points=(3, 5),
    ... )
    >>> work.shared, work.on_common_scale()
    (array([ True, False]), (array([[3., 3.]]), array([[2.5 , 2.75]])))
    """

    scores: FloatArray
    others: FloatArray
    milliseconds: FloatArray
    words: IntArray
    points: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.points or min(self.points) < 2:
            raise ValueError(f"points must be at least 2 for each scale, and one scale at least, not {self.points}")
        n, s = len(self.scores), len(self.points)
        for name, expected in {"scores": (n, s), "others": (n, s), "milliseconds": (n,), "words": (n,)}.items():
            if (shape := getattr(self, name).shape) != expected:
                raise ValueError(f"{name} must be of shape {expected}, not {shape}")
        self._check_values()

    def _check_values(self) -> None:
        known = ~np.isnan(self.others)
        others = np.round(self.others, DECIMALS)
        wrong = {
            "scores must be whole numbers": self.scores != np.round(self.scores),
            "scores must lie between 1 and the points of their scale": (self.scores < 1) | (self.scores > self.points),
            "others must be known for all scales of a text, or for none": known.any(axis=1) != known.all(axis=1),
            "others must lie between 1 and the points of their scale": (others < 1) | (others > self.points),
            "milliseconds must be finite and not below 0": (self.milliseconds < 0) | np.isinf(self.milliseconds),
            "words must not be below 0": self.words < 0,
        }
        for message, where in wrong.items():
            if where.any():
                raise ValueError(message)

    @property
    def shared(self) -> BoolArray:
        """Mask of the texts, of shape (n,), that others rated too."""
        return np.asarray(~np.isnan(self.others[:, 0]))

    @property
    def disagreed(self) -> BoolArray:
        """Mask of the texts, of shape (n,), on which the others' mean, rounded half up, differs on some scale."""
        rounded = np.floor(np.round(self.others, DECIMALS) + 0.5)
        return np.asarray(self.shared & (rounded != self.scores).any(axis=1))

    def on_common_scale(self) -> tuple[FloatArray, FloatArray]:
        """Return own and others' scores of the shared texts on scales of 3 points, each of shape (shared, s)."""
        shared = self.shared
        return rescaled(self.scores[shared], self.points), rescaled(self.others[shared], self.points)

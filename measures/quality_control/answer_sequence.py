"""The answers of one rater in the order of work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.rating_scale import DECIMALS, rescaled


@dataclass(frozen=True, eq=False)
class RaterWork:
    """Answers of one rater to n texts in the order of work, with those of the other raters and those known right.

    Attributes
    ----------
    scores : FloatArray of shape (n, s)
        The answers in points, whole numbers, higher is better; one column per scale.
    others : FloatArray of shape (n, s)
        Mean of the other raters' scores of the same text (see `others_means`); a row of NaN where nobody
        else rated it, as with gold questions.
    accepted : BoolArray of shape (n, s, p)
        Gold questions: whether each of the points 1 to p is right, on each scale; p is that of the longest scale.
        False throughout for all other texts.
    milliseconds : FloatArray of shape (n,)
        Time that each text took, NaN where unknown (see `answer_times`).
    words : IntArray of shape (n,)
        Number of words shown, source and compression together.
    length_ratio : FloatArray of shape (n,)
        Characters of the compression over those of its source.
    full_stop : BoolArray of shape (n,)
        Whether the compression ends with a sign that ends a sentence.
    points : tuple of int, of length s
        Number of points of each scale; scores range from 1 to this number.

    Raises
    ------
    ValueError
        If the shapes do not match or a value is out of range; the message begins with the name of the field.

    Examples
    --------
    >>> work = RaterWork.of([[3, 5], [2, 1]], [[2.5, 4.5], None], gold={1: ([3], [1, 2])}, points=(3, 5))
    >>> work.shared, work.is_gold
    (array([ True, False]), array([False,  True]))
    >>> work.beside_known()
    (array([[3., 3.],
           [2., 1.]]), array([[2.5 , 2.75],
           [3.  , 1.25]]))
    """

    scores: FloatArray
    others: FloatArray
    accepted: BoolArray
    milliseconds: FloatArray
    words: IntArray
    length_ratio: FloatArray
    full_stop: BoolArray
    points: tuple[int, ...]

    @classmethod
    def of(
        cls,
        scores: npt.ArrayLike,
        others: Sequence[Sequence[float] | None] | None = None,
        *,
        gold: Mapping[int, Sequence[Sequence[int]]] | None = None,
        milliseconds: npt.ArrayLike = np.nan,
        words: npt.ArrayLike = 30,
        length_ratio: npt.ArrayLike = 0.7,
        full_stop: npt.ArrayLike = True,
        points: tuple[int, ...] | None = None,
    ) -> RaterWork:
        """Return the work with these answers; what is not given is unknown, or the same for all texts.

        Parameters
        ----------
        scores : array_like of shape (n, s)
            The answers.
        others : sequence, optional
            For each text the others' means, or None where nobody else rated it; by default nobody did.
        gold : mapping, optional
            The right points on each scale, by the row of a gold question.
        milliseconds, words, length_ratio, full_stop : array_like of shape (n,) or one value
            As the attributes.
        points : tuple of int, optional
            Number of points of each scale, by default 3.

        Returns
        -------
        RaterWork
            With arrays of the right types.

        Examples
        --------
        >>> RaterWork.of([[3, 1], [1, 3]], gold={0: ([2], [1])}).off
        array([[ 1.,  0.],
               [nan, nan]])
        """
        own = np.array(scores, dtype=np.float64)
        n, s = own.shape
        lengths = points or (3,) * s
        known = np.full((n, s), np.nan)
        for row, means in enumerate(others or ()):
            known[row] = np.nan if means is None else means
        accepted = np.zeros((n, s, max(lengths, default=0)), dtype=bool)
        for row, right in (gold or {}).items():
            for column, each in enumerate(right):
                accepted[row, column, np.array(each) - 1] = True
        return cls(
            own,
            known,
            accepted,
            np.full(n, milliseconds, dtype=np.float64),
            np.full(n, words, dtype=np.int64),
            np.full(n, length_ratio, dtype=np.float64),
            np.full(n, full_stop, dtype=bool),
            lengths,
        )

    def __post_init__(self) -> None:
        if not self.points or min(self.points) < 2:
            raise ValueError(f"points must be at least 2 for each scale, and one scale at least, not {self.points}")
        n, s = len(self.scores), len(self.points)
        of_each = dict.fromkeys(("milliseconds", "words", "length_ratio", "full_stop"), (n,))
        shapes = {"scores": (n, s), "others": (n, s), "accepted": (n, s, max(self.points)), **of_each}
        for name, expected in shapes.items():
            if (shape := getattr(self, name).shape) != expected:
                raise ValueError(f"{name} must be of shape {expected}, not {shape}")
        self._check_values()

    def _check_values(self) -> None:
        known = ~np.isnan(self.others)
        others = np.round(self.others, DECIMALS)
        beyond = np.arange(1, max(self.points) + 1) > np.array(self.points)[:, None]
        right = np.asarray(self.accepted.any(axis=2))
        wrong = {
            "scores must be whole numbers": self.scores != np.round(self.scores),
            "scores must lie between 1 and the points of their scale": (self.scores < 1) | (self.scores > self.points),
            "others must be known for all scales of a text, or for none": known.any(axis=1) != known.all(axis=1),
            "others must lie between 1 and the points of their scale": (others < 1) | (others > self.points),
            "others must be unknown of gold questions": known.any(axis=1) & right.any(axis=1),
            "accepted must have a point on all scales of a text, or on none": right.any(axis=1) != right.all(axis=1),
            "accepted must lie between 1 and the points of their scale": self.accepted & beyond,
            "milliseconds must be finite and not below 0": (self.milliseconds < 0) | np.isinf(self.milliseconds),
            "words must not be below 0": self.words < 0,
            "length_ratio must be finite and not below 0": ~(self.length_ratio >= 0) | np.isinf(self.length_ratio),
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

    @property
    def is_gold(self) -> BoolArray:
        """Mask of the gold questions, of shape (n,)."""
        return np.asarray(self.accepted.any(axis=(1, 2)))

    @property
    def off(self) -> FloatArray:
        """Points between each answer to gold and the nearest right one, on scales of 3 points; NaN for other texts."""
        p = np.arange(1, max(self.points) + 1)
        away = np.where(self.accepted, np.abs(self.scores[:, :, None] - p), np.inf).min(axis=2)
        return np.asarray(np.where(self.is_gold[:, None], away, np.nan) * 2 / (np.array(self.points) - 1))

    def on_common_scale(self) -> tuple[FloatArray, FloatArray]:
        """Return own and others' scores of the shared texts on scales of 3 points, each of shape (shared, s)."""
        shared = self.shared
        return rescaled(self.scores[shared], self.points), rescaled(self.others[shared], self.points)

    def beside_known(self) -> tuple[FloatArray, FloatArray]:
        """Return own scores and what they should be near, each of shape (n, s), on scales of 3 points.

        That is the others' mean, of gold questions the mean of the right points; NaN where neither is known.
        """
        counts = self.accepted.sum(axis=2)
        sums = self.accepted @ np.arange(1.0, max(self.points) + 1)
        right = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
        known = np.where(self.is_gold[:, None], right, self.others)
        return rescaled(self.scores, self.points), rescaled(known, self.points)

"""Input tables of quality control: ratings and authorship."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from measures.core.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Ratings:
    """A table of ratings, one row per rating.

    Attributes
    ----------
    text : IntArray of shape (n,)
        The rated text, 0 to n_texts - 1. Identical compressions of one source are one text.
    rater : IntArray of shape (n,)
        The rater, 0 to n_raters - 1.
    scores : FloatArray of shape (n, s)
        The scores in points, higher is better; one column per scale, at least one.

    Raises
    ------
    ValueError
        If the columns differ in length, `scores` is not of shape (n, s) with s >= 1, or a score is not finite.

    Examples
    --------
    >>> Ratings(np.array([0, 0]), np.array([0, 1]), np.array([[3.0, 2.0], [2.0, 2.0]])).scores.shape
    (2, 2)
    """

    text: IntArray
    rater: IntArray
    scores: FloatArray

    def __post_init__(self) -> None:
        if {self.text.shape, self.rater.shape} != {(len(self.text),)}:
            raise ValueError("the columns of ratings differ in shape")
        shape = self.scores.shape
        if len(shape) != 2:
            raise ValueError(f"scores must have a row for each rating and a column for each scale, not shape {shape}")
        if shape[1] == 0:
            raise ValueError("scores must have at least one column")
        if shape[0] != len(self.text):
            raise ValueError(f"scores must have a row for each of the {len(self.text)} ratings, not {shape[0]} rows")
        if not np.isfinite(self.scores).all():
            raise ValueError("scores must be finite numbers")


@dataclass(frozen=True, eq=False)
class Authorship:
    """Authors of the texts, one row per pair of text and editor. System outputs have no row.

    Attributes
    ----------
    text : IntArray of shape (a,)
        The text, 0 to n_texts - 1.
    editor : IntArray of shape (a,)
        The editor, 0 to n_editors - 1.

    Raises
    ------
    ValueError
        If the columns differ in length.
    """

    text: IntArray
    editor: IntArray

    def __post_init__(self) -> None:
        if {self.text.shape, self.editor.shape} != {(len(self.text),)}:
            raise ValueError("the columns of authorship differ in shape")


def check_range(name: str, index: IntArray, size: int) -> None:
    """Check that indices lie in a range.

    Parameters
    ----------
    name : str
        What the indices refer to, for the error message.
    index : IntArray of shape (n,)
        The indices.
    size : int
        Number of valid indices.

    Raises
    ------
    ValueError
        If an index lies outside 0 to size - 1.

    Examples
    --------
    >>> check_range("text", np.array([0, 2]), size=2)
    Traceback (most recent call last):
    ValueError: text out of range 0 to 1
    """
    if ((index < 0) | (index >= size)).any():
        raise ValueError(f"{name} out of range 0 to {size - 1}")

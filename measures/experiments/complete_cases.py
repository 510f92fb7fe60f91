"""The people with a score under every condition, whom paired comparisons take."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined

FEW_PEOPLE = Undefined("fewer than 2 people have a score under every condition")
FEW_CONDITIONS = Undefined("fewer than 2 conditions")


class CompleteCases(NamedTuple):
    """A table of people by conditions without gaps.

    Attributes
    ----------
    scores : FloatArray of shape (n, c)
        The scores of the people who have all of them.
    left_out : int
        Number of people who lack one.
    """

    scores: FloatArray
    left_out: int


def complete_cases(scores: npt.ArrayLike) -> CompleteCases | Undefined:
    """Leave out the people who lack a score.

    Parameters
    ----------
    scores : array_like of shape (n, c)
        Scores of people (or texts, or judges) under conditions; NaN where missing.

    Returns
    -------
    CompleteCases or Undefined
        Undefined with fewer than 2 conditions or complete people.

    Raises
    ------
    ValueError
        If the table is not two-dimensional, or a score is infinite.

    Examples
    --------
    >>> complete_cases([[1, 2], [3, np.nan], [5, 6]]).left_out
    1
    """
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2:
        raise ValueError(f"a table of people by conditions, not of shape {table.shape}")
    if np.isinf(table).any():
        raise ValueError("scores must be finite or NaN")
    if table.shape[1] < 2:
        return FEW_CONDITIONS
    whole = ~np.isnan(table).any(axis=1)
    if int(whole.sum()) < 2:
        return FEW_PEOPLE
    return CompleteCases(table[whole], int((~whole).sum()))

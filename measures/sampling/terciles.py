"""Terciles: three parts of a table with about equally many rows."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from measures.core.arrays import BoolArray, IntArray

Part: TypeAlias = tuple[str, BoolArray]
"""Label of a part, and a mask of its rows."""


def thirds(words: IntArray) -> list[Part]:
    """Divide rows into terciles by their number of words.

    Rows with equally many words are in the same part, so there may be fewer than three parts.

    Parameters
    ----------
    words : IntArray of shape (n,)
        Number of words of each row.

    Returns
    -------
    list of (str, BoolArray of shape (n,))
        Label and mask of each non-empty part, from short to long.

    Examples
    --------
    >>> [(label, int(mask.sum())) for label, mask in thirds(np.array([5, 5, 8, 9, 12, 20]))]
    [('up to 5 words', 2), ('6 to 9 words', 2), ('more than 9 words', 2)]
    """
    if not len(words):
        return []
    low, high = (int(edge) for edge in np.quantile(words, [1 / 3, 2 / 3], method="lower"))
    parts = [
        (f"up to {low} words", words <= low),
        (f"{low + 1} to {high} words" if high > low + 1 else f"{high} words", (words > low) & (words <= high)),
        (f"more than {high} words", words > high),
    ]
    return [(name, chosen) for name, chosen in parts if chosen.any()]

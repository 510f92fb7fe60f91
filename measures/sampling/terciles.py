"""Parts of a table with about as many rows each."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from measures.core.arrays import BoolArray, IntArray

Part: TypeAlias = tuple[str, BoolArray]


def thirds(words: IntArray) -> list[Part]:
    """Three parts of about as many rows, or fewer; those of the same length are in the same part."""
    if not len(words):
        return []
    low, high = (int(edge) for edge in np.quantile(words, [1 / 3, 2 / 3], method="lower"))
    parts = [
        (f"up to {low} words", words <= low),
        (f"{low + 1} to {high} words" if high > low + 1 else f"{high} words", (words > low) & (words <= high)),
        (f"more than {high} words", words > high),
    ]
    return [(name, chosen) for name, chosen in parts if chosen.any()]

"""Batches of examples of similar length."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from measures.core.arrays import IntArray


def batched(lengths: Sequence[int], bounds: Sequence[int], size: int, rng: np.random.Generator) -> list[IntArray]:
    """Draw batches of examples of similar length.

    Parameters
    ----------
    lengths : sequence of int
        Words of each example.
    bounds : sequence of int
        Most words of each group of similar length, in order; longer examples are left out.
    size : int
        Examples of a batch.
    rng : numpy.random.Generator
        Draws.

    Returns
    -------
    list of IntArray
        Places of the examples of each batch.
    """
    sizes = np.array(lengths)
    batches: list[IntArray] = []
    for least, most in zip((0, *bounds), bounds, strict=False):
        places = rng.permutation(np.flatnonzero((sizes > least) & (sizes <= most)))
        batches += [places[start : start + size] for start in range(0, len(places), size)]
    return [batches[place] for place in rng.permutation(len(batches))]

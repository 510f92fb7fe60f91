"""Which outputs a permutation test of two metrics swaps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

import numpy as np

from measures.core.arrays import BoolArray

Unit: TypeAlias = Literal["both", "inputs", "systems"]
"""Swap each output by itself, all outputs of an input together, or all outputs of a system together."""


def is_enumerated(unit: Unit, systems: int, inputs: int, draws: int) -> bool:
    """Tell whether all swaps are taken: there are no more of them than draws.

    Parameters
    ----------
    unit : {"both", "inputs", "systems"}
        What is swapped together.
    systems, inputs, draws : int
        Their numbers.

    Returns
    -------
    bool
        Whether `swaps` yields each possible swap once, the one that swaps nothing among them.

    Examples
    --------
    >>> is_enumerated("systems", 4, 785, 1000), is_enumerated("both", 4, 785, 1000)
    (True, False)
    """
    return _units(unit, systems, inputs) < 63 and 2 ** _units(unit, systems, inputs) <= draws


def swaps(unit: Unit, systems: int, inputs: int, *, draws: int, seed: int, block: int = 256) -> Iterator[BoolArray]:
    """Yield which outputs keep their scores, in blocks of swaps.

    Parameters
    ----------
    unit : {"both", "inputs", "systems"}
        What is swapped together.
    systems, inputs : int
        Their numbers.
    draws : int
        Number of seeded swaps; all possible ones if they are no more.
    seed : int
        Seed of the draws.
    block : int
        Swaps to yield at a time.

    Yields
    ------
    BoolArray of shape (block, systems, inputs)
        False where the two metrics exchange their scores of an output.

    Raises
    ------
    ValueError
        If there is less than one draw.

    Examples
    --------
    >>> next(swaps("systems", 2, 2, draws=4, seed=1)).astype(int).tolist()
    [[[0, 0], [0, 0]], [[1, 1], [0, 0]], [[0, 0], [1, 1]], [[1, 1], [1, 1]]]
    """
    if draws < 1:
        raise ValueError(f"draws must be at least 1, not {draws}")
    width, rng = _units(unit, systems, inputs), np.random.default_rng(seed)
    enumerated = is_enumerated(unit, systems, inputs, draws)
    number = 2**width if enumerated else draws
    shape = {"both": (systems, inputs), "inputs": (1, inputs), "systems": (systems, 1)}[unit]
    for start in range(0, number, block):
        stop = min(start + block, number)
        if enumerated:
            bits = np.arange(start, stop)[:, None] >> np.arange(width) & 1 == 1
        else:
            bits = rng.integers(0, 2, (stop - start, width), dtype=np.int8) == 1
        yield np.broadcast_to(np.asarray(bits).reshape(-1, *shape), (stop - start, systems, inputs))


def _units(unit: Unit, systems: int, inputs: int) -> int:
    return {"both": systems * inputs, "inputs": inputs, "systems": systems}[unit]

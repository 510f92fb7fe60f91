"""Input-level correlations of every metric with the scores of every other swapped in, and which outputs are swapped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from measures.core.arrays import BoolArray, FloatArray, IntArray

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
        Whether each possible swap is taken once, the one that swaps nothing among them.

    Examples
    --------
    >>> is_enumerated("systems", 4, 785, 1000), is_enumerated("both", 4, 785, 1000)
    (True, False)
    """
    return _units(unit, systems, inputs) < 63 and 2 ** _units(unit, systems, inputs) <= draws


def swaps(unit: Unit, systems: int, inputs: int, *, draws: int, seed: int, block: int = 256) -> Iterator[BoolArray]:
    """Yield which outputs keep their scores, in blocks of swaps: of each swap and its complement, one.

    What the complement would give is the mirror image: the two metrics change their parts, and their difference its
    sign. Under the null hypothesis both are as likely, so one swap tells of two.

    Parameters
    ----------
    unit : {"both", "inputs", "systems"}
        What is swapped together.
    systems, inputs : int
        Their numbers.
    draws : int
        Number of seeded swaps, complements included, an odd number counting as the next even one; all possible swaps
        if they are no more.
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
    [[[0, 0], [0, 0]], [[1, 1], [0, 0]]]
    """
    if draws < 1:
        raise ValueError(f"draws must be at least 1, not {draws}")
    width, rng = _units(unit, systems, inputs), np.random.default_rng(seed)
    enumerated = is_enumerated(unit, systems, inputs, draws)
    # The complement of the first of all swaps is the last, and so on.
    number = ((2**width if enumerated else draws) + 1) // 2
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


Floats = npt.NDArray[np.floating]


# A spread of less than this share of the largest score is a rounding error.
_CONSTANT = 1e-9
# Of the sums, and of the squares of either metric.
_MORE_ROWS = 3


@dataclass(frozen=True)
class PairOfSystems:
    """What the sums of swapped scores of two systems are made from.

    Attributes
    ----------
    systems : tuple of int
        The two systems.
    places : IntArray of shape (inputs,)
        Inputs they are compared on.
    first, second : array of shape (inputs, metrics)
        Scores of each, an input's side by side.
    quality : array of shape (inputs,)
        Centred differences in quality, of length 1.
    scored : BoolArray of shape (metrics,)
        Which metrics have values for the two systems.
    """

    systems: tuple[int, int]
    places: IntArray
    first: Floats
    second: Floats
    quality: Floats
    scored: BoolArray

    @classmethod
    def of(
        cls,
        z: FloatArray,
        quality: FloatArray,
        systems: tuple[int, int],
        places: IntArray,
        scored: BoolArray,
        dtype: np.dtype[np.floating],
    ) -> PairOfSystems:
        """Take the scores of two systems from those of all, shape (metrics, systems, inputs)."""
        first, second = (np.ascontiguousarray(z[:, each, places].T, dtype=dtype) for each in systems)
        length = np.sqrt((quality**2).sum())
        return cls(systems, places, first, second, np.asarray(quality / length, dtype=dtype), scored)


def swapped_correlations(
    pairs: list[PairOfSystems], kept: BoolArray, metrics: int, dtype: np.dtype[np.floating]
) -> Floats:
    """Return for each swap the mean correlation over pairs of systems, NaN where no pair of systems has one.

    Let w be 1 where an output keeps its score. Sums of the scores, of their squares and of their products with the
    quality are sums of a part of i and a part of j, and come from products of w with single metrics. So do products of
    two systems' scores where both or neither are swapped. A pair of systems is taken at a time, with all swaps, so that
    its scores stay near the processor.

    Parameters
    ----------
    pairs : list of PairOfSystems
        The pairs of systems.
    kept : BoolArray of shape (swaps, systems, inputs)
        False where an output's scores are swapped.
    metrics : int
        Number of metrics.
    dtype : dtype
        Precision.

    Returns
    -------
    array of shape (swaps, metrics, metrics)
        Row i, column j is metric i with the scores of j swapped in, over the pairs of systems that both have values
        for.

    Examples
    --------
    >>> kept = np.array([[[True, False]]])
    >>> swapped_correlations([], kept, 1, np.dtype(np.float64)).tolist()
    [[[nan]]]
    """
    total = np.zeros((len(kept), metrics, metrics), dtype=dtype)
    defined = np.zeros(total.shape, dtype=np.int32)
    for pair in pairs:
        parts = _Parts.of(pair, kept[:, pair.systems][:, :, pair.places], dtype)
        for swap in range(len(kept)):
            parts.add(swap, total[swap], defined[swap])
    return np.where(defined > 0, total / np.maximum(defined, 1), np.nan).astype(dtype, copy=False)


@dataclass(frozen=True)
class _Parts:
    """Sums of all swaps that need one metric, each of shape (swaps, metrics): of the row's and of the column's part.

    `spread` is what the sum of squares about the mean has of each part. `row`, `column` and `cross` are kept from swap
    to swap: the two sides of the product, with three rows more, and the product.
    """

    pair: PairOfSystems
    kept: BoolArray
    sums: tuple[Floats, Floats]
    spread: tuple[Floats, Floats]
    products: tuple[Floats, Floats]
    row: Floats
    column: Floats
    cross: Floats

    @classmethod
    def of(cls, pair: PairOfSystems, kept: BoolArray, dtype: np.dtype[np.floating]) -> _Parts:
        a, b = kept[:, 0].astype(dtype), kept[:, 1].astype(dtype)
        x, y, q = pair.first, pair.second, pair.quality[:, None]
        n, metrics = x.shape
        sums = a @ x - b @ y
        products = a @ (x * q) - b @ (y * q)
        mixed = x * y
        own = a @ (x * x) + b @ (y * y) - 2 * ((a * b) @ mixed)
        other = (1 - a) @ (x * x) + (1 - b) @ (y * y) - 2 * (((1 - a) * (1 - b)) @ mixed)
        others, product = (x - y).sum(axis=0) - sums, ((x - y) * q).sum(axis=0)
        row, column = np.empty((2, n + _MORE_ROWS, metrics), dtype=x.dtype)
        return cls(
            pair,
            kept,
            (sums, others),
            (own - sums * sums / n, other - others * others / n),
            (products, product - products),
            row,
            column,
            np.empty((metrics, metrics), dtype=x.dtype),
        )

    def add(self, swap: int, total: Floats, defined: IntArray) -> None:
        """Add the correlations of a swap, and count where a difference has spread."""
        spread = self._spread(swap)
        least = len(self.pair.places) * (1e-4 if spread.dtype == np.float32 else 1e-12)
        there = spread > least
        if not self.pair.scored.all():
            there &= self.pair.scored[:, None] & self.pair.scored
        np.maximum(spread, least, out=spread)
        np.sqrt(spread, out=spread)
        r = self.products[0][swap][:, None] + self.products[1][swap]
        r /= spread
        r *= there
        total += r
        defined += there

    def _spread(self, swap: int) -> Floats:
        """Return the sums of squares of the differences about their means, of shape (metrics, metrics)."""
        a, b = self.kept[swap]
        x, y = self.pair.first, self.pair.second
        # Where one of the two outputs is swapped, its score is the column's and the other's the row's.
        only_a, only_b = np.flatnonzero(a & ~b), np.flatnonzero(b & ~a)
        first, both = len(only_a), len(only_a) + len(only_b)
        for side, of_a, of_b in ((self.row, x, y), (self.column, y, x)):
            np.take(of_a, only_a, axis=0, out=side[:first], mode="clip")
            np.take(of_b, only_b, axis=0, out=side[first:both], mode="clip")
        # What has one metric alone joins the product: minus half of it, times 1; and so does the product of the sums.
        last = slice(both, both + _MORE_ROWS)
        self.row[last] = self.sums[0][swap] / len(self.pair.places), self.spread[0][swap] / -2, self._ones
        self.column[last] = self.sums[1][swap], self._ones, self.spread[1][swap] / -2
        spread = np.matmul(self.row[: last.stop].T, self.column[: last.stop], out=self.cross)
        spread *= -2
        return spread

    @property
    def _ones(self) -> Floats:
        return np.ones(self.cross.shape[0], dtype=self.cross.dtype)


def standardised(scores: FloatArray, used: BoolArray) -> FloatArray:
    """Standardise each metric over the outputs that are used and have it; the others, and constant metrics, become 0.

    Parameters
    ----------
    scores : FloatArray of shape (metrics, systems, inputs)
        Scores.
    used : BoolArray of shape (systems, inputs)
        Which outputs count.

    Returns
    -------
    FloatArray of shape (metrics, systems, inputs)
        Z-scores.

    Examples
    --------
    >>> standardised(np.array([[[1.0, 3.0, 9.0]]]), np.array([[True, True, False]])).tolist()
    [[[-1.0, 1.0, 0.0]]]
    """
    there = used & np.isfinite(scores)
    known = np.where(there, scores, 0.0)
    number = np.maximum(1, there.sum(axis=(1, 2), keepdims=True))
    centred = np.where(there, known - known.sum(axis=(1, 2), keepdims=True) / number, 0.0)
    spread = np.sqrt((centred**2).sum(axis=(1, 2), keepdims=True) / number)
    varies = spread > _CONSTANT * np.maximum(1, np.abs(known).max(axis=(1, 2), initial=0, keepdims=True))
    return np.asarray(np.where(varies, centred / np.where(varies, spread, 1), 0.0), dtype=np.float64)

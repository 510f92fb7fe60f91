"""Permutation tests of a mean difference: the signs of the differences are turned."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from measures.core.arrays import FloatArray

MAX_ENUMERATED = 16
"""With no more inputs than these, all sign vectors are taken instead of draws."""

# Sums that differ by less are equal: they add the same numbers in another order.
_TOLERANCE = 1e-9
_BLOCK = 8_000_000


def sign_flip_shares(rows: FloatArray, *, draws: int = 1000, seed: int) -> FloatArray:
    """Return the share of sign vectors e with sum e d >= sum d, for each row d.

    Parameters
    ----------
    rows : FloatArray of shape (rows, inputs)
        Differences; 0 where one is missing.
    draws : int
        Number of vectors, the same for all rows; all of them with 16 inputs or fewer.
    seed : int
        Seed of the draws.

    Returns
    -------
    FloatArray of shape (rows,)
        The shares.

    Examples
    --------
    >>> sign_flip_shares(np.array([[2.0, 2.0, -1.0], [0.0, 0.0, 0.0]]), seed=1).tolist()
    [0.25, 1.0]
    """
    counts, total = np.zeros(len(rows), dtype=np.int64), 0
    limits = rows.sum(axis=1) - _slack(rows)
    for signs in _sign_vectors(rows.shape[1], draws, seed, max(1, _BLOCK // max(1, len(rows)))):
        counts += (signs @ rows.T >= limits).sum(axis=0)
        total += len(signs)
    return np.asarray(counts / total, dtype=np.float64)


def sign_flip_p(differences: FloatArray, *, draws: int = 1000, seed: int) -> FloatArray:
    """Test whether differences are 0 on average, two-sided.

    Parameters
    ----------
    differences : FloatArray of shape (..., inputs)
        NaN where one is missing.
    draws : int
        Number of vectors, the same for all rows; all of them with 16 inputs or fewer.
    seed : int
        Seed of the draws.

    Returns
    -------
    FloatArray of shape (...)
        p: the share of all sign vectors with a sum at least as far from 0; with draws (1 + #) / (1 + K). 1 if all
        differences are 0, NaN if all are missing.

    Raises
    ------
    ValueError
        If there is less than one draw.

    Examples
    --------
    >>> sign_flip_p(np.array([[1.0, 2, 3, 4, 5, np.nan], [0] * 6, [np.nan] * 6]), seed=1).tolist()
    [0.0625, 1.0, nan]
    """
    if draws < 1:
        raise ValueError(f"draws must be at least 1, not {draws}")
    known = ~np.isnan(differences)
    rows = np.where(known, differences, 0.0).reshape(-1, differences.shape[-1])
    counts, total = np.zeros(len(rows), dtype=np.int64), 0
    limits = np.abs(rows.sum(axis=1)) - _slack(rows)
    for signs in _sign_vectors(rows.shape[1], draws, seed, max(1, _BLOCK // max(1, len(rows)))):
        counts += (np.abs(signs @ rows.T) >= limits).sum(axis=0)
        total += len(signs)
    p = counts / total if rows.shape[1] <= MAX_ENUMERATED else (1 + counts) / (1 + total)
    return np.where(known.any(axis=-1), p.reshape(differences.shape[:-1]), np.nan)


def _slack(rows: FloatArray) -> FloatArray:
    return np.asarray(_TOLERANCE * np.maximum(np.abs(rows).sum(axis=1), 1), dtype=np.float64)


def _sign_vectors(inputs: int, draws: int, seed: int, block: int) -> Iterator[FloatArray]:
    enumerated = inputs <= MAX_ENUMERATED
    number = 2**inputs if enumerated else draws
    rng = np.random.default_rng(seed)
    for start in range(0, number, block):
        stop = min(start + block, number)
        if enumerated:
            bits = np.arange(start, stop)[:, None] >> np.arange(inputs) & 1
        else:
            bits = rng.integers(0, 2, (stop - start, inputs), dtype=np.int8)
        yield bits.astype(np.float64) * 2 - 1

"""Products of matrices of a hundred rows or so, many times over."""

from __future__ import annotations

import numpy as np

from measures.core.arrays import FloatArray

# OpenBLAS hands a product to several threads from this many multiplications on (interface/gemm.c: SMP_THRESHOLD_MIN
# times GEMM_MULTITHREAD_THRESHOLD). They wait for each other far longer than such a product takes wherever other
# processes are at work: 46 ms instead of .16 for 133 rows.
_OF_ONE_THREAD = 64**3
_ROWS = 16


def product(one: FloatArray, other: FloatArray) -> FloatArray:
    """Multiply two matrices in blocks that one thread works on.

    Parameters
    ----------
    one : FloatArray of shape (m, k)
        The first.
    other : FloatArray of shape (k, n)
        The second.

    Returns
    -------
    FloatArray of shape (m, n)
        Their product.

    Examples
    --------
    >>> product(np.array([[1.0, 2], [3, 4]]), np.array([[1.0], [1]])).tolist()
    [[3.0], [7.0]]
    """
    (m, k), n = one.shape, other.shape[1]
    if m * k * n <= _OF_ONE_THREAD:
        return np.asarray(one @ other)
    width = max(1, min(n, _OF_ONE_THREAD // (_ROWS * k)))
    rows = max(1, min(m, _OF_ONE_THREAD // (k * width)))
    found, whole = np.empty((m, n)), m // rows * rows
    blocks = found[:whole].reshape(-1, rows, n)
    for left in range(0, n, width):
        panel = other[:, left : left + width]
        np.matmul(one[:whole].reshape(-1, rows, k), panel, out=blocks[:, :, left : left + width])
        found[whole:, left : left + width] = one[whole:] @ panel
    return found

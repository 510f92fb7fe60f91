"""The minimum of a function of a few numbers, without derivatives and the same on every machine."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from measures.core.arrays import FloatArray

_STEPS = 400
_STEP = 0.5


def minimum(function: Callable[[FloatArray], float], start: FloatArray, *, tolerance: float = 1e-7) -> FloatArray:
    """Find a local minimum with a simplex that walks downhill.

    Source: Nelder and Mead 1965, "A simplex method for function minimization".

    Parameters
    ----------
    function : callable
        From an array of shape (k,) to a number.
    start : FloatArray of shape (k,)
        Where to begin.
    tolerance : float, default 1e-7
        Size of the simplex at which to stop.

    Returns
    -------
    FloatArray of shape (k,)
        The best point found in at most 400 steps.

    Examples
    --------
    >>> minimum(lambda at: float((at[0] - 1) ** 2 + at[1] ** 4), np.array([0.0, 1.0])).round(3)[0].item()
    1.0
    """
    points = np.vstack([start, start + _STEP * np.eye(len(start))])
    values = np.array([function(point) for point in points])
    for _ in range(_STEPS):
        order = np.argsort(values, kind="stable")
        points, values = points[order], values[order]
        if np.abs(points[1:] - points[0]).max() < tolerance:
            break
        _walk(function, points, values)
    best: FloatArray = points[int(np.argmin(values))]
    return best


def _walk(function: Callable[[FloatArray], float], points: FloatArray, values: FloatArray) -> None:
    """Move the worst point in place, or pull all points towards the best one."""
    centre, worst = points[:-1].mean(axis=0), points[-1].copy()
    tried = centre + (centre - worst)
    found = function(tried)
    if found < values[0]:
        further = centre + 2 * (centre - worst)
        value = function(further)
        points[-1], values[-1] = (further, value) if value < found else (tried, found)
        return
    if found >= values[-2]:
        tried = centre + (0.5 if found < values[-1] else -0.5) * (centre - worst)
        limit, found = min(found, values[-1]), function(tried)
        if found >= limit:
            points[1:] = points[0] + 0.5 * (points[1:] - points[0])
            values[1:] = [function(point) for point in points[1:]]
            return
    points[-1], values[-1] = tried, found

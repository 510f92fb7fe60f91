"""Work of one rater for the tests of what is flagged in it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray
from measures.quality_control.attention_flags import AttentionFlagName, AttentionThresholds, RaterWork, attention_flags

STRAIGHT, FAST, DISAGREES, DRIFTS = AttentionFlagName
UNKNOWN = float("nan")


def work(
    scores: npt.ArrayLike,
    others: npt.ArrayLike | None = None,
    *,
    milliseconds: npt.ArrayLike = UNKNOWN,
    words: npt.ArrayLike = 30,
    points: tuple[int, ...] | None = None,
) -> RaterWork:
    """Work with one scale for each column, of 3 points; nobody else rated, and no time is known."""
    own = np.array(scores, dtype=float)
    n, s = own.shape
    return RaterWork(
        scores=own,
        others=np.full((n, s), np.nan) if others is None else np.array(others, dtype=float),
        milliseconds=np.full(n, milliseconds, dtype=float),
        words=np.full(n, words, dtype=np.int64),
        points=points or (3,) * s,
    )


def flags(work: RaterWork, **thresholds: Any) -> dict[AttentionFlagName, str]:
    return {flag.name: flag.evidence for flag in attention_flags(work, AttentionThresholds(**thresholds))}


def column(values: Sequence[float]) -> FloatArray:
    return np.array(values, dtype=float)[:, None]

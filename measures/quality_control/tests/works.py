"""Work of one rater for the tests of what is flagged in it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray
from measures.quality_control.attention_flags import AttentionFlagName, AttentionThresholds, RaterWork, attention_flags

(GOLD, CONSTANT, STRAIGHT, DISAGREES, LENGTH, FULL_STOP, CHANGE, LATE, FAST, DRIFTS) = AttentionFlagName
UNKNOWN = float("nan")


def work(
    scores: npt.ArrayLike, others: npt.ArrayLike | None = None, gold: Mapping[int, Any] | None = None, **fields: Any
) -> RaterWork:
    """Work with one scale for each column, of 3 points; nobody else rated, and no time is known."""
    means = None if others is None else list(np.array(others, dtype=float))
    return RaterWork.of(scores, means, gold=gold, **fields)


def flags(work: RaterWork, **thresholds: Any) -> dict[AttentionFlagName, str]:
    return {flag.name: flag.evidence for flag in attention_flags(work, AttentionThresholds(**thresholds))}


def column(values: Sequence[float]) -> FloatArray:
    return np.array(values, dtype=float)[:, None]

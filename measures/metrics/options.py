"""What the paper leaves open, and what goes beyond it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

ReferenceChoice: TypeAlias = Literal["drawn", "first", "mean"]
"""Which reference stands for all in SINGLE-REF: one drawn by the seed, the first, or the mean over all of them."""

Smoothing: TypeAlias = Literal["exp", "floor", "add-k", "none"]
"""What becomes of an n-gram length without a match, by the names of sacrebleu."""

REFERENCE_CHOICES: tuple[ReferenceChoice, ...] = get_args(ReferenceChoice)
SMOOTHINGS: tuple[Smoothing, ...] = get_args(Smoothing)


@dataclass(frozen=True)
class Options:
    """The settings that some metrics depend on.

    Attributes
    ----------
    window : int
        Maximum number of words between the two words of a skip bigram.
    single : {"drawn", "first", "mean"}
        The reference of SINGLE-REF.
    seed : int
        Seed of the draws, from 0 to 2**32 - 1.
    smoothing : {"exp", "floor", "add-k", "none"}
        Smoothing of BLEU, by the names of sacrebleu.

    Raises
    ------
    ValueError
        If a setting is out of range.

    Examples
    --------
    >>> Options(single="first").window
    4
    """

    window: int = 4
    single: ReferenceChoice = "drawn"
    seed: int = 2016
    smoothing: Smoothing = "exp"

    def __post_init__(self) -> None:
        if self.window < 0 or self.seed < 0:
            raise ValueError("window and seed must not be negative")
        if self.seed >= 2**32:
            raise ValueError("seed must be below 2**32")
        if self.single not in REFERENCE_CHOICES:
            raise ValueError(f"single must be drawn, first or mean, not {self.single!r}")
        if self.smoothing not in SMOOTHINGS:
            raise ValueError(f"smoothing must be one of {', '.join(SMOOTHINGS)}, not {self.smoothing!r}")

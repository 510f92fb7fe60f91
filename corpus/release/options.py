"""The options of a release: splits and thresholds."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

# The sizes of Toutanova et al. 2016, §3.1, as proportions; its files call the development set "valid".
DEFAULT_SHARES: Mapping[str, float] = {"train": 4936, "valid": 448, "test": 785}
DEFAULT_SEED = 2016
SPLIT_NAMES = ("train", "valid", "test")


def splits_in_order(names: Iterable[str]) -> list[str]:
    """Sort split names: train, valid, test, then the splits of imported releases."""
    return sorted(names, key=lambda name: (SPLIT_NAMES.index(name) if name in SPLIT_NAMES else len(SPLIT_NAMES), name))


@dataclass(frozen=True)
class ReleaseOptions:
    """The options of a release. `sizes` fixes the numbers of sources of the splits that it names; the rest is train."""

    seed: int = DEFAULT_SEED
    shares: Mapping[str, float] = field(default_factory=lambda: dict(DEFAULT_SHARES))
    sizes: Mapping[str, int] | None = None
    min_ratings: int = 1
    min_compressions: int = 1

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise ValueError("seed must not be negative")
        if min(self.min_ratings, self.min_compressions) < 1:
            raise ValueError("min_ratings and min_compressions must be at least 1")
        if set(self.shares) - set(SPLIT_NAMES) or set(self.sizes or ()) - {"valid", "test"}:
            raise ValueError(f"the splits are {', '.join(SPLIT_NAMES)}; sizes are given for valid and test")
        if not all(math.isfinite(share) and share >= 0 for share in self.shares.values()) or not any(
            self.shares.values()
        ):
            raise ValueError("shares must be finite numbers from 0, and not all of them 0")
        if any(size < 0 for size in (self.sizes or {}).values()):
            raise ValueError("sizes must not be negative")

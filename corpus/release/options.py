"""The options of a release: splits and thresholds."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.errors import Refused

# The sizes of Toutanova et al. 2016, §3.1, as proportions; its files call the development set "valid".
DEFAULT_SHARES: Mapping[str, float] = {"train": 4936, "valid": 448, "test": 785}
DEFAULT_SEED = 2016
MAX_SEED, MAX_LEAST = 2**31 - 1, 50
"""What pages and programs may ask for at most: as the seed, and as the minimum of ratings or compressions."""
SPLIT_NAMES = ("train", "valid", "test")


def splits_in_order(names: Iterable[str]) -> list[str]:
    """Sort split names: train, valid, test, then the splits of imported releases."""
    return sorted(names, key=lambda name: (SPLIT_NAMES.index(name) if name in SPLIT_NAMES else len(SPLIT_NAMES), name))


@dataclass(frozen=True)
class ReleaseOptions:
    """The options of a release. `sizes` fixes the numbers of sources of the splits that it names; the rest is train.

    With `min_ratings` of 0, people's texts without a rating are kept, too: they are references. With
    `min_compressions` of 0, sources without a person's text are kept, too, if an output for them has been rated.
    With `exact_times`, logs of edits are published with times to the millisecond, by which a typist can be recognised.
    """

    seed: int = DEFAULT_SEED
    shares: Mapping[str, float] = field(default_factory=lambda: dict(DEFAULT_SHARES))
    sizes: Mapping[str, int] | None = None
    min_ratings: int = 1
    min_compressions: int = 1
    exact_times: bool = False

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise ValueError(_("The seed must not be negative."))
        if self.min_ratings < 0:
            raise ValueError(_("The minimum number of ratings must not be negative."))
        if self.min_compressions < 0:
            raise ValueError(_("The minimum number of compressions must not be negative."))
        if set(self.shares) - set(SPLIT_NAMES) or set(self.sizes or ()) - {"valid", "test"}:
            raise ValueError(_("The splits are train, valid and test; sizes are given for valid and test only."))
        if not all(math.isfinite(share) and share >= 0 for share in self.shares.values()) or not any(
            self.shares.values()
        ):
            raise ValueError(_("Proportions must be finite numbers of 0 or more, and not all of them 0."))
        if any(size < 0 for size in (self.sizes or {}).values()):
            raise ValueError(_("Numbers of sources must not be negative."))


def too_few_sources(wanted: int, available: int) -> Refused:
    """Return the refusal of splits that need more sources than there are."""
    words = ngettext(
        "The splits need %(wanted)s source, but only %(available)s can be released.",
        "The splits need %(wanted)s sources, but only %(available)s can be released.",
        wanted,
    )
    return Refused(words % {"wanted": wanted, "available": available})

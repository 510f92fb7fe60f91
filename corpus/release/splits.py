"""Drawing the splits of a release."""

from collections.abc import Mapping
from dataclasses import dataclass

from common.errors import Refused
from corpus.release.options import ReleaseOptions
from corpus.release.records import ReleasedSource
from measures.sampling.splits import split_sources


@dataclass(frozen=True)
class SplitSlot:
    """What of a source decides about its split; `split` is what an imported release says of it, and stays."""

    source_id: str
    family: str
    stratum: str
    split: str

    @classmethod
    def of(cls, source: ReleasedSource) -> "SplitSlot":
        return cls(source.source_id, source.family, source.stratum, source.split)


def draw_splits(places: list[SplitSlot], options: ReleaseOptions) -> dict[str, str]:
    """The split of each source, by its id."""
    # A sentence goes with its paragraph, so it counts to the paragraph's stratum; where the paragraph itself is not
    # released, the first of its sentences speaks for all.
    strata = {place.family: place.stratum for place in reversed(places)}
    strata |= {place.source_id: place.stratum for place in places}
    drawn = split_sources(
        [place.source_id for place in places],
        [place.family for place in places],
        [strata[place.family] for place in places],
        shares=_shares(options, len(places)),
        seed=options.seed,
    )
    return {place.source_id: place.split or drawn[place.source_id] for place in places}


def _shares(options: ReleaseOptions, total: int) -> Mapping[str, float]:
    if options.sizes is None:
        return dict(options.shares)
    wanted = sum(options.sizes.values())
    if wanted > total:
        raise Refused(f"The splits want {wanted} sources, and {total} are there.")
    return {"train": total - wanted, "valid": 0, "test": 0} | dict(options.sizes)

"""Draw the splits of a release."""

from collections.abc import Mapping
from dataclasses import dataclass

from corpus.release.options import ReleaseOptions, too_few_sources
from corpus.release.records import ReleasedSource
from measures.sampling.splits import split_sources


@dataclass(frozen=True)
class SplitSlot:
    """The properties of a source that determine its split; a `split` given by an imported release is kept."""

    source_id: str
    family: str
    stratum: str
    split: str

    @classmethod
    def of(cls, source: ReleasedSource) -> "SplitSlot":
        return cls(source.source_id, source.family, source.stratum, source.split)


def draw_splits(sources: list[SplitSlot], options: ReleaseOptions) -> dict[str, str]:
    """Return the split of each source, by source id."""
    # A sentence stays in the split of its paragraph, so it belongs to the paragraph's stratum; if the paragraph is not
    # released, the first of its sentences determines the stratum.
    strata = {source.family: source.stratum for source in reversed(sources)}
    strata |= {source.source_id: source.stratum for source in sources}
    drawn = split_sources(
        [source.source_id for source in sources],
        [source.family for source in sources],
        [strata[source.family] for source in sources],
        shares=_shares(options, len(sources)),
        seed=options.seed,
    )
    return {source.source_id: source.split or drawn[source.source_id] for source in sources}


def _shares(options: ReleaseOptions, total: int) -> Mapping[str, float]:
    if options.sizes is None:
        return dict(options.shares)
    wanted = sum(options.sizes.values())
    if wanted > total:
        raise too_few_sources(wanted, total)
    return {"train": total - wanted, "valid": 0, "test": 0} | dict(options.sizes)

"""What content does a text keep, according to people who looked for its facts?

Factoids are the facts of a source, and each answer says whether a text has one. A pyramid weights the units that
references agree on by the number of references, and scores a text by those that it has.
"""

from measures.content_units.factoids import (
    AddedFacts,
    FactoidAgreement,
    FactoidOverlap,
    Overlap,
    added_facts,
    factoid_agreement,
    factoid_overlap,
)
from measures.content_units.pyramid import (
    JudgedPeers,
    PyramidMeans,
    PyramidScore,
    SubsetRanks,
    judged_peers,
    pyramid_means,
    pyramid_score,
    reference_as_peer,
    subset_ranks,
)
from measures.content_units.word_groups import word_group_alpha

__all__ = [
    "AddedFacts",
    "FactoidAgreement",
    "FactoidOverlap",
    "JudgedPeers",
    "Overlap",
    "PyramidMeans",
    "PyramidScore",
    "SubsetRanks",
    "added_facts",
    "factoid_agreement",
    "factoid_overlap",
    "judged_peers",
    "pyramid_means",
    "pyramid_score",
    "reference_as_peer",
    "subset_ranks",
    "word_group_alpha",
]

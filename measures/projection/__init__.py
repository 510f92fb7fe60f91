"""What does a summary become in a language that its source was translated into?

Sentences of source and translation are grouped by length; each sentence of a summary is looked for in the source, and
what its sentence was translated as takes its place.
"""

from measures.projection.gale_church import propose_groups
from measures.projection.projected import (
    Group,
    MatchedSentence,
    Projection,
    SharedTargets,
    alignment_groups,
    project,
    shared_targets,
    trigram_dice,
)

__all__ = [
    "Group",
    "MatchedSentence",
    "Projection",
    "SharedTargets",
    "alignment_groups",
    "project",
    "propose_groups",
    "shared_targets",
    "trigram_dice",
]

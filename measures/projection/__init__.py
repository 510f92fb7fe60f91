"""What does a summary become in a language that its source was translated into?

Sentences of source and translation are grouped by length; each sentence of a summary is looked for in the source, and
what its sentence was translated as takes its place.
"""

from measures.projection.by_system import (
    ProjectedSummary,
    SystemFigure,
    grade_correlations,
    project_all,
    system_figures,
)
from measures.projection.files import (
    Documents,
    FilesRefused,
    SummaryLine,
    alignment_lines,
    proposed,
    read_alignment,
    read_documents,
    read_grades,
    read_summaries,
    words_and_signs,
)
from measures.projection.gale_church import propose_groups
from measures.projection.projected import (
    AlignmentFault,
    Group,
    MatchedSentence,
    Projection,
    SharedTargets,
    alignment_faults,
    alignment_groups,
    project,
    shared_targets,
    trigram_dice,
)

__all__ = [
    "AlignmentFault",
    "Documents",
    "FilesRefused",
    "Group",
    "MatchedSentence",
    "ProjectedSummary",
    "Projection",
    "SharedTargets",
    "SummaryLine",
    "SystemFigure",
    "alignment_faults",
    "alignment_groups",
    "alignment_lines",
    "grade_correlations",
    "project",
    "project_all",
    "propose_groups",
    "proposed",
    "read_alignment",
    "read_documents",
    "read_grades",
    "read_summaries",
    "shared_targets",
    "system_figures",
    "trigram_dice",
    "words_and_signs",
]

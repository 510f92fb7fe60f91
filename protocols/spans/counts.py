"""How many marks of which kinds and severities systems have, and what edits they are."""

from collections import Counter
from collections.abc import Iterator, Sequence

from measures.core.drawn_sources import drawn_ratios
from measures.spans import Annotation, Preset, edit_counts, edit_shares
from measures.text.segmentation import word_count
from protocols.spans.parameters import SpansParameters
from protocols.spans.report_rows import ALL, About, ReportRow

MARKS, DENSITY, EDITS, SHARES = "marks", "marks per 100 words", "edits", "shares of words"
NO_NAME = "none"
"""What stands for no kind, and for no severity."""


def count_rows(
    annotations: Sequence[Annotation], preset: Preset, parameters: SpansParameters, language: str
) -> Iterator[ReportRow]:
    """Yield marks by system, kind and severity, marks per 100 words, and for kinds with questions the edits."""
    counted = Counter(
        (each.system, mark.kind or NO_NAME, mark.severity or NO_NAME) for each in annotations for mark in each.counted
    )
    for (system, kind, severity), number in sorted(counted.items()):
        yield About(MARKS, kind, system).row(severity, number)
    for system in sorted({each.system for each in annotations}):
        own = [each for each in annotations if each.system == system]
        (found,) = drawn_ratios(
            [[len(each.counted)] for each in own],
            [[word_count(each.source) / 100] for each in own],
            [each.segment for each in own],
            draws=parameters.draws,
            seed=parameters.seed,
            nothing="the sources have no words",
        )
        yield About(DENSITY, ALL, system).ratio("marks", found)
    if any(kind.questions for kind in preset.kinds):
        yield from _edit_rows(annotations, preset, language)


def _edit_rows(annotations: Sequence[Annotation], preset: Preset, language: str) -> Iterator[ReportRow]:
    for count in edit_counts(annotations, preset):
        judged = " ".join(str(each) for each in (count.efficacy, count.degree) if each is not None)
        yield About(EDITS, count.kind, count.system).row(judged or NO_NAME, count.edits)
    for share in edit_shares(annotations, preset, language=language):
        about = About(SHARES, share.kind, share.system)
        yield about.row("source", share.source)
        yield about.row("output", share.output)

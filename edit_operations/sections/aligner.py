"""How well the aligner agrees with the alignments that staff corrected in this release."""

from edit_operations.sections.base import ReleaseTexts, ReportSection, Row, row
from measures.alignment import alignment_scores, macro_scores, places_as_pairs
from measures.core.undefined import Undefined

ALIGNER = "aligner"
NO_CORRECTIONS = "no alignment of this release has been corrected"


def aligner_rows(texts: ReleaseTexts) -> list[Row]:
    """Return the macro means over all corrected texts of people and systems.

    Staff may mostly correct what looks wrong to them, so these texts are no random sample of the release.
    """
    corrected = [line.text for line in (*texts.people, *texts.outputs) if line.text.aligner_places is not None]
    scores = macro_scores(
        [
            alignment_scores(places_as_pairs(text.places), (), places_as_pairs(text.aligner_places or ()))
            for text in corrected
        ]
    )
    number = len(corrected)
    figures = {"precision": scores.precision, "recall": scores.recall, "f1": scores.f1, "exact": scores.exact}
    rows = [row(ALIGNER, "corrections", value=number, n=number)]
    for figure, value in figures.items():
        is_known = bool(corrected) and not isinstance(value, Undefined)
        reason = "" if is_known else NO_CORRECTIONS if not corrected else getattr(value, "reason", "")
        rows.append(row(ALIGNER, figure, value=value if is_known else None, n=number, reason=reason))
    return rows


SECTIONS = [ReportSection(30, aligner_rows)]

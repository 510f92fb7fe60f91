"""What Toutanova et al. 2016 found on their own corpus: shown beside a report, never mixed with it."""

from dataclasses import dataclass
from typing import Any

from reports.published import PublishedValue, published, published_rows

PAPER = "T16"
CORPUS = "the corpus of Toutanova et al. 2016"
SECTION = "3.3"

SHARES_OF = {
    "copied": "target tokens copied",
    "paraphrased": "target tokens paraphrased",
    "inserted": "target tokens inserted",
    "deleted": "source words deleted",
    "abstractive": "abstractive",
    "deletion and reordering": "deletion and reordering",
    "deletion only": "compressions with token deletions only",
    "kept": "two sentences in the output (two-sentence sources)",
    "merged": "two source sentences merged (two-sentence sources)",
    "sentence deleted": "one sentence deleted (two-sentence sources)",
}
"""By figure of a report: what §3.3 gives a share of. It warns that those of "inserted" and "deleted" are too high."""

OPERATIONS = {
    "substitute": "Substitute",
    # The paper does not say whether it counts an inserted word as a substitution, so its values stand beside both.
    "substitute or insert": "Substitute",
    "reorder": "Reorder",
    "merge": "Merge",
    "sentence deleted": "Sentence Delete",
}
SCALES = ("meaning", "grammar")


@dataclass(frozen=True)
class PublishedCell:
    """Two means of Table 5 or 6: with and without the operation, or joint and apart."""

    first: PublishedValue
    second: PublishedValue

    @property
    def p(self) -> str:
        """What the mark of one of the two says, such as "p < .0001"; "" if neither has one."""
        return next((each.note.lstrip("* ") for each in (self.first, self.second) if each.mark), "")


def published_share(figure: str) -> PublishedValue:
    return published(PAPER, "text", SHARES_OF[figure], "share")


def published_comparison(operation: str, scale: str) -> PublishedCell | None:
    """Return the cell of Table 5 for an operation, however a report counts substitutions."""
    row = OPERATIONS.get(operation)
    if row is None or scale not in SCALES:
        return None
    return PublishedCell(*(published(PAPER, "Table 5", row, f"{scale}, {each}") for each in ("present", "absent")))


def published_joint(scale: str) -> PublishedCell | None:
    """Return the cell of Table 6: paragraphs shortened as a whole, and by sentence."""
    if scale not in SCALES:
        return None
    return PublishedCell(*(published(PAPER, "Table 6", row, scale) for row in ("2-Sentence", "1-Sentence")))


def published_operations() -> list[dict[str, Any]]:
    """Return all these values with their places, for a file."""
    return published_rows(lambda each: (each.paper, each.section) == (PAPER, SECTION))

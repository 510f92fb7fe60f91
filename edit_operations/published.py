"""The values of Toutanova et al. 2016 on their own corpus: shown beside a report, never mixed with it."""

from dataclasses import dataclass
from typing import Any

CORPUS = "the corpus of Toutanova et al. 2016"


@dataclass(frozen=True)
class PublishedCell:
    """Two means of Table 5 or 6: with and without the operation, or joint and apart; `p` as the paper marks it."""

    first: float
    second: float
    p: str = ""


SHARES: dict[str, float] = {"copied": 0.754, "paraphrased": 0.173, "inserted": 0.071, "deleted": 0.31}
"""§3.3: of the words of compressions; "deleted" of the words of sources. It warns that the last two are too high."""

CLASSES: dict[str, float] = {"abstractive": 0.656, "deletion and reordering": 0.091, "deletion only": 0.252}
SENTENCES: dict[str, float] = {"kept": 0.004, "merged": 0.724, "sentence deleted": 0.273}

BELOW_POINT_0001, POINT_002 = "p < .0001", "p = .002"
TABLE_5: dict[tuple[str, str], PublishedCell] = {
    ("substitute", "meaning"): PublishedCell(2.81, 2.70, BELOW_POINT_0001),
    ("substitute", "grammar"): PublishedCell(2.79, 2.85, BELOW_POINT_0001),
    ("reorder", "meaning"): PublishedCell(2.80, 2.82),
    ("reorder", "grammar"): PublishedCell(2.80, 2.82, BELOW_POINT_0001),
    ("merge", "meaning"): PublishedCell(2.63, 2.82, BELOW_POINT_0001),
    ("merge", "grammar"): PublishedCell(2.84, 2.82, BELOW_POINT_0001),
    ("sentence deleted", "meaning"): PublishedCell(2.57, 2.82, POINT_002),
    ("sentence deleted", "grammar"): PublishedCell(2.84, 2.75),
}
"""By operation and scale: the mean quality with the operation, and without it."""
SUBSTITUTIONS = ("substitute", "substitute or insert")
"""The paper does not say whether it counts an inserted word as a substitution, so its values stand beside both."""

TABLE_6: dict[str, PublishedCell] = {
    "meaning": PublishedCell(2.86, 2.78, BELOW_POINT_0001),
    "grammar": PublishedCell(2.87, 2.82, BELOW_POINT_0001),
}
"""By scale: the mean quality of two sentences shortened together, and one by one."""


def published_comparison(operation: str, scale: str) -> PublishedCell | None:
    """Return the cell of Table 5 for an operation, however a report counts substitutions."""
    return TABLE_5.get((SUBSTITUTIONS[0] if operation in SUBSTITUTIONS else operation, scale))


PUBLISHED_SHARES = {"token shares": SHARES, "compression classes": CLASSES, "sentences": SENTENCES}


def published() -> dict[str, Any]:
    """Return all published values, for a file."""
    table_5 = [
        {"group": operation, "figure": scale, "present": cell.first, "absent": cell.second, "p": cell.p}
        for (operation, scale), cell in TABLE_5.items()
    ]
    table_6 = [
        {"figure": scale, "joint": cell.first, "apart": cell.second, "p": cell.p} for scale, cell in TABLE_6.items()
    ]
    return {"corpus": CORPUS, **PUBLISHED_SHARES, "table 5": table_5, "table 6": table_6}

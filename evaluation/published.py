"""The values of Toutanova et al. 2016 on their own corpus: shown beside a report, never mixed with it."""

from typing import NamedTuple

CORPUS = "Toutanova et al. 2016"
JUDGEMENTS = ("meaning", "grammar", "combined")


class PublishedBest(NamedTuple):
    """The best correlation of a group in Table 9; `mark` is the paper's: "*" for the best, "-" if it is dominated."""

    r: float
    mark: str = ""


SYSTEM_MEANS: dict[str, tuple[float, float, float]] = {
    "T3": (1.14, 1.40, 1.26),
    "NAMAS": (1.56, 1.30, 1.43),
    "Seq2Seq": (1.64, 1.51, 1.57),
    "ILP": (2.28, 2.22, 2.25),
}
"""Table 8: mean ratings of systems for meaning, grammar and combined."""

_TABLE_9: dict[tuple[str, str], tuple[PublishedBest | None, PublishedBest | None, PublishedBest | None]] = {
    ("unit", "LR-1"): (PublishedBest(0.54), PublishedBest(0.25, "-"), PublishedBest(0.44, "-")),
    ("unit", "LR-2"): (PublishedBest(0.56, "*"), PublishedBest(0.34, "*"), PublishedBest(0.51, "*")),
    ("unit", "LR-3"): (PublishedBest(0.55, "*"), PublishedBest(0.35, "*"), PublishedBest(0.50, "*")),
    ("unit", "LR-4"): (PublishedBest(0.52, "-"), PublishedBest(0.34, "*"), PublishedBest(0.47)),
    ("unit", "SKIP-2"): (PublishedBest(0.59, "*"), PublishedBest(0.33), PublishedBest(0.51, "*")),
    ("unit", "PARSE-2"): (PublishedBest(0.57, "*"), PublishedBest(0.35, "*"), PublishedBest(0.52, "*")),
    ("measure", "Recall"): (PublishedBest(0.59, "*"), PublishedBest(0.35), PublishedBest(0.52)),
    ("measure", "Precision"): (PublishedBest(0.36, "-"), PublishedBest(0.31), PublishedBest(0.37, "-")),
    ("measure", "F-1"): (PublishedBest(0.58, "*"), PublishedBest(0.35), PublishedBest(0.50)),
    ("references", "SINGLE-REF"): (PublishedBest(0.49, "-"), PublishedBest(0.29), PublishedBest(0.44, "-")),
    ("references", "MULT-MAX"): (PublishedBest(0.58, "*"), PublishedBest(0.35), PublishedBest(0.52)),
    ("references", "MULT-PROB"): (PublishedBest(0.59, "*"), PublishedBest(0.35), PublishedBest(0.52)),
    ("references", "MULT-ALL"): (PublishedBest(0.58, "*"), PublishedBest(0.35), PublishedBest(0.50)),
    ("other", "BLEU-3"): (PublishedBest(0.50, "-"), None, PublishedBest(0.45, "-")),
    ("other", "BLEU-4"): (None, PublishedBest(0.30), None),
    ("other", "ROUGE-L"): (PublishedBest(0.49, "-"), PublishedBest(0.27), PublishedBest(0.43)),
}


def published_best(by: str, label: str, judgement: str) -> PublishedBest | None:
    """Return the cell of Table 9 for a unit, a measure or a use of references; None if the paper has none."""
    cells = _TABLE_9.get((by, label))
    return cells[JUDGEMENTS.index(judgement)] if cells and judgement in JUDGEMENTS else None

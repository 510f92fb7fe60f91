"""What other studies found with metrics and ratings of their own: shown beside a report, never mixed with it."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from reports.published import PublishedTable, PublishedValue, published_rows, published_table, published_values

PAPER = "T16"
OTHERS = frozenset({"O12", "A12", "S12", "NA15"})
"""Papers whose values are all of metrics held against ratings."""
CORPUS = "Toutanova et al. 2016"
JUDGEMENTS = ("meaning", "grammar", "combined")
CORPUS_LEVEL, INPUT_LEVEL = "4.3.1", "4.3.2"
TOP = "Top metrics: "
BESTS = {
    "unit": ("Best per linguistic unit: ", 0),
    "measure": ("Best per scoring type: ", 1),
    "references": ("Best per reference aggregation: ", 2),
    "other": ("Other standard setting combinations: ", 0),
}
"""Groups of Table 9 by what a report calls them, and the place of the kind in a name such as LR-1+Recall+MULT-ALL."""


def published_best(by: str, label: str, judgement: str) -> PublishedValue | None:
    """Return the cell of Table 9 for a unit, a measure or a use of references; None if the paper has none."""
    begins, part = BESTS.get(by, ("", 0))
    rows = (each for each in _of_table_9() if begins and each.row.startswith(begins) and each.column == judgement)
    return next((each for each in rows if each.row.removeprefix(begins).split("+")[part] == label), None)


@cache
def _of_table_9() -> Sequence[PublishedValue]:
    return [each for each in published_values() if (each.paper, each.table) == (PAPER, "Table 9")]


@cache
def published_tables() -> Mapping[str, Sequence[PublishedTable]]:
    """Return what stands below a table of a report, by that table's name."""
    return {
        "table 8": [published_table(PAPER, "Table 8"), published_table(PAPER, "text", section=CORPUS_LEVEL)],
        "table 9": [published_table(PAPER, "Table 9", begins=TOP)],
        "significance": [published_table("O12", "Table 2"), published_table("O12", "Table 3")],
        "heterogeneity": [published_table("A12", "Table 1"), published_table("A12", "text")],
        "people and systems": [published_table("S12", "Table 1")],
        "summary level": [published_table("NA15", f"Table {number}") for number in (1, 2, 3, 4)],
        "variants": [published_table("S12", each) for each in ("Table 2", "Table 3", "Table 4", "text")],
    }


def published_metrics() -> list[dict[str, Any]]:
    """Return all these values with their places, for a file."""
    return published_rows(lambda each: each.paper in OTHERS or _is_of_metrics(each))


def _is_of_metrics(value: PublishedValue) -> bool:
    return value.paper == PAPER and value.section in {CORPUS_LEVEL, INPUT_LEVEL}

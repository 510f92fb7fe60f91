"""The rows of a report as the lines of the page's tables."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from common.templatetags.formatting import p_value
from edit_operations.page_words import deletion_group_label, group_label, label_of, operation_label
from edit_operations.published import PublishedCell, published_comparison, published_joint
from edit_operations.sections.base import RELEASE, Row
from edit_operations.sections.costs import COSTS, ORDERED
from edit_operations.sections.deletions import DELETIONS
from edit_operations.sections.quality import SUBSTITUTE, TABLE_5, WITHIN_EDITORS
from measures.alignment.deletions import FIGURES
from reports.models import Report

SUBSTITUTE_OR_INSERT = "substitute or insert"
WITH_OPERATIONS = frozenset({TABLE_5, WITHIN_EDITORS, COSTS, ORDERED})
"""The tables whose groups are the operations of Table 5."""


def shown_rows(report: Report) -> list[Row]:
    """Return the rows; a substitution that may be an inserted word is named so."""
    rows = report.rows or []
    if report.parameters.get("substitute") != "paraphrased or inserted":
        return rows
    return [
        {**row, "group": SUBSTITUTE_OR_INSERT}
        if row["table"] in WITH_OPERATIONS and row["group"] == SUBSTITUTE
        else row
        for row in rows
    ]


TOKENS = ("copied", "paraphrased", "inserted", "deleted")
CLASSES = ("abstractive", "deletion and reordering", "deletion only")
SENTENCES = ("merged", "kept", "sentence deleted")
TABLE_OF = {
    **dict.fromkeys(TOKENS, "token shares"),
    **dict.fromkeys(CLASSES, "compression classes"),
    **dict.fromkeys(SENTENCES, "sentences"),
}
OPERATIONS = ("substitute", "reorder", "merge", "sentence deleted")
BY_OPERATION = frozenset({"table 5", "within editors", COSTS, ORDERED, "order"})
VARIANTS = ("mean of texts", "without punctuation")


@dataclass(frozen=True)
class PartLine:
    """A part of the release: a genre, a split, an editor. `cells` holds a row for each figure, or None."""

    part: str
    group: str
    cells: dict[str, Row | None]

    @property
    def label(self) -> str:
        return group_label(self.part, self.group)

    @property
    def texts(self) -> int | None:
        """The number of its compressions."""
        known = (cell.get("n") for name in CLASSES if (cell := self.cells[name]))
        return next((number for number in known if number is not None), None)

    def value(self, figure: str) -> float | None:
        cell = self.cells.get(figure)
        return cell.get("value") if cell else None

    @property
    def shown(self) -> list[tuple[str, Row | None]]:
        return list(self.cells.items())


@dataclass(frozen=True)
class Comparison:
    """A cell of Table 5 or 6: quality with and without an operation, beside the published means."""

    scale: str
    row: Row
    published: PublishedCell | None = None

    @property
    def operation(self) -> str:
        return self.row.get("group") or ""

    @property
    def label(self) -> str:
        return operation_label(self.operation)

    @property
    def p(self) -> str:
        return p_value(self.row.get("p"))

    @property
    def p_holm(self) -> str:
        return p_value(self.row.get("p_holm"))


@dataclass(frozen=True)
class DeletionLine:
    """The figures of deletions of some texts; a cell for each, or None."""

    label: str
    cells: list[tuple[str, Row | None]]

    @property
    def number(self) -> int | None:
        return next((cell["n"] for _name, cell in self.cells if cell and cell.get("n") is not None), None)


class ReportRows:
    """The rows of a report, found by table, part and group."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._tables: dict[str, list[Row]] = {}
        self._cells: dict[tuple[str, str, str, str], Row] = {}
        for row in rows:
            self._tables.setdefault(row["table"], []).append(row)
            key = (row["table"], row.get("part") or "", row.get("group") or "", row.get("figure") or "")
            self._cells.setdefault(key, row)

    def of(self, table: str) -> list[Row]:
        return self._tables.get(table, [])

    def cell(self, table: str, figure: str, *, part: str = "release", group: str = "") -> Row | None:
        return self._cells.get((table, part, group, figure))

    def share(self, figure: str, variant: str = "") -> Row | None:
        """Return the row of the whole release for a share of words or of compressions."""
        return self.cell(TABLE_OF[figure], f"{figure}, {variant}" if variant else figure)

    def parts(self, part: str) -> list[PartLine]:
        """Return a line for each part of a kind, in the report's order."""
        rows = [row for row in self.of("compression classes") if row.get("part") == part]
        groups = dict.fromkeys(row.get("group") or "" for row in rows)
        figures = (*TOKENS, *CLASSES)
        return [
            PartLine(
                part,
                group,
                {figure: self.cell(TABLE_OF[figure], figure, part=part, group=group) for figure in figures},
            )
            for group in groups
        ]

    def table_5(self, scales: Mapping[str, str]) -> list[Comparison]:
        """Return the cells of Table 5; `scales` has the names of scales by their keys."""
        return [
            Comparison(scales.get(row["figure"], row["figure"]), row, published_comparison(row["group"], row["figure"]))
            for row in self.of("table 5")
        ]

    def table_6(self, scales: Mapping[str, str]) -> list[Comparison]:
        return [
            Comparison(scales.get(row["figure"], row["figure"]), row, published_joint(row["figure"]))
            for row in self.of("table 6")
        ]

    def deletions(self) -> list[DeletionLine]:
        """Return the figures of deletions of people's texts, of those that only delete, and of each system."""
        groups = dict.fromkeys((row["part"], row["group"]) for row in self.of(DELETIONS))
        return [
            DeletionLine(
                deletion_group_label(part, group),
                [(name, self.cell(DELETIONS, name, part=part, group=group)) for name in FIGURES],
            )
            for part, group in groups
        ]

    def deleted_grammar(self) -> list[tuple[str, list[Row | None]]]:
        """Return, for each relation in people's texts, how often its words and what hangs on them go."""
        relations = [row["figure"] for row in self.of("deleted relations") if row["part"] == RELEASE]
        return [
            (name, [self.cell(table, name) for table in ("deleted relations", "deleted subtrees")])
            for name in relations
        ]

    def deleted_constituents(self) -> list[tuple[str, list[Row | None]]]:
        found = [row for row in self.of("deleted constituents") if row["part"] == RELEASE]
        return [(row["figure"], [row]) for row in found]

    def reasons(self) -> list[tuple[str, list[str]]]:
        """Return why figures of this report are undefined, each reason with the figures it stands for."""
        found: dict[str, list[str]] = {}
        for row in (row for rows in self._tables.values() for row in rows):
            if row.get("reason"):
                found.setdefault(row["reason"], []).append(row_name(row))
        return [(reason, list(dict.fromkeys(names))) for reason, names in found.items()]


def row_name(row: Row) -> str:
    """Name a row for a reader, such as "Paraphrase a word, meaning"."""
    words: Sequence[str] = (
        operation_label(row["group"]) if row["table"] in BY_OPERATION else row.get("group") or "",
        label_of(row.get("figure") or ""),
    )
    return ", ".join(word for word in words if word)

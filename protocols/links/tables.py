"""Tables of a report on linked sentences: for a terminal, with the same rows as the page, and for LaTeX."""

from collections.abc import Callable, Sequence

from common.console import Cell, Section, with_interval
from corpus.latex import latex_escaped, latex_table
from protocols.links import rows as of
from protocols.links.page import about, answer_of, rows_of
from protocols.links.rows import Row
from reports.models import Report

FIRST = ("omega", "links", "people")
COLUMNS = ("Of", "Value [95%]", "n", "p", "p (Holm)")
NUMBERS = frozenset(COLUMNS[1:])
NOTHING = "Nothing: there is nothing for this."
TITLES = {
    of.OMEGA: "Omega of algorithms against people",
    of.LINKS: "Predicted links",
    of.PEOPLE: "Agreement of people",
    of.TESTS: "Tests of algorithms",
    of.SIZES: "Sizes and overlap",
    of.TIES: "What ties decide: the range over copies",
    of.NUMBERS: "Omega by number of communities",
    of.DOCUMENTS: "Omega of each document, with the range over copies",
    of.TRANSFER: "Trained on one person, tested on another",
}


def _cells(row: Row) -> Sequence[Cell]:
    document = f"{row['document']}, " if row["document"] else ""
    macro = f" ({row['against']})" if row["table"] == of.LINKS else ""
    p = (f"{row[name]:.4f}" if row[name] is not None else "" for name in ("p", "p_holm"))
    value = with_interval(row["value"], row["low"], row["high"])
    return f"{document}{about(row).removeprefix(': ')}{macro}", value, row["n"], *p


def _section(table: str) -> Callable[[Report], Section]:
    def section(report: Report) -> Section:
        rows = rows_of(report, table)
        reasons = dict.fromkeys(
            f"Undefined: {row['reason']}." for row in rows if row["reason"] and row["value"] is None
        )
        notes = [*(answer_of(report) if table == of.OMEGA else []), *reasons, *([] if rows else [NOTHING])]
        return Section(TITLES[table], COLUMNS, [_cells(row) for row in rows], notes, NUMBERS)

    return section


SECTIONS: dict[str, Callable[[Report], Section]] = {table: _section(table) for table in TITLES}


def links_tables(report: Report) -> list[str]:
    """Return predicted links, people and algorithms as booktabs tables."""
    return [
        latex_table(COLUMNS, [_cells(row) for row in rows_of(report, table)], latex_escaped(f"{TITLES[table]}."))
        for table in (of.OMEGA, of.LINKS, of.PEOPLE, of.TESTS)
    ]

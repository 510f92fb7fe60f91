"""Reports as CSV, JSON and LaTeX, with the same numbers as the page, and the alignments as JSON lines."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from common.spreadsheets import written_lines
from corpus.latex import latex_escaped, latex_table
from edit_operations.aligned import AlignedSource, AlignedText
from edit_operations.found_texts import aligned_stream
from edit_operations.models import OperationsReport
from edit_operations.published import (
    CLASSES,
    CORPUS,
    SENTENCES,
    SHARES,
    TABLE_5,
    TABLE_6,
    published_comparison,
)
from edit_operations.sections.base import RELEASE, Row
from edit_operations.selectors import report_rows
from edit_operations.shown_rows import shown_rows

FIRST_COLUMNS = ("table", "part", "group", "figure", "value", "low", "high", "n", "p", "p_holm", "reason")
PARAMETER_COLUMNS = {"apart": "sentences_apart"}
"""Parameters that the CSV file names differently, because a column of values has their name."""
PUBLISHED_SHARES = {"token shares": SHARES, "compression classes": CLASSES, "sentences": SENTENCES}


def report_as(form: str, report: OperationsReport) -> str:
    return {"csv": operations_csv, "json": operations_json, "latex": operations_latex}[form](report)


def operations_csv(report: OperationsReport) -> str:
    """Return one line per number, each with the release, its checksum and all parameters."""
    return "".join(written_lines(_csv_rows(report), lineterminator="\n"))


def _csv_rows(report: OperationsReport) -> Iterator[Sequence[object]]:
    rows, about = report_rows(report), dict(sorted(_about(report).items()))
    columns = list(dict.fromkeys([*FIRST_COLUMNS, *(name for row in rows for name in row)]))
    yield [*columns, *(PARAMETER_COLUMNS.get(name, name) for name in about)]
    for row in rows:
        yield ["" if row.get(name) is None else row[name] for name in columns] + list(about.values())


def operations_json(report: OperationsReport) -> str:
    """Return the whole report, including what the plots are drawn from and the published values."""
    content = {
        **_about(report),
        "rows": report_rows(report),
        "figures": report.figures,
        "published": {"corpus": CORPUS, **PUBLISHED_SHARES, "table 5": _published_5(), "table 6": _published_6()},
    }
    return json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _about(report: OperationsReport) -> dict[str, Any]:
    """Return the release and the parameters of a report, without those that are columns of its rows."""
    return {
        **report.parameters,
        "signature": report.signature,
        "report_version": report.report_version,
        "last_correction": report.last_correction,
        "last_output": report.last_output,
        "release": report.release.name,
        "release_sha256": report.release_checksum,
    }


def _published_5() -> list[dict[str, Any]]:
    return [
        {"group": operation, "figure": scale, "present": cell.first, "absent": cell.second, "p": cell.p}
        for (operation, scale), cell in TABLE_5.items()
    ]


def _published_6() -> list[dict[str, Any]]:
    return [
        {"figure": scale, "joint": cell.first, "apart": cell.second, "p": cell.p} for scale, cell in TABLE_6.items()
    ]


def operations_latex(report: OperationsReport) -> str:
    """Return the shares and Tables 5 and 6 as booktabs tables, with the paper's values."""
    rows = shown_rows(report)
    names = {scale.key: scale.name for scale in report.release.campaign.rating_scales}
    about = json.dumps(_about(report), sort_keys=True, ensure_ascii=False)
    return "\n\n".join(
        [
            f"% {latex_escaped(report.release.name)}, SHA-256 of its manifest {report.release_checksum}",
            f"% {latex_escaped(about)}",
            _share_table(rows),
            _quality_table(rows, "table 5", names, _means_words(report)),
            _quality_table(rows, "table 6", names),
            "",
        ]
    )


def _share_table(rows: Iterable[Row]) -> str:
    cells = [
        [row["table"], row["figure"], _number(row), _plain(published.get(row["figure"])), row["n"]]
        for row in rows
        if row["part"] == RELEASE and (published := PUBLISHED_SHARES.get(row["table"])) is not None
    ]
    head = ["Table", "Share of", "Here", "Paper", "Texts"]
    return latex_table(head, cells, f"Editing operations, with 95\\% intervals; paper: {CORPUS}.", texts=2)


def _quality_table(rows: Iterable[Row], table: str, names: Mapping[str, str], also: str = "") -> str:
    one, other = ("present", "absent") if table == "table 5" else ("joint", "apart")
    first = ["Operation", "Scale"] if table == "table 5" else ["Scale"]
    cells = []
    for row in (row for row in rows if row["table"] == table):
        named = [row["group"], names.get(row["figure"], row["figure"])][-len(first) :]
        sides = [_plain(row[one]), _plain(row[other])]
        tests = [_number({**row, "value": row["difference"]}), _p(row["p"]), _p(row["p_holm"]), row["sources"] or 0]
        cells.append([*named, *sides, *tests, *_paper_cells(row)])
    ours = [one, other, "Difference", "p", "p (Holm)", "Sources"]
    head = [*first, *ours, f"Paper: {one}", f"Paper: {other}", "Paper: p"]
    number = table.removeprefix("table ")
    said = f"Hodges-Lehmann difference with 95\\% interval{also}; paper: {CORPUS}"
    return latex_table(head, cells, f"Table {number} of the paper on this release: {said}.", texts=len(first))


def _paper_cells(row: Row) -> list[str]:
    is_table_5 = row["table"] == "table 5"
    cell = published_comparison(row["group"], row["figure"]) if is_table_5 else TABLE_6.get(row["figure"])
    if cell is None:
        return ["--"] * 3
    return [_plain(cell.first), _plain(cell.second), cell.p.removeprefix("p ").removeprefix("= ") or "--"]


def _means_words(report: OperationsReport) -> str:
    over = "all compressions" if report.parameters["means"] == "compressions" else "sources that have both"
    return f", means over {over}"


def _number(row: Mapping[str, Any]) -> str:
    if row["value"] is None:
        return "--"
    interval = f" [{row['low']:.3f}, {row['high']:.3f}]" if row["low"] is not None else ""
    return f"{row['value']:.3f}{interval}"


def _plain(value: float | None) -> str:
    return "--" if value is None else f"{value:.3f}"


def _p(value: float | None) -> str:
    if value is None:
        return "--"
    return "< .0001" if value < 0.0001 else f"{value:.4f}"


def alignment_lines(report: OperationsReport) -> Iterator[str]:
    """Yield one line for each text: its words, their places in the source, and what was done; a part at a time."""
    for source in aligned_stream(report):
        for text in source.texts:
            yield json.dumps(_alignment(source, text), ensure_ascii=False) + "\n"


def _alignment(source: AlignedSource, text: AlignedText) -> dict[str, Any]:
    return {
        "source": source.source_id,
        "by": "system" if text.is_output else "people",
        "system": text.system or None,
        "editors": list(text.editors),
        "text": text.text,
        "source_words": list(source.words),
        "words": list(text.words),
        "places": list(text.places),
        "pairs": " ".join(f"{place}-{number}" for number, place in enumerate(text.places) if place is not None),
        "classes": list(text.classes),
        "moved": list(text.moved),
        "compression": text.compression,
        "sentences": text.sentences or None,
        "corrected": text.correction is not None,
    }

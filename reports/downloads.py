"""The files of a report: CSV, JSON and LaTeX, with the same numbers as its page."""

import json
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from common.spreadsheets import written_lines
from corpus.latex import latex_escaped
from reports.figures import Figure, as_csv, as_svg, as_vega_lite
from reports.kinds import ReportKind, Row, kind_of
from reports.models import Report
from reports.selectors import row_blocks

CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "latex": "application/x-tex; charset=utf-8",
}
PIECES = 10_000  # of JSON, which are a few letters each
ENDINGS = {"csv": "csv", "json": "json", "latex": "tex"}


def report_as(form: str, report: Report) -> Iterable[str]:
    """Return a file of the report piece by piece."""
    kind = kind_of(report)
    return {"csv": _csv, "json": _json, "latex": _latex}[form](report, kind)


def _csv(report: Report, kind: ReportKind) -> Iterator[str]:
    """Yield one line per number, each with the release, its checksum and all parameters; many lines at a time."""
    about = kind.csv_about(report)
    columns = list(kind.first_columns)
    if not kind.has_fixed_columns:
        columns = list(
            dict.fromkeys([*columns, *(name for block in row_blocks(report) for row in block for name in row)])
        )
    head = [kind.renamed_columns.get(name, name) for name in columns]
    yield "".join(written_lines([[*head, *about]], lineterminator="\n"))
    for block in row_blocks(report):
        lines = [["" if row.get(name) is None else row[name] for name in columns] + [*about.values()] for row in block]
        yield "".join(written_lines(lines, lineterminator="\n"))


class _Read(list[Row]):
    """Rows for the encoder of JSON, which takes lists alone, read as they are written."""

    def __init__(self, rows: Iterator[Row]) -> None:
        self._first = list(islice(rows, 1))
        self._rest = rows

    def __bool__(self) -> bool:
        return bool(self._first)

    def __iter__(self) -> Iterator[Row]:
        return chain(self._first, self._rest)


def _json(report: Report, kind: ReportKind) -> Iterator[str]:
    """Yield the whole report, including what the plots are drawn from; much of it at a time."""
    content = kind.json_content(report, _Read(chain.from_iterable(row_blocks(report))))
    pieces = json.JSONEncoder(indent=1, ensure_ascii=False, sort_keys=True).iterencode(content)
    while piece := "".join(islice(pieces, PIECES)):
        yield piece
    yield "\n"


def _latex(report: Report, kind: ReportKind) -> list[str]:
    """Return the tables of the paper and what belongs to them, as booktabs tables."""
    about = json.dumps(kind.latex_about(report), sort_keys=True, ensure_ascii=False)
    covered = "manifest" if report.release else "answers"
    head = [
        f"% {latex_escaped(report.basis_name)}, SHA-256 of its {covered} {report.checksum}",
        f"% {latex_escaped(about)}",
    ]
    caption = "".join(["\\caption{", *(f"{latex_escaped(words)} " for words in kind.preface(report))])
    tables = [table.replace("\\caption{", caption) for table in kind.latex_tables(report)]
    return ["\n\n".join([*head, *tables, ""])]


def download(report: Report, form: str) -> HttpResponseBase:
    """Return the response with a file, which is sent piece by piece unless it is there as a whole."""
    file = report_as(form, report)
    is_long = form != "latex" and report.keyed_rows.exists()
    response_type = StreamingHttpResponse if is_long else HttpResponse
    response = response_type(file, content_type=CONTENT_TYPES[form])
    response["Content-Disposition"] = f'attachment; filename="{report.file_name}.{ENDINGS[form]}"'
    return response


FIGURE_TYPES = {
    "svg": "image/svg+xml; charset=utf-8",
    "csv": CONTENT_TYPES["csv"],
    "json": CONTENT_TYPES["json"],
}


def figure_download(page_name: str, figure: Figure, form: str) -> HttpResponse:
    """Return the response with a file of a figure, called as its page and the figure are."""
    if form == "json":
        content = json.dumps(as_vega_lite(figure), indent=1, ensure_ascii=False)
    else:
        content = {"svg": as_svg, "csv": as_csv}[form](figure)
    response = HttpResponse(content, content_type=FIGURE_TYPES[form])
    response["Content-Disposition"] = f'attachment; filename="{page_name}-{figure.key}.{form}"'
    return response

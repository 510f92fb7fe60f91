"""CSV output: downloads that staff open in a spreadsheet, and plain lines that programs read."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from django.http import StreamingHttpResponse

BYTE_ORDER_MARK = "\ufeff"  # some spreadsheets do not recognise UTF-8 without it
FORMULA_PREFIXES = ("=", "+", "-", "@", "\t", "\r")


class _Echo:
    """A file-like object whose `write` returns the line, so that `csv.writer.writerow` returns it too."""

    @staticmethod
    def write(line: str) -> str:
        return line


def written_lines(rows: Iterable[Sequence[object]], **dialect: Any) -> Iterator[str]:
    """Return the CSV lines of a table, with the cells unchanged."""
    writer = csv.writer(_Echo(), **dialect)
    return map(writer.writerow, rows)


def csv_download(name: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> StreamingHttpResponse:
    """Return a table as a CSV download in which no cell can run as a spreadsheet formula."""
    response = StreamingHttpResponse(_defused_lines(head, rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def _defused_lines(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    yield BYTE_ORDER_MARK
    yield from written_lines(chain([head], ([defused(cell) for cell in row] for row in rows)))


def defused(cell: object) -> object:
    """Return the cell, quoted if a spreadsheet would run it as a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_PREFIXES) else cell

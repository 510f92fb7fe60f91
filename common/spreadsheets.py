"""Tables that staff open in a spreadsheet, and those that programs read."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from django.http import StreamingHttpResponse

BYTE_ORDER_MARK = "\ufeff"  # without it, some spreadsheets take UTF-8 for something else
BEGINS_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class _Line:
    """What a CSV writer writes to: it hands each line back."""

    @staticmethod
    def write(line: str) -> str:
        return line


def written_lines(rows: Iterable[Sequence[object]], **dialect: Any) -> Iterator[str]:
    """The lines of a table, as they are."""
    writer = csv.writer(_Line(), **dialect)
    return map(writer.writerow, rows)


def csv_download(name: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> StreamingHttpResponse:
    """A table as a file; texts of people that a spreadsheet would run as a formula are made harmless."""
    response = StreamingHttpResponse(_lines(head, rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def _lines(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    yield BYTE_ORDER_MARK
    yield from written_lines(chain([head], ([defused(cell) for cell in row] for row in rows)))


def defused(cell: object) -> object:
    """A cell that no spreadsheet runs."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(BEGINS_FORMULA) else cell

"""Tables that people open in a spreadsheet: no cell runs as a formula there, and programs can undo the protection."""

import csv
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from django.http import StreamingHttpResponse

BYTE_ORDER_MARK = "\ufeff"  # some spreadsheets do not recognise UTF-8 without it
QUOTE = "'"
FORMULA_SIGNS = frozenset("=+-@")
ENDS_OF_CELLS = ("\t", "\r", "\n")
UNSEEN = "ZCM"  # categories of Unicode: spaces, control and format characters, marks


class _Echo:
    """A file-like object whose `write` returns the line, so that `csv.writer.writerow` returns it too."""

    @staticmethod
    def write(line: str) -> str:
        return line


def written_lines(rows: Iterable[Sequence[object]], **dialect: Any) -> Iterator[str]:
    """Return the lines of a table in which no cell can run as a spreadsheet formula."""
    writer = csv.writer(_Echo(), **dialect)
    return (writer.writerow([defused(cell) for cell in row]) for row in rows)


def csv_download(name: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> StreamingHttpResponse:
    """Return a table as a CSV download."""
    lines = chain([BYTE_ORDER_MARK], written_lines(chain([head], rows)))
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def defused(cell: object) -> object:
    """Return the cell, quoted if a spreadsheet might run it as a formula.

    >>> defused("=1+1"), defused("1+1")
    ("'=1+1", '1+1')
    """
    return QUOTE + cell if isinstance(cell, str) and _might_run(cell) else cell


def as_before_defusing(cell: str) -> str:
    """Return the cell that `defused` was given.

    >>> as_before_defusing("'=1+1"), as_before_defusing("'tis")
    ('=1+1', "'tis")
    """
    return cell[1:] if cell.startswith(QUOTE) and _might_run(cell[1:]) else cell


def _might_run(cell: str) -> bool:
    """Whether a formula sign comes first for a spreadsheet, which may drop what is unseen and narrow wide signs.

    A quoted formula counts as one, so that quoting it once more can be told from quoting a formula.
    """
    text = cell.lstrip(QUOTE)
    if text[:1].isalnum():
        return False
    if text.startswith(ENDS_OF_CELLS):
        return True
    first = next((each for each in text if unicodedata.category(each)[0] not in UNSEEN), "")
    return unicodedata.normalize("NFKC", first)[:1] in FORMULA_SIGNS

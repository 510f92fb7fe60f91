"""The rows of a report as its page, its files and a terminal show them."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from reports.models import Report

Row = dict[str, Any]


def rows_of(report: Report, table: str, part: str | None = None) -> list[Row]:
    """Return the rows of a table, and if named of a part of the answers."""
    return [row for row in report.rows or [] if row["table"] == table and part in (None, row["part"])]


def found(rows: Iterable[Row], **wanted: str) -> Row | None:
    """Return the first of some rows that has these values."""
    return next((row for row in rows if all(row[name] == each for name, each in wanted.items())), None)


def system_name(name: str) -> str:
    return name or _("texts without a system")

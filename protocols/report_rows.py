"""The rows of a report on answers: one figure each, and as its page, its files and a terminal show them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from django.utils.translation import gettext as _

from common.console import Cell, Section, with_interval
from common.templatetags.formatting import decimal
from measures.core.confidence import ConfidenceInterval
from measures.core.drawn_sources import Ratio
from measures.core.intervals import Interval
from measures.core.undefined import Undefined
from reports.models import Report

ALL = "all"
"""The part of rows that are on all answers."""

AnyInterval = Interval | ConfidenceInterval | Undefined | None


@dataclass(frozen=True)
class ReportRow:
    """One figure: the table it is of, the part of the answers, whose it is, and what it is.

    `low` and `high` are the ends of its 95% interval; `reason` says why there is no value, `no_interval` why there is
    no interval. `n` counts what it is computed from, `sources` the sources of that.
    """

    table: str
    part: str
    group: str
    figure: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    sources: int | None = None
    reason: str = ""
    no_interval: str = ""

    @property
    def as_dict(self) -> dict[str, Any]:
        return dict(vars(self))


@dataclass(frozen=True)
class About:
    """What a row is about, before its value is known."""

    table: str
    part: str
    group: str

    def row(
        self,
        figure: str,
        value: float | Undefined | None,
        interval: AnyInterval = None,
        *,
        n: int | None = None,
        sources: int | None = None,
    ) -> ReportRow:
        """Return the row of a value, or of the reason why there is none."""
        place = (self.table, self.part, self.group, figure)
        if value is None or isinstance(value, Undefined):
            return ReportRow(*place, n=n, sources=sources, reason=value.reason if value else "")
        if interval is None or isinstance(interval, Undefined):
            why = interval.reason if interval else ""
            return ReportRow(*place, value, n=n, sources=sources, no_interval=why)
        return ReportRow(*place, value, interval.low, interval.high, n, sources)

    def ratio(self, figure: str, found: Ratio | Undefined, *, sign: int = 1) -> ReportRow:
        """Return the row of a ratio; with a `sign` of -1 it is turned round, and so is its interval."""
        if isinstance(found, Undefined):
            return self.row(figure, found)
        row = self.row(figure, sign * found.value + 0.0, found.interval, n=found.texts, sources=found.sources)
        if sign > 0 or row.low is None or row.high is None:
            return row
        return replace(row, low=-row.high + 0.0, high=-row.low + 0.0)


Row = dict[str, Any]
COLUMNS = tuple(each.name for each in fields(ReportRow))
"""The columns of such rows."""


def estimate_cell(row: Row | None) -> str:
    return with_interval(row["value"], row["low"], row["high"]) if row else "--"


def value_section(
    heading: str, table: str, *, of: Sequence[str] = (), sources: str = "Sources", note: str = ""
) -> Callable[[Report], Section]:
    """Return the section of a table with one value in a line; `of` are the heads of its part and group, if any."""

    def section(report: Report) -> Section:
        shown = rows_of(report, table)
        rows: list[Sequence[Cell]] = [
            (
                *((row["part"], row["group"]) if of else ()),
                row["figure"],
                estimate_cell(row),
                row["n"] or "",
                row["sources"] or "",
            )
            for row in shown
        ]
        reasons = dict.fromkeys(f"Undefined: {row['reason']}." for row in shown if row["reason"])
        numbers = ("Value [95%]", "n", sources)
        return Section(heading, (*of, "Figure", *numbers), rows, [*filter(None, [note]), *reasons], frozenset(numbers))

    return section


def rows_of(report: Report, table: str, part: str | None = None) -> list[Row]:
    """Return the rows of a table, and if named of a part of the answers."""
    return [row for row in report.rows or [] if row["table"] == table and part in (None, row["part"])]


def found(rows: Iterable[Row], **wanted: str) -> Row | None:
    """Return the first of some rows that has these values."""
    return next((row for row in rows if all(row[name] == each for name, each in wanted.items())), None)


def system_name(name: str) -> str:
    return name or _("texts without a system")


def estimate_words(row: Row) -> str:
    """Return a value with its interval in words."""
    if row["low"] is None:
        return decimal(row["value"])
    return _("%(value)s (%(low)s to %(high)s)") % {name: decimal(row[name]) for name in ("value", "low", "high")}

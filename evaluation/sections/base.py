"""What a section of the report is, and its rows."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.judged_release import JudgedRelease
from measures.core.undefined import Undefined

Row = dict[str, Any]
Figures = dict[str, Any]
COLUMNS = ("table", "judgement", "part_kind", "part", "metric", "other", "figure", "value", "low", "high", "n", "p")
"""The columns of every row; a table may have more."""


LEAST_INPUTS = 10
"""With fewer inputs, they say less about certainty than they seem to."""
TOO_FEW_INPUTS = Undefined(f"no two systems share {LEAST_INPUTS} inputs")


@dataclass(frozen=True)
class SectionResult:
    """The rows of a section, and what its plots are drawn from, by name.

    `by_pair` are rows of a metric and two systems, which pages show only for one metric.
    """

    rows: list[Row]
    figures: Figures
    by_pair: Sequence[Row] = ()


@dataclass(frozen=True)
class ReportSection:
    """A part of the report. Sections are computed by rank; every row is in the files.

    `cost` is its share of the work, for the progress of the job.
    """

    rank: int
    compute: Callable[[JudgedRelease], SectionResult]
    cost: int = 1


def row(table: str, figure: str, value: float | Undefined | None = None, **more: Any) -> Row:
    """Return a row with the columns that every row has, and those that its table needs beside.

    An undefined value is None, and `reason` says why.
    """
    known: Row = {**dict.fromkeys(COLUMNS), "table": table, "figure": figure, "reason": ""}
    for name in ("judgement", "part_kind", "part", "metric", "other"):
        known[name] = ""
    for name, each in {"value": value, **more}.items():
        if isinstance(each, Undefined):
            known[name] = None
            known["reason"] = known["reason"] or each.reason
        else:
            known[name] = plain(each)
    return known


def plain(value: Any) -> Any:
    """Return a value as JSON has it: numbers of NumPy become plain ones, NaN becomes None."""
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and math.isnan(value) else value

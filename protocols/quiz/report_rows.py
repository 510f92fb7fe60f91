"""A row of the report on a quiz: one figure, and what it is about."""

from dataclasses import dataclass
from typing import Any

from measures.core.confidence import ConfidenceInterval
from measures.core.intervals import Interval
from measures.core.undefined import Undefined

Row = dict[str, Any]
Ends = Interval | ConfidenceInterval | tuple[float, float] | Undefined | None
Value = float | Undefined | None
COLUMNS = (*("table", "first", "second", "group", "figure", "value", "low", "high", "n", "p", "p_adjusted", "reason"),)


@dataclass(frozen=True)
class About:
    """What a row is about: its table, the conditions or kinds that it compares, and what else it is of."""

    table: str
    first: str = ""
    second: str = ""
    group: str = ""

    def row(
        self,
        figure: str,
        value: Value,
        ends: Ends = None,
        *,
        n: int | None = None,
        p: Value = None,
        p_adjusted: Value = None,
    ) -> Row:
        """Return the row of a figure; what is undefined is empty, and its first reason is said."""
        reasons = [each.reason for each in (value, ends, p, p_adjusted) if isinstance(each, Undefined)]
        low, high = _ends(ends)
        return {
            **vars(self),
            **{"figure": figure, "value": _known(value), "low": low, "high": high, "n": n},
            **{"p": _known(p), "p_adjusted": _known(p_adjusted), "reason": reasons[0] if reasons else ""},
        }


def _known(value: Value) -> float | None:
    return None if value is None or isinstance(value, Undefined) else float(value)


def _ends(ends: Ends) -> tuple[float | None, float | None]:
    if ends is None or isinstance(ends, Undefined):
        return None, None
    low, high = ends if isinstance(ends, tuple) else (ends.low, ends.high)
    return float(low), float(high)

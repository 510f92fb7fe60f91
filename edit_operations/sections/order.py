"""The order in which people delete, replace, insert and move words, where there are logs of their edits."""

from typing import Any

from edit_operations.sections.base import ReleaseTexts, ReportSection, Row, row
from edit_operations.sections.shares import ratio_values
from measures.core.undefined import Undefined
from measures.keystrokes.edit_order import WORD_OPERATIONS, EditOrder, PlacedWord
from measures.keystrokes.order_summary import OperationPlace, order_summary

ORDER, ORDER_PAIRS = "order", "order pairs"
PLACE = "place in the log"
NAMES = ("p10", "p25", "p50", "p75", "p90")
NO_LOGS = "no text has a log of edits that begins with its source"


def order_rows(texts: ReleaseTexts) -> list[Row]:
    """Return where in the logs each operation takes place, and which of two begins first."""
    logged = [(line, log) for line in texts.people for log in line.text.order]
    orders = [EditOrder(tuple(PlacedWord(*word) for word in log), 0) for _line, log in logged]
    if not orders:
        return [row(ORDER, PLACE, group=name, n=0, reason=NO_LOGS) for name in WORD_OPERATIONS]
    families = texts.families([line for line, _log in logged]).tolist()
    summary = order_summary(orders, families, draws=texts.parameters.draws, seed=texts.parameters.seed)
    places = [row(ORDER, PLACE, group=name, **_place_values(place)) for name, place in summary.places.items()]
    pairs = [
        row(ORDER_PAIRS, later, group=earlier, **ratio_values(share, 0))
        for (earlier, later), share in summary.before.items()
    ]
    return places + pairs


def _place_values(place: OperationPlace | Undefined) -> dict[str, Any]:
    """Return the quantiles of the share of edits, and as `time_…` of the active time."""
    if isinstance(place, Undefined):
        return {"n": 0, "reason": place.reason}
    by_edits = dict(zip(NAMES, place.by_edits, strict=True))
    known: dict[str, Any] = {"value": by_edits["p50"], "n": place.texts, "words": place.words, **by_edits}
    if not isinstance(place.by_time, Undefined):
        known |= {f"time_{name}": value for name, value in zip(NAMES, place.by_time, strict=True)}
    return known


SECTIONS = [ReportSection(60, order_rows)]

"""How large a difference in a metric can be trusted: the pairs of systems by size, and the fitted curve."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from common.plots import Axis, linear_axis
from evaluation.page_rows import Row
from evaluation.sections.trusted_difference import HISTOGRAM
from evaluation.sections.trusted_difference import TABLE as TRUSTED


@dataclass(frozen=True)
class SizeBin:
    """Pairs whose scores differ by at least `low` and less than `high`, and what the ratings say of them."""

    low: float
    high: float
    pairs: int
    significant: int
    agree: int


@dataclass(frozen=True)
class DifferencePlot:
    """The share of pairs whose ratings agree with a difference of that size, as a path in a square of 100."""

    path: str
    bins: list[SizeBin]
    smallest: list[Row]
    people: int
    across: Axis
    upwards: Axis


def difference_plot(
    figures: Mapping[str, Any], rows: Iterable[Row], judgement: str, metric: str
) -> DifferencePlot | None:
    """Draw the curve of a metric; None if the report has no pairs for it."""
    stored = figures.get(HISTOGRAM, {}).get(judgement, {}).get(metric)
    if not stored or not stored["curve"]:
        return None
    most = max(stored["edges"][-1], stored["curve"][-1][0]) or 1.0
    smallest = [
        row for row in rows if row["table"] == TRUSTED and (row["judgement"], row["metric"]) == (judgement, metric)
    ]
    return DifferencePlot(
        _path(stored["curve"], most),
        _bins(stored),
        smallest,
        max((row.get("people") or 0 for row in smallest), default=0),
        linear_axis(_("Difference in %(metric)s") % {"metric": metric}, 0, most),
        linear_axis(_("Pairs where ratings go the same way"), 0, 1, percent=True).upwards,
    )


def _path(curve: Sequence[Sequence[float]], most: float) -> str:
    """Return the steps of the curve: it begins at the smallest difference of any pair."""
    size, agreement = curve[0]
    steps = "".join(f"H{100 * size / most:g}V{100 - 100 * agreement:g}" for size, agreement in curve[1:])
    return f"M{100 * size / most:g} {100 - 100 * agreement:g}{steps}H100"


def _bins(stored: Mapping[str, Sequence[Any]]) -> list[SizeBin]:
    """Return the bins that hold any pair."""
    edges = stored["edges"]
    counts = zip(edges, edges[1:], stored["all"], stored["significant"], stored["agree"], strict=False)
    return [SizeBin(*each) for each in counts if each[2]]

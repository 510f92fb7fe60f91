"""The plot on the page of scores: systems by their mean score."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from common.plots import linear_axis
from common.row_plots import Dot, Place, PlotRow, RowPlot
from reports.figures import Figure
from scoring.selectors import SystemLine


def system_figure(systems: Sequence[SystemLine], metric: str, *, is_jackknifed: bool) -> Figure:
    """Draw the means by a metric with their intervals, from 0 to 1 or as far as they go."""
    ends = [each.cell[name] for each in systems for name in ("low", "high")]
    place = Place(min(0.0, *ends), max(1.0, *ends))
    rows = [PlotRow(each.system, dots=[_dot(place, each.cell)]) for each in systems]
    caption = (
        _("Jackknifed means by system, each with its 95% bootstrap interval over the sources.")
        if is_jackknifed
        else _("Means by system, each with its 95% bootstrap interval over the sources.")
    )
    axis = linear_axis(_("Mean score by %(metric)s") % {"metric": metric}, place.low, place.high)
    return Figure("systems", _("Systems by %(metric)s") % {"metric": metric}, caption, RowPlot(rows, axis))


def _dot(place: Place, cell: dict[str, float]) -> Dot:
    words = _("%(value).3f, %(low).3f to %(high).3f") % cell
    return place.dot(cell["value"], words, cell["low"], cell["high"])

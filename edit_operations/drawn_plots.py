"""The plots of a report with their words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from common.row_plots import RowPlot
from common.words import Words
from edit_operations.page_tables import CLASSES, TOKENS, Comparison, PartLine, ReportRows
from edit_operations.page_words import HEADINGS, mean_caption
from edit_operations.plots import difference_plot, mean_plot, order_plot, system_plot
from edit_operations.sections.base import Row

MAX_DRAWN = 12


@dataclass(frozen=True)
class DrawnPlot:
    """A plot with its words; `full` and `hollow` say what the dots are, `hidden` how many rows are not drawn."""

    heading: Words
    caption: str
    plot: RowPlot
    full: str = ""
    hollow: str = ""
    hidden: int = 0

    def __bool__(self) -> bool:
        return bool(self.plot)


def drawn_parts(draw: Callable[[Sequence[PartLine]], RowPlot], part: str, lines: Sequence[PartLine]) -> DrawnPlot:
    """Draw the parts with the most compressions, in the report's order."""
    largest = sorted(lines, key=lambda line: -(line.texts or 0))[:MAX_DRAWN]
    shown = [line for line in lines if line in largest]
    caption = _("Each row is 100%.")
    return DrawnPlot(HEADINGS[part], caption, draw(shown), hidden=len(lines) - len(shown))


def quality_plots(cells: Sequence[Comparison], means: str) -> list[DrawnPlot]:
    return [
        DrawnPlot(
            _("Difference that goes with an operation"),
            _("To the right of the line, compressions with the operation are rated higher. Lines are 95% intervals."),
            difference_plot(cells),
        ),
        DrawnPlot(
            _("Mean ratings with and without an operation"),
            mean_caption(means),
            mean_plot(cells),
            full=_("present"),
            hollow=_("absent"),
        ),
    ]


def drawn_order(rows: ReportRows) -> DrawnPlot:
    caption = _("The dot is the median, the bar the middle half, the line the middle 80% of the edits.")
    return DrawnPlot(_("When people edit"), caption, order_plot(rows))


def drawn_systems(rows: Sequence[Row]) -> DrawnPlot:
    caption = _("To the right of the line, the system does it more often than people on the same sources.")
    return DrawnPlot(_("Systems minus people"), caption, system_plot(rows, (*TOKENS, *CLASSES)))

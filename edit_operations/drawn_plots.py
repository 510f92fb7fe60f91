"""The plots of a report with their words."""

from collections.abc import Callable, Sequence

from django.utils.translation import gettext as _

from common.row_plots import RowPlot
from edit_operations.page_tables import CLASSES, TOKENS, Comparison, PartLine, ReportRows
from edit_operations.page_words import mean_caption
from edit_operations.plots import class_plot, difference_plot, mean_plot, order_plot, system_plot, word_plot
from edit_operations.sections.base import Row
from reports.figures import Figure

MAX_DRAWN = 12


def drawn_words(lines: Sequence[PartLine]) -> Figure:
    return _drawn_parts("words", _("Words"), word_plot, lines)


def drawn_kinds(lines: Sequence[PartLine]) -> Figure:
    return _drawn_parts("kinds", _("Kinds of compression"), class_plot, lines)


def _drawn_parts(
    key: str, title: str, draw: Callable[[Sequence[PartLine]], RowPlot], lines: Sequence[PartLine]
) -> Figure:
    """Draw the parts with the most compressions, in the report's order."""
    largest = sorted(lines, key=lambda line: -(line.texts or 0))[:MAX_DRAWN]
    shown = [line for line in lines if line in largest]
    return Figure(key, title, _("Each row is 100%."), draw(shown), len(lines) - len(shown))


def quality_plots(cells: Sequence[Comparison], means: str) -> list[Figure]:
    return [
        Figure(
            "differences",
            _("Difference that goes with an operation"),
            _("To the right of the line, compressions with the operation are rated higher. Lines are 95% intervals."),
            difference_plot(cells),
        ),
        Figure(
            "means",
            _("Mean ratings with and without an operation"),
            mean_caption(means),
            mean_plot(cells),
        ),
    ]


def drawn_order(rows: ReportRows) -> Figure:
    caption = _("The dot is the median, the bar the middle half, the line the middle 80% of the edits.")
    return Figure("order", _("When people edit"), caption, order_plot(rows))


def drawn_systems(rows: Sequence[Row]) -> Figure:
    caption = _("To the right of the line, the system does it more often than people on the same sources.")
    return Figure("systems", _("Systems minus people"), caption, system_plot(rows, (*TOKENS, *CLASSES)))

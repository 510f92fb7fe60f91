"""Plots of one metric: how large a difference in it can be trusted, and its outputs by score and rating."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.charts import DOTS, LEFT_FROM, Chart, Curve
from common.plots import linear_axis
from common.row_plots import Place
from compressions.genres import genre_words
from evaluation.metric_outputs import Disagreements, RatedOutput, sampled
from evaluation.page_rows import Row
from evaluation.plots import place_of
from evaluation.sections.trusted_difference import HISTOGRAM
from evaluation.sections.trusted_difference import TABLE as TRUSTED
from reports.figures import Figure


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
    """The share of pairs whose ratings agree with a difference of that size, and the numbers beside it."""

    figure: Figure
    bins: list[SizeBin]
    smallest: list[Row]


def difference_plot(
    figures: Mapping[str, Any], rows: Iterable[Row], judgement: str, name: str, metric: str
) -> DifferencePlot | None:
    """Draw the curve of a metric; None if the report has no pairs for it."""
    stored = figures.get(HISTOGRAM, {}).get(judgement, {}).get(metric)
    if not stored or not stored["curve"]:
        return None
    most = max(stored["edges"][-1], stored["curve"][-1][0]) or 1.0
    smallest = [
        row for row in rows if row["table"] == TRUSTED and (row["judgement"], row["metric"]) == (judgement, metric)
    ]
    people = max((row.get("people") or 0 for row in smallest), default=0)
    chart = Chart(
        linear_axis(_("Difference in %(metric)s") % {"metric": metric}, 0, most),
        linear_axis(_("Pairs where ratings go the same way"), 0, 1, percent=True).upwards,
        curves=[Curve(_path(stored["curve"], most), _to_the_edge(stored["curve"], most), is_stepped=True)],
    )
    figure = Figure("differences", _("Ratings that go the same way"), _caption(metric, name, people), chart)
    return DifferencePlot(figure, _bins(stored), smallest)


def _caption(metric: str, name: str, people: int) -> str:
    words = _(
        "Of the pairs of systems whose mean scores by %(metric)s differ so much: the share whose mean ratings "
        "(%(name)s) differ in the same direction.%(people)s The line never falls: it is fitted to the pairs (isotonic "
        "regression) and describes these only."
    )
    counted = ngettext(" One person counts as a system.", " %(n)s people count as systems.", people) % {"n": people}
    return words % {"metric": metric, "name": name, "people": counted if people else ""}


def _path(curve: Sequence[Sequence[float]], most: float) -> str:
    """Return the steps of the curve: it begins at the smallest difference of any pair."""
    size, agreement = curve[0]
    steps = "".join(f"H{100 * size / most:g}V{100 - 100 * agreement:g}" for size, agreement in curve[1:])
    return f"M{100 * size / most:g} {100 - 100 * agreement:g}{steps}H100"


def _to_the_edge(curve: Sequence[Sequence[float]], most: float) -> list[tuple[float, float]]:
    """Return where the steps begin, and where the last one ends."""
    points = [(size, agreement) for size, agreement in curve]
    size, agreement = points[-1]
    return points if size >= most else [*points, (most, agreement)]


def _bins(stored: Mapping[str, Sequence[Any]]) -> list[SizeBin]:
    """Return the bins that hold any pair."""
    edges = stored["edges"]
    counts = zip(edges, edges[1:], stored["all"], stored["significant"], stored["agree"], strict=False)
    return [SizeBin(*each) for each in counts if each[2]]


MAX_BRUSHED = 12
"""With more genres, buttons for all of them would take more room than the plot."""


@dataclass(frozen=True)
class Mark:
    """A ring around the dot of outputs that stand in the list below the plot, with their numbers there."""

    numbers: str
    first: int
    x: float
    y: float
    words: str

    @property
    def is_left(self) -> bool:
        """Whether its numbers stand to the left of it, for want of room."""
        return self.x > LEFT_FROM


@dataclass(frozen=True)
class OutputPlot:
    """The metric against people, a dot for each output, and the rings around those that are listed."""

    figure: Figure
    dots: Sequence[Curve]
    marks: list[Mark]

    @property
    def has_brush(self) -> bool:
        """Whether the genres can be told apart by buttons."""
        return 1 < len(self.dots) <= MAX_BRUSHED


def output_plot(outputs: Sequence[RatedOutput], found: Disagreements, seed: int, metric: str, name: str) -> OutputPlot:
    x, y = place_of([each.score for each in outputs]), place_of([each.rating for each in outputs])
    drawn = sampled(outputs, seed)
    rings: dict[tuple[float, float], list[int]] = {}
    listed = [*found.above, *found.below]
    for number, each in enumerate(listed, 1):
        rings.setdefault(_at(each, x, y), []).append(number)
    marks = [
        Mark(", ".join(map(str, numbers)), numbers[0], *place, _words(numbers, listed[numbers[0] - 1]))
        for place, numbers in rings.items()
    ]
    across = linear_axis(_("Score by %(metric)s") % {"metric": metric}, x.low, x.high)
    upwards = linear_axis(_("Mean rating: %(name)s") % {"name": name}, y.low, y.high).upwards
    dots = [_dots_of(genre, drawn, x, y) for genre in sorted({each.source.genre for each in drawn})]
    title = _("Outputs by %(metric)s and by ratings: %(name)s") % {"metric": metric, "name": name}
    chart = Chart(across, upwards, curves=dots, height=280)
    return OutputPlot(Figure("outputs", title, _drawn_words(len(drawn), len(outputs)), chart), dots, marks)


def _drawn_words(drawn: int, outputs: int) -> str:
    if drawn < outputs:
        words = _("A dot is an output: {drawn:,} of {all:,} are drawn, chosen at random.")
    else:
        words = ngettext(
            "{all:,} output with a score and a rating.",
            "A dot is an output: {all:,} have a score and a rating.",
            outputs,
        )
    return words.format(drawn=drawn, all=outputs)


def _at(output: RatedOutput, x: Place, y: Place) -> tuple[float, float]:
    """Return where the dot of an output is, from the left and from the top."""
    return round(x(output.score), 2), round(100 - y(output.rating), 2)


def _dots_of(genre: str, outputs: Iterable[RatedOutput], x: Place, y: Place) -> Curve:
    """Return the outputs of a genre, with its name for people."""
    own = [each for each in outputs if each.source.genre == genre]
    path = "".join(f"M{across:g} {down:g}h0" for across, down in (_at(each, x, y) for each in own))
    about = [{"system": each.system, "source": each.source.source_id} for each in own]
    name = str(genre_words(genre)) if genre else _("no genre")
    return Curve(path, [(each.score, each.rating) for each in own], name, DOTS, about)


def _words(numbers: Sequence[int], output: RatedOutput) -> str:
    values = {
        "numbers": ", ".join(map(str, numbers)),
        "score": f"{output.score:.3f}",
        "rating": f"{output.rating:.2f}",
    }
    words = ngettext(
        "Output %(numbers)s of the list: score %(score)s, rating %(rating)s",
        "Outputs %(numbers)s of the list: score %(score)s, rating %(rating)s",
        len(numbers),
    )
    return words % values

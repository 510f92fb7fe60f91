"""A metric against people, output by output: dots by genre, and rings where the two disagree most."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.plots import Axis, linear_axis
from compressions.genres import genre_words
from evaluation.metric_outputs import Disagreements, RatedOutput, sampled
from evaluation.plots import LEFT_FROM, Place

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
class GenreDots:
    """The dots of a genre, with its name for people."""

    name: str
    path: str


@dataclass(frozen=True)
class OutputPlot:
    """The metric against people, a dot for each output: those of a genre are one path in a square of 100."""

    genres: list[GenreDots]
    marks: list[Mark]
    drawn: int
    across: Axis
    upwards: Axis

    @property
    def has_brush(self) -> bool:
        """Whether the genres can be told apart by buttons."""
        return 1 < len(self.genres) <= MAX_BRUSHED


def output_plot(outputs: Sequence[RatedOutput], found: Disagreements, seed: int, metric: str, name: str) -> OutputPlot:
    x, y = Place([each.score for each in outputs]), Place([each.rating for each in outputs])
    drawn = sampled(outputs, seed)
    rings: dict[tuple[float, float], list[int]] = {}
    listed = [*found.above, *found.below]
    for number, each in enumerate(listed, 1):
        rings.setdefault((x(each.score), y.up(each.rating)), []).append(number)
    marks = [
        Mark(", ".join(map(str, numbers)), numbers[0], *place, _words(numbers, listed[numbers[0] - 1]))
        for place, numbers in rings.items()
    ]
    return OutputPlot(
        _genre_dots(drawn, x, y),
        marks,
        len(drawn),
        linear_axis(_("Score by %(metric)s") % {"metric": metric}, x.low, x.high),
        linear_axis(_("Mean rating: %(name)s") % {"name": name}, y.low, y.high).upwards,
    )


def _genre_dots(outputs: Iterable[RatedOutput], x: Place, y: Place) -> list[GenreDots]:
    paths: dict[str, str] = {}
    for each in outputs:
        paths[each.source.genre] = f"{paths.get(each.source.genre, '')}M{x(each.score):g} {y.up(each.rating):g}h0"
    return [GenreDots(str(genre_words(genre)) if genre else _("no genre"), paths[genre]) for genre in sorted(paths)]


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

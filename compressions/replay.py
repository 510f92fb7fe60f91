"""The writing of a compression, laid out on a timeline for staff to replay."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.plots import Axis, Tick
from common.templatetags.formatting import seconds
from common.words import Words
from compressions.fusions import pair_of
from compressions.models import Compression
from compressions.services.submission import beginning
from measures.core.undefined import Undefined
from measures.keystrokes import source_shares
from measures.keystrokes.edit_log import Kind, Operation, edit_history, parse_log, snapshots
from measures.keystrokes.effort import MAX_AT_ONCE, Effort, effort

MAX_DRAWN_MS = 5_000
SHOWN_PAUSE_MS = 2_000
MIN_TICK_GAP = 20.0  # percent of the timeline
MAX_HEIGHT = 26
MAX_HISTORY_LENGTH = 1_000_000
KINDS: dict[Kind, Words] = {
    Kind.TYPING: gettext_lazy("typing"),
    Kind.DELETION: gettext_lazy("deletion"),
    Kind.PASTE: gettext_lazy("paste"),
    Kind.CUT: gettext_lazy("cut"),
    Kind.DROP: gettext_lazy("drop"),
    Kind.UNDO: gettext_lazy("undo"),
    Kind.REDO: gettext_lazy("redo"),
    Kind.AUTOCORRECT: gettext_lazy("autocorrect"),
    Kind.COMPOSITION: gettext_lazy("composition"),
    Kind.OTHER: gettext_lazy("other"),
    Kind.SCRIPTED: gettext_lazy("by a program"),
    Kind.LEAVE: gettext_lazy("left the page"),
    Kind.RETURN: gettext_lazy("return"),
    Kind.SOURCE: gettext_lazy("taken from a source"),
    Kind.MERGED: gettext_lazy("merged"),
}


class Way(StrEnum):
    """What the band under the timeline tells apart; the colours are in staff.css."""

    TYPED = "typed"
    COMPOSED = "composed"
    CORRECTED = "corrected"
    PASTED = "came-in"
    TAKEN = "taken"
    DELETED = "deleted"
    UNDONE = "undone"
    SCRIPTED = "scripted"
    MERGED = "merged"
    PAUSE = "still"
    AWAY = "away"


WAY_WORDS: dict[Way, Words] = {
    Way.TYPED: gettext_lazy("Typed key by key."),
    Way.COMPOSED: gettext_lazy("Words or phrases at once: by an input method, a swipe, a prediction or dictation."),
    Way.CORRECTED: gettext_lazy("A spell checker or keyboard put something right."),
    Way.PASTED: gettext_lazy("Pasted or dropped."),
    Way.TAKEN: gettext_lazy("Taken from one of the two sentences: by a button, pasted or dropped."),
    Way.DELETED: gettext_lazy("Deleted or cut."),
    Way.UNDONE: gettext_lazy("Undone or done again."),
    Way.SCRIPTED: gettext_lazy("By a script, an extension, or a button of the page."),
    Way.MERGED: gettext_lazy("Several changes as one, because there were so many: when each came is not known."),
    Way.PAUSE: gettext_lazy("Dots: no change for two seconds or longer; the page was in sight."),
    Way.AWAY: gettext_lazy("Hatched: the page was out of sight; where the editor was is not known."),
}
WAY_OF = {
    Kind.TYPING: Way.TYPED,
    Kind.COMPOSITION: Way.COMPOSED,
    Kind.AUTOCORRECT: Way.CORRECTED,
    Kind.PASTE: Way.PASTED,
    Kind.DROP: Way.PASTED,
    Kind.DELETION: Way.DELETED,
    Kind.CUT: Way.DELETED,
    Kind.UNDO: Way.UNDONE,
    Kind.REDO: Way.UNDONE,
    Kind.OTHER: Way.SCRIPTED,
    Kind.SCRIPTED: Way.SCRIPTED,
    Kind.SOURCE: Way.TAKEN,
    Kind.MERGED: Way.MERGED,
}


@dataclass(frozen=True)
class Step:
    """One operation: `x` is its position on the timeline in percent, `pause_x` the start of the pause before it."""

    number: int
    operation: Operation
    x: float
    pause_x: float
    pause_ms: int

    @property
    def kind_words(self) -> Words:
        return KINDS[self.operation.kind]

    @property
    def is_pause(self) -> bool:
        return self.pause_ms >= SHOWN_PAUSE_MS

    @property
    def pause_width(self) -> float:
        return round(self.x - self.pause_x, 3)

    @property
    def is_return(self) -> bool:
        return self.operation.kind == Kind.RETURN

    @property
    def is_paste(self) -> bool:
        return self.operation.kind in {Kind.PASTE, Kind.DROP}

    @property
    def inserted_height(self) -> int:
        return _height(self.operation.inserted)

    @property
    def removed_height(self) -> int:
        return _height(self.operation.removed)

    @property
    def inserted_top(self) -> int:
        return MAX_HEIGHT + 4 - self.inserted_height


@dataclass
class BandPart:
    """A stretch of the band in percent of the timeline; one without a width is a change after a pause."""

    way: Way
    x: float
    end: float

    @property
    def width(self) -> float:
        return round(self.end - self.x, 3)

    @property
    def words(self) -> Words:
        return WAY_WORDS[self.way]


@dataclass(frozen=True)
class Replay:
    start: str
    steps: tuple[Step, ...]
    effort: Effort
    history: str | None

    @cached_property
    def band(self) -> list[BandPart]:
        """How the text came about along the timeline: neighbours of one way are one part; the narrow lie on top."""
        parts: list[BandPart] = []
        for way, x, end in _stretches(self.steps):
            if parts and parts[-1].way == way and parts[-1].end == x:
                parts[-1].end = end
            else:
                parts.append(BandPart(way, x, end))
        return sorted(parts, key=lambda part: not part.width)

    @property
    def ways(self) -> list[tuple[Way, Words]]:
        """The legend: only what is drawn."""
        drawn = {part.way for part in self.band}
        return [(way, words) for way, words in WAY_WORDS.items() if way in drawn]

    @property
    def time_axis(self) -> Axis:
        """The time of some edits where they are drawn; between them it is not to scale, since pauses are cut."""
        ticks = [Tick(0.0, seconds(0))]
        for step in self.steps:
            if step.x - ticks[-1].at >= MIN_TICK_GAP:
                ticks.append(Tick(step.x, seconds(step.operation.at_ms)))
        return Axis(_("Time since the text was opened"), ticks)


def replay_of(compression: Compression) -> Replay:
    start = beginning(compression.source.text, compression.started_from)
    operations = parse_log(compression.edit_log)
    measured = effort(compression.source.text, start, operations)
    return Replay(start, tuple(steps_of(operations)), measured, _history(start, operations))


def _history(start: str, operations: tuple[Operation, ...]) -> str | None:
    """Return the snapshots; None if many edits of a long text make them too large for a page."""
    length = 0
    for text in snapshots(start, operations):
        length += len(text)
        if length > MAX_HISTORY_LENGTH:
            return None
    return edit_history(start, operations)


def steps_of(operations: tuple[Operation, ...]) -> Iterator[Step]:
    """Position the operations in proportion to time, drawing no pause longer than `MAX_DRAWN_MS`."""
    times = [0, *(operation.at_ms for operation in operations)]
    pauses = [later - earlier for earlier, later in pairwise(times)]
    drawn = [min(pause, MAX_DRAWN_MS) for pause in pauses]
    total, before = max(1, sum(drawn)), 0
    for number, (operation, pause, width) in enumerate(zip(operations, pauses, drawn, strict=True), start=1):
        x, pause_x = 100 * (before + width) / total, 100 * before / total
        yield Step(number, operation, round(x, 3), round(pause_x, 3), pause)
        before += width


def _stretches(steps: Iterable[Step]) -> Iterator[tuple[Way, float, float]]:
    """Yield what fills the time before each operation, and the operation where that is not its own time."""
    is_away = False
    for step in steps:
        way = _way_of(step.operation)
        if is_away or step.is_pause:
            yield (Way.AWAY if is_away else Way.PAUSE), step.pause_x, step.x
            if way:
                yield way, step.x, step.x
        elif way:
            yield way, step.pause_x, step.x
        is_away = step.operation.kind is Kind.LEAVE or (is_away and step.operation.kind is not Kind.RETURN)


def _way_of(edit: Operation) -> Way | None:
    is_phrase = edit.kind is Kind.TYPING and len(edit.inserted) - len(edit.removed) > MAX_AT_ONCE
    return Way.COMPOSED if is_phrase else WAY_OF.get(edit.kind)


def _height(text: str) -> int:
    """Return the height in pixels of a bar for a text; it grows with the logarithm of the length."""
    return min(MAX_HEIGHT, 4 * len(text).bit_length())


def shares_of(compression: Compression) -> list[tuple[str, float | None]]:
    """Return in words and figures how much of a fusion was taken from each sentence; None where that is not known."""
    found = source_shares(pair_of(compression.source.text), parse_log(compression.edit_log))
    shares = (None, None, None) if isinstance(found, Undefined) else (*found.sources, found.own)
    words = _("From the first sentence"), _("From the second sentence"), _("Own words")
    return list(zip(words, shares, strict=True))

"""A compression being written, laid out along a line of time for staff to watch."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from compressions.edit_logs import beginning
from compressions.models import Compression
from measures.keystrokes.edit_log import Kind, Operation, edit_history, parse_log, snapshots
from measures.keystrokes.effort import Effort, effort

MAX_DRAWN_MS = 5_000
SHOWN_PAUSE_MS = 2_000
MAX_HEIGHT = 26
MAX_HISTORY_LENGTH = 1_000_000


@dataclass(frozen=True)
class Step:
    """One operation: `x` is its place on the line in percent, `pause_x` where the pause before it begins."""

    number: int
    operation: Operation
    x: float
    pause_x: float
    pause_ms: int

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


@dataclass(frozen=True)
class Replay:
    start: str
    steps: tuple[Step, ...]
    effort: Effort
    history: str | None


def replay_of(compression: Compression) -> Replay:
    start = beginning(compression.source.text, compression.started_from)
    operations = parse_log(compression.edit_log)
    measured = effort(compression.source.text, start, operations)
    return Replay(start, tuple(_steps(operations)), measured, _history(start, operations))


def _history(start: str, operations: tuple[Operation, ...]) -> str | None:
    """The snapshots; none where a log of many edits of a long text makes more of them than a page can show."""
    length = 0
    for text in snapshots(start, operations):
        length += len(text)
        if length > MAX_HISTORY_LENGTH:
            return None
    return edit_history(start, operations)


def _steps(operations: tuple[Operation, ...]) -> Iterator[Step]:
    """Places in proportion to time, but no pause is drawn longer than five seconds of work."""
    times = [0, *(operation.at_ms for operation in operations)]
    pauses = [later - earlier for earlier, later in pairwise(times)]
    drawn = [min(pause, MAX_DRAWN_MS) for pause in pauses]
    whole, before = max(1, sum(drawn)), 0
    for number, (operation, pause, width) in enumerate(zip(operations, pauses, drawn, strict=True), start=1):
        x, pause_x = 100 * (before + width) / whole, 100 * before / whole
        yield Step(number, operation, round(x, 3), round(pause_x, 3), pause)
        before += width


def _height(text: str) -> int:
    """Pixels for an amount of text: each doubling adds as much."""
    return min(MAX_HEIGHT, 4 * len(text).bit_length())

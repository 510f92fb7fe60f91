"""The time axis under a replay."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from compressions.replay import MIN_TICK_GAP, Replay, Step
from measures.keystrokes.edit_log import Kind, Operation
from measures.keystrokes.effort import effort

MOMENTS = st.lists(st.integers(0, 600_000), max_size=60).map(sorted)


def replay_at(moments: list[int]) -> Replay:
    """Edits at these moments, drawn to scale."""
    last = max(moments, default=1) or 1
    operations = [Operation(0, "", "a", Kind.TYPING, at) for at in moments]
    steps = (
        Step(number, operation, 100 * operation.at_ms / last, 0, 0)
        for number, operation in enumerate(operations, start=1)
    )
    return Replay("", tuple(steps), effort("", "", ()), None)


def test_ticks_say_when_the_edit_was_made_that_is_drawn_there() -> None:
    ticks = replay_at([1_000, 1_100, 30_000, 60_000]).time_axis.ticks

    assert [(tick.label, round(tick.at)) for tick in ticks] == [("0.0 s", 0), ("30.0 s", 50), ("1 min 0 s", 100)]


@given(MOMENTS)
def test_ticks_never_overlap(moments: list[int]) -> None:
    places = [tick.at for tick in replay_at(moments).time_axis.ticks]

    assert places[0] == 0
    assert all(later - earlier >= MIN_TICK_GAP for earlier, later in itertools.pairwise(places))

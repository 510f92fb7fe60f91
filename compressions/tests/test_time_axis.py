"""The time axis and the band under a replay."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from compressions.replay import KINDS, MIN_TICK_GAP, WAY_OF, WAY_WORDS, Replay, Step, steps_of
from measures.keystrokes.edit_log import NO_CHANGES, Kind, Operation
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


def band_of(*log: tuple[Kind, str, int]) -> list[tuple[str, float, float]]:
    """The parts of the band of a log, whose times are those drawn: none is longer than five seconds."""
    operations = tuple(Operation(0, "", inserted, kind, at_ms) for kind, inserted, at_ms in log)
    replay = Replay("", tuple(steps_of(operations)), effort("", "", ()), None)
    total = log[-1][2] / 100
    parts = [(part.way, round(part.x * total), round(part.width * total)) for part in replay.band]
    assert [not width for *_, width in parts] == sorted(not width for *_, width in parts)
    return sorted(parts, key=lambda part: part[1])


def test_the_band_has_a_part_for_each_way_a_text_comes_about() -> None:
    typing = [(Kind.TYPING, "a", at_ms) for at_ms in (200, 400, 700)]
    assert band_of(*typing, (Kind.DELETION, "", 900), (Kind.CUT, "", 1_000), (Kind.TYPING, "a phrase", 1_500)) == [
        ("typed", 0, 700),
        ("deleted", 700, 300),
        ("composed", 1_000, 500),
    ]


def test_pauses_and_absences_are_drawn_and_what_comes_after_them_is_seen() -> None:
    assert band_of(
        (Kind.TYPING, "a", 1_000),
        (Kind.PASTE, "phrase", 4_000),
        (Kind.LEAVE, "", 4_500),
        (Kind.SCRIPTED, "phrase", 5_000),
        (Kind.RETURN, "", 6_000),
        (Kind.TYPING, "b", 8_500),
        (Kind.TYPING, "c", 9_000),
    ) == [
        ("typed", 0, 1_000),
        ("still", 1_000, 3_000),
        ("came-in", 4_000, 0),
        ("away", 4_500, 500),
        ("away", 5_000, 1_000),
        ("scripted", 5_000, 0),
        ("still", 6_000, 2_500),
        ("typed", 8_500, 500),
    ]


def test_every_kind_has_words_and_every_change_a_way_with_words() -> None:
    assert set(KINDS) == set(Kind)
    assert set(WAY_OF) == set(Kind) - set(NO_CHANGES)
    assert set(WAY_OF.values()) < set(WAY_WORDS)

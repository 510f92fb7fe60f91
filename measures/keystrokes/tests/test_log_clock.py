"""A log that lasts longer than its author had the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.keystrokes.edit_log import Kind, Operation, dump_log, parse_log, replay, without_leaving
from measures.keystrokes.log_bounds import ClockSlack, too_long_for, watched_time
from measures.keystrokes.tests.histories import History, histories

STEPS = st.lists(st.tuples(st.integers(0, 90_000), st.booleans()), max_size=30)


def log_of(steps: list[tuple[int, bool]]) -> list[Operation]:
    """A log of gaps; True for a return after the gap."""
    log, at_ms = [], 0
    for gap, is_return in steps:
        at_ms += gap
        log.append(Operation(0, "", "" if is_return else "x", Kind.RETURN if is_return else Kind.TYPING, at_ms))
    return log


@pytest.mark.parametrize(("sent_ms", "is_found"), [(0, True), (84_000, True), (84_200, False), (10**9, False)])
def test_some_seconds_are_forgiven(sent_ms: int, is_found: bool) -> None:
    assert (too_long_for(log_of([(100_000, False)]), sent_ms) is not None) == is_found


@given(STEPS, st.integers(0, 10**7))
def test_whoever_had_the_text_as_long_as_the_log_is_never_named(steps: list[tuple[int, bool]], wait: int) -> None:
    log = log_of(steps)
    assert too_long_for(log, (log[-1].at_ms if log else 0) + wait, ClockSlack(0, 0)) is None


@given(STEPS, st.integers(0, 30 * 24 * 3_600_000))
def test_a_wrong_clock_while_away_does_not_count(steps: list[tuple[int, bool]], wrong_by: int) -> None:
    assert watched_time(log_of([*steps, (wrong_by, True)])) == watched_time(log_of(steps))


@given(histories())
def test_a_log_without_leaving_is_a_log_of_the_same_text_that_lasts_no_longer(history: History) -> None:
    start, log, _states = history

    kept = without_leaving(log)

    assert [operation.kind for operation in kept] == [each.kind for each in log if each.kind is not Kind.LEAVE]
    assert parse_log(dump_log(kept)) == kept
    assert replay(start, kept) == history.text
    assert watched_time(kept) <= watched_time(log)

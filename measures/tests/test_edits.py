"""Reading and replaying the history of a text field."""

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.edits import (
    LONGEST_LOG_MS,
    EditLogError,
    Kind,
    Operation,
    dump_log,
    parse_log,
    replay,
    snapshots,
)

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=8)


@st.composite
def histories(draw: st.DrawFn) -> tuple[str, list[Operation], list[str]]:
    """A start, operations that fit it, and the text after each."""
    start = text = draw(texts)
    operations, states, at_ms = [], [], 0
    for _ in range(draw(st.integers(0, 12))):
        position = draw(st.integers(0, len(text)))
        stop = draw(st.integers(position, len(text)))
        inserted = draw(texts)
        at_ms += draw(st.integers(0, 5000))
        operations.append(Operation(position, text[position:stop], inserted, draw(st.sampled_from(Kind)), at_ms))
        text = text[:position] + inserted + text[stop:]
        states.append(text)
    return start, operations, states


@given(histories())
def test_replay_gives_what_was_typed(history: tuple[str, list[Operation], list[str]]) -> None:
    start, operations, states = history
    assert list(snapshots(start, operations)) == states
    assert replay(start, operations) == (states[-1] if states else start)


@given(histories())
def test_a_log_survives_json(history: tuple[str, list[Operation], list[str]]) -> None:
    _, operations, _ = history
    assert parse_log(json.loads(json.dumps(dump_log(operations)))) == tuple(operations)


@given(histories())
def test_going_back_gives_the_start(history: tuple[str, list[Operation], list[str]]) -> None:
    start, operations, _ = history
    back = [Operation(o.position, o.inserted, o.removed, Kind.UNDO, 0) for o in reversed(operations)]
    assert replay(replay(start, operations), back) == start


def test_positions_are_code_points() -> None:
    assert replay("😀b", [Operation(1, "b", "c", Kind.TYPING, 0)]) == "😀c"


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        (Operation(4, "", "x", Kind.TYPING, 0), "operation 1: position 4 outside a text of 3 characters"),
        (Operation(-1, "", "x", Kind.TYPING, 0), "operation 1: position -1 outside"),
        (Operation(0, "b", "x", Kind.TYPING, 0), "operation 1: what it removes does not stand at position 0"),
        (Operation(1, "bcd", "x", Kind.TYPING, 0), "operation 1: what it removes"),
    ],
)
def test_replay_refuses_what_does_not_fit(operation: Operation, reason: str) -> None:
    with pytest.raises(EditLogError, match=reason) as caught:
        replay("ab", [Operation(2, "", "c", Kind.TYPING, 0), operation])
    assert caught.value.index == 1


GOOD = [0, "", "a", "typing", 10]


@pytest.mark.parametrize("raw", [None, {}, "[]", 3, (GOOD,)])
def test_a_log_is_a_list(raw: object) -> None:
    with pytest.raises(EditLogError, match="log: not a list") as caught:
        parse_log(raw)
    assert caught.value.index is None


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (None, "not a list of"),
        ([0, "", "a", "typing"], "not a list of"),
        ([*GOOD, 1], "not a list of"),
        ({}, "not a list of"),
        ([True, "", "a", "typing", 10], "position"),
        ([1.0, "", "a", "typing", 10], "position"),
        (["1", "", "a", "typing", 10], "position"),
        ([-1, "", "a", "typing", 10], "position"),
        ([0, None, "a", "typing", 10], "not a text"),
        ([0, "", ["a"], "typing", 10], "not a text"),
        ([0, "", "a", "TYPING", 10], "unknown kind 'TYPING'"),
        ([0, "", "a", "", 10], "unknown kind"),
        ([0, "", "a", ["typing"], 10], "unknown kind"),
        ([0, "", "a", None, 10], "unknown kind"),
        ([0, "", "a", "x" * 999, 10], "unknown kind 'x{39}$"),
        ([0, "", "a", "typing", True], "time"),
        ([0, "", "a", "typing", 10.5], "time"),
        ([0, "", "a", "typing", -1], "time"),
        ([0, "", "a", "typing", LONGEST_LOG_MS + 1], "time"),
        ([0, "", "a", "typing", 9], "time goes back from 10 to 9 ms"),
        ([0, "", "\ud83d", "typing", 10], "lone surrogate"),
        ([0, "\udc00", "", "typing", 10], "lone surrogate"),
        ([0, "", "a\x00", "typing", 10], "U\\+0000"),
    ],
)
def test_a_wrong_operation_is_named(row: Any, reason: str) -> None:
    with pytest.raises(EditLogError, match=f"operation 1: .*{reason}"):
        parse_log([GOOD, row])


def test_limits_are_inclusive() -> None:
    assert len(parse_log([GOOD] * 3, max_operations=3, max_characters=3)) == 3
    assert parse_log([[0, "", "", "other", LONGEST_LOG_MS]])[0].at_ms == LONGEST_LOG_MS
    with pytest.raises(EditLogError, match="log: 3 operations, at most 2 allowed"):
        parse_log([GOOD] * 3, max_operations=2)
    with pytest.raises(EditLogError, match="operation 2: more than 2 characters in all"):
        parse_log([GOOD] * 3, max_characters=2)


def test_removed_characters_count_too() -> None:
    with pytest.raises(EditLogError, match="more than 3 characters"):
        parse_log([[0, "ab", "cd", "paste", 1]], max_characters=3)


def test_the_longest_log_replays_at_once() -> None:
    raw = [[index, "", "x", "typing", index] for index in range(20_000)]
    began = time.perf_counter()
    assert replay("", parse_log(raw)) == "x" * 20_000
    assert time.perf_counter() - began < 2

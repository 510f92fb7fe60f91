"""Reading and replaying the history of a text field."""

import json
from typing import Any

import pytest
from hypothesis import given

from measures.keystrokes.edit_log import (
    MAX_LOG_MS,
    MAX_REPLAY_CHARACTERS,
    MAX_TEXT_LENGTH,
    EditLogError,
    Kind,
    Operation,
    dump_log,
    edit_history,
    parse_log,
    replay,
    snapshots,
)
from measures.keystrokes.tests.histories import History, histories
from measures.text.normalization import display_text


@given(histories())
def test_replay_gives_what_was_typed(history: History) -> None:
    start, operations, states = history
    assert list(snapshots(start, operations)) == states
    assert replay(start, operations) == history.text


@given(histories())
def test_a_log_survives_json(history: History) -> None:
    _, operations, _ = history
    assert parse_log(json.loads(json.dumps(dump_log(operations)))) == tuple(operations)


@given(histories())
def test_going_back_gives_the_start(history: History) -> None:
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
        ([*GOOD, 1], "the kind source, and no other"),
        ([*GOOD, 1, 1], "not a list of"),
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
        ([0, "", "a", "typing", MAX_LOG_MS + 1], "time"),
        ([0, "", "a", "typing", 9], "time goes back from 10 to 9 ms"),
        ([0, "", "\ud83d", "typing", 10], "lone surrogate"),
        ([0, "\udc00", "", "typing", 10], "lone surrogate"),
        ([0, "", "a\x00", "typing", 10], "U\\+0000"),
        ([0, "", "a", "return", 10], "a return that removes or inserts"),
        ([0, "a", "", "return", 10], "a return that removes or inserts"),
    ],
)
def test_a_wrong_operation_is_named(row: Any, reason: str) -> None:
    with pytest.raises(EditLogError, match=f"operation 1: .*{reason}"):
        parse_log([GOOD, row])


def test_limits_are_inclusive() -> None:
    assert len(parse_log([GOOD] * 3, max_operations=3, max_characters=3)) == 3
    assert parse_log([[0, "", "", "other", MAX_LOG_MS]])[0].at_ms == MAX_LOG_MS
    with pytest.raises(EditLogError, match="log: 3 operations, at most 2 allowed"):
        parse_log([GOOD] * 3, max_operations=2)
    with pytest.raises(EditLogError, match="operation 2: more than 2 characters in all"):
        parse_log([GOOD] * 3, max_characters=2)


def test_removed_characters_count_too() -> None:
    with pytest.raises(EditLogError, match="more than 3 characters"):
        parse_log([[0, "ab", "cd", "paste", 1]], max_characters=3)


def test_the_limits_leave_room_for_long_work_and_none_for_floods() -> None:
    assert len(parse_log([GOOD] * 10_000)) == 10_000
    with pytest.raises(EditLogError, match="10001 operations"):
        parse_log([GOOD] * 10_001)
    assert len(parse_log([[0, "", "a" * 250_000, "paste", 1]])) == 1
    with pytest.raises(EditLogError, match="more than 250000 characters"):
        parse_log([[0, "", "a" * 250_001, "paste", 1]])


def test_a_return_changes_nothing() -> None:
    log = parse_log([[0, "", "Hi", "typing", 10], [0, "", "", "return", 90_000], [2, "", "!", "typing", 95_000]])
    assert list(snapshots("", log)) == ["Hi", "Hi", "Hi!"]


def test_a_text_grows_up_to_a_limit() -> None:
    full = Operation(0, "", "x" * MAX_TEXT_LENGTH, Kind.PASTE, 0)
    assert len(replay("", [full, Operation(0, "x", "y", Kind.TYPING, 0)])) == MAX_TEXT_LENGTH
    with pytest.raises(EditLogError, match="a text of more than 50000 characters") as caught:
        replay("", [full, Operation(5, "", "y", Kind.TYPING, 0), Operation(5, "y", "", Kind.DELETION, 0)])
    assert caught.value.index == 1


def test_a_replay_that_would_copy_too_much_is_refused() -> None:
    keys = [Operation(index, "", "x", Kind.TYPING, index) for index in range(10_000)]
    most = MAX_REPLAY_CHARACTERS // MAX_TEXT_LENGTH
    assert len(replay("😀" * (MAX_TEXT_LENGTH - 10_000), keys[:most])) == MAX_TEXT_LENGTH - 10_000 + most
    with pytest.raises(EditLogError, match="together"):
        replay("😀" * (MAX_TEXT_LENGTH - 10_000), keys)


@given(histories())
def test_a_history_holds_every_change_and_can_be_divided_again(
    history: History,
) -> None:
    start, operations, states = history
    befores = [start, *states[:-1]] if states else []
    changed = [after for before, after in zip(befores, states, strict=True) if after != before]
    written = edit_history(start, operations)
    assert written.split("  ") == ([display_text(text) for text in changed] or [""])
    assert not set(written) & set("\t\r\n\x0b\x0c\x85\u2028\u2029")


def test_a_history_shows_an_emptied_field_and_no_return() -> None:
    operations = [
        Operation(0, "ab", "", Kind.CUT, 1),
        Operation(0, "", "", Kind.RETURN, 2),
        Operation(0, "", "a\t\n b", Kind.PASTE, 3),
        Operation(0, "a", "a", Kind.OTHER, 4),
    ]
    assert edit_history("ab", operations) == "  a b"
    assert edit_history("ab", []) == ""

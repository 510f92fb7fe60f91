"""What a log tells about the work."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.keystrokes.edit_log import EditLogError, Kind, Operation
from measures.keystrokes.effort import Effort, Flag, FlagName, FlagThresholds, effort, effort_flags
from measures.keystrokes.paste_origin import Paste
from measures.keystrokes.tests.histories import History, histories

SOURCE = "The committee will meet again on Tuesday to discuss the new bridge over the river."
FOREIGN = "A summary that some program wrote."  # 34 characters, none of its runs in the source


def typed(text: str, *, begin_ms: int = 20_000, gap_ms: int = 200, kind: Kind = Kind.TYPING) -> list[Operation]:
    """One operation for each character, at the end of an empty field."""
    return [Operation(at, "", letter, kind, begin_ms + gap_ms * at) for at, letter in enumerate(text)]


def flags(operations: list[Operation], start: str = "") -> dict[FlagName, Flag]:
    return {flag.name: flag for flag in effort_flags(SOURCE, start, operations)}


def test_effort_by_hand() -> None:
    operations = [
        Operation(0, "The committee ", "", Kind.CUT, 5_000),
        Operation(0, "", "A", Kind.TYPING, 35_000),  # after 30 s, which is no pause yet
        Operation(0, "", "", Kind.RETURN, 50_000),
        Operation(1, "", "ll", Kind.COMPOSITION, 65_001),  # after 30.001 s
        Operation(0, "All", "", Kind.DELETION, 66_000),
        Operation(0, "", "The committee ", Kind.PASTE, 67_000),
        Operation(0, "", FOREIGN, Kind.DROP, 68_000),
        Operation(0, "", "", Kind.RETURN, 99_000),
    ]
    assert effort(SOURCE, SOURCE, operations) == Effort(
        total_ms=68_000,
        active_ms=5_000 + 30_000 + 999 + 1_000 + 1_000,
        keystrokes=3,
        inserted=1 + 2 + 14 + 34,
        deleted=14 + 3,
        pastes=(Paste(5, 14, 1.0), Paste(6, 34, 0.0)),
        first_pause_ms=5_000,
        longest_pause_ms=30_001,
        revisits=2,
    )


@pytest.mark.parametrize("operations", [[], [Operation(0, "", "", Kind.RETURN, 5_000)]])
def test_what_is_undefined_is_none(operations: list[Operation]) -> None:
    work = effort(SOURCE, SOURCE, operations)
    assert (work.total_ms, work.active_ms, work.first_pause_ms, work.longest_pause_ms) == (None,) * 4
    assert (work.keystrokes, work.inserted, work.deleted, work.pasted) == (0, 0, 0, 0)
    assert work.pasted_share_from_source is None
    assert work.revisits == len(operations)


def test_one_edit_has_no_pause_between_edits() -> None:
    work = effort(SOURCE, "", typed("x", begin_ms=31_000))
    assert (work.total_ms, work.active_ms, work.first_pause_ms, work.longest_pause_ms) == (31_000, 0, 31_000, None)


@given(histories())
def test_figures_fit_each_other(history: History) -> None:
    start, operations, _ = history
    work = effort(SOURCE, start, operations)
    assert work.inserted - work.deleted == len(history.text) - len(start)
    assert (work.active_ms or 0) <= (work.total_ms or 0)
    assert (work.longest_pause_ms or 0) + (work.first_pause_ms or 0) <= (work.total_ms or 0)
    assert all(0 <= paste.from_source <= 1 for paste in work.pastes)
    assert 0 <= (work.pasted_share_from_source or 0) <= 1
    assert work.pasted <= work.inserted


@given(histories(), st.data())
def test_a_return_counts_as_a_visit_and_nothing_else_and_leaving_as_nothing(
    history: History, data: st.DataObject
) -> None:
    start, operations, _ = history
    at = data.draw(st.integers(0, len(operations)))
    at_ms = operations[at - 1].at_ms if at else 0
    absence = [Operation(0, "", "", kind, at_ms) for kind in (Kind.LEAVE, Kind.RETURN)]
    visited = [*operations[:at], *absence, *operations[at:]]
    before, after = effort(SOURCE, start, operations), effort(SOURCE, start, visited)
    assert after.revisits == before.revisits + 1
    figures = ("total_ms", "active_ms", "keystrokes", "inserted", "deleted", "first_pause_ms", "longest_pause_ms")
    assert [getattr(after, name) for name in figures] == [getattr(before, name) for name in figures]
    assert [paste.from_source for paste in after.pastes] == [paste.from_source for paste in before.pastes]
    assert [flag.name for flag in effort_flags(SOURCE, start, visited)] == [
        flag.name for flag in effort_flags(SOURCE, start, operations)
    ]


# What staff should look at


def test_ordinary_work_is_not_flagged() -> None:
    assert flags(typed("The committee will meet on Tuesday.")) == {}
    moved = [
        Operation(0, "The committee ", "", Kind.CUT, 50_000),
        Operation(8, "", "the committee ", Kind.PASTE, 51_000),
    ]
    assert flags(moved, SOURCE) == {}
    assert flags([]) == {}
    assert flags([Operation(0, "", "", Kind.RETURN, 100)]) == {}


def test_a_text_from_elsewhere_is_flagged_with_what_it_says() -> None:
    (flag,) = flags([*typed("x"), Operation(1, "", f"\t{FOREIGN}\n", Kind.PASTE, 60_000)]).values()
    assert flag == Flag(
        FlagName.PASTED_FROM_ELSEWHERE,
        f"36 characters pasted that stand neither in the source nor in the draft: “{FOREIGN}”",
        operation=1,
    )


def test_a_long_correction_from_elsewhere_is_flagged_as_one() -> None:
    evidence = flags([Operation(0, "", FOREIGN, Kind.AUTOCORRECT, 60_000)])[FlagName.PASTED_FROM_ELSEWHERE].evidence
    assert evidence.startswith("34 characters pasted or put in as a correction that stand neither in the source nor")
    assert flags([Operation(0, "", "a kangaroo", Kind.AUTOCORRECT, 60_000)]) == {}


def test_a_long_text_from_elsewhere_is_quoted_in_part() -> None:
    evidence = flags([Operation(0, "", "xyz" * 1000, Kind.DROP, 60_000)])[FlagName.PASTED_FROM_ELSEWHERE].evidence
    assert evidence == (f"3000 characters pasted that stand neither in the source nor in the draft: “{'xyz' * 26}x…”")


def test_pieces_from_elsewhere_count_together() -> None:
    pieces = ["jumping", "kangaroos", "quickly", "committee"]
    operations = [Operation(0, "", piece, Kind.PASTE, 60_000) for piece in pieces]
    assert FlagName.PASTED_FROM_ELSEWHERE not in flags(operations[:2])
    assert flags(operations)[FlagName.PASTED_FROM_ELSEWHERE] == Flag(
        FlagName.PASTED_FROM_ELSEWHERE,
        "23 characters pasted that stand neither in the source nor in the draft: in 3 pieces, one of them “kangaroos”",
        operation=1,
    )


@pytest.mark.parametrize(("size", "is_flagged"), [(19, False), (20, True)])
def test_from_how_much_on_pasted_text_is_flagged(size: int, is_flagged: bool) -> None:
    assert (FlagName.PASTED_FROM_ELSEWHERE in flags([Operation(0, "", "x" * size, Kind.PASTE, 60_000)])) == is_flagged


@pytest.mark.parametrize(
    ("operations", "evidence"),
    [
        (typed("x" * 60, gap_ms=100), None),
        (typed("x" * 60, gap_ms=42), None),
        (typed("x" * 60, gap_ms=20), "60 characters in 1.1 s"),
        (typed("x" * 29, gap_ms=0), None),
        (typed("x" * 30, gap_ms=0), "30 characters at once"),
        (typed("x" * 60, gap_ms=20, kind=Kind.OTHER), "60 characters in 1.1 s"),
        (typed("x" * 60, gap_ms=20, kind=Kind.COMPOSITION), None),
        (typed("x" * 60, gap_ms=20, kind=Kind.UNDO), None),
        ([Operation(0, "", "x" * 29, Kind.TYPING, 60_000)], None),
        ([Operation(0, "", "x" * 60, Kind.TYPING, 60_000)], None),  # dictated, or completed by a program
        ([Operation(0, "", "xxx", Kind.TYPING, 60_000)] * 10, "30 characters at once"),
        ([Operation(0, "", "x" * 30, Kind.OTHER, 60_000)], "30 characters at once"),
        ([Operation(0, "", "x" * 300, Kind.AUTOCORRECT, 60_000)], None),
    ],
)
def test_an_impossible_speed_is_flagged(operations: list[Operation], evidence: str | None) -> None:
    flag = flags(operations).get(FlagName.IMPOSSIBLE_SPEED)
    assert (flag and flag.evidence) == evidence
    assert flag is None or flag.operation == 0


@pytest.mark.parametrize("kind", [Kind.TYPING, Kind.OTHER])
@pytest.mark.parametrize("start", ["", SOURCE])
def test_to_begin_again_is_not_typing(kind: Kind, start: str) -> None:
    operations = [Operation(0, start, "Short", Kind.TYPING, 60_000), Operation(0, "Short", SOURCE, kind, 61_000)]
    assert flags(operations, start) == {}


@pytest.mark.parametrize(
    ("at_ms", "evidence"),
    [
        (0, "the last change came 0.0 s after the page was shown"),
        (4_250, "the last change came 4.2 s after the page was shown"),
        (9_999, "the last change came 9.9 s after the page was shown"),
        (10_000, None),
    ],
)
def test_few_seconds_are_flagged(at_ms: int, evidence: str | None) -> None:
    operations = [Operation(0, "The ", "", Kind.DELETION, at_ms), Operation(0, "", "", Kind.RETURN, 99_000)]
    flag = flags(operations, SOURCE).get(FlagName.FEW_SECONDS)
    assert (flag and flag.evidence) == evidence
    assert flag is None or flag.operation == 0


def test_thresholds_can_be_set_and_flags_come_in_order() -> None:
    operations = [Operation(0, "", "abc", Kind.PASTE, 50_000), Operation(3, "", "def", Kind.TYPING, 50_000)]
    thresholds = FlagThresholds(pasted_characters=1, characters_per_second=1, burst_characters=3, few_seconds_ms=50_001)
    assert [flag.name for flag in effort_flags(SOURCE, "", operations, thresholds)] == list(FlagName)


@given(histories())
def test_there_is_at_most_one_flag_of_a_name_and_it_points_into_the_log(history: History) -> None:
    start, operations, _ = history
    found = effort_flags(SOURCE, start, operations, FlagThresholds(1, 1, 1, 10**9))
    names = [flag.name for flag in found]
    assert names == [name for name in FlagName if name in names]
    assert all(flag.operation is not None and flag.operation < len(operations) for flag in found)
    assert (FlagName.FEW_SECONDS in names) == any(edit.removed != edit.inserted for edit in operations)


# Logs that are too large to be honest: these tests take seconds if anything grows faster than the log


def _letters(count: int, first: int) -> str:
    return "".join(map(chr, range(first, first + count)))


def test_a_huge_paste() -> None:
    pasted = [Operation(0, "", _letters(50_000, 0x20000), Kind.PASTE, 1)]
    assert effort(SOURCE * 60, "", pasted).pasted_share_from_source == 0
    assert len(effort_flags(SOURCE * 60, "", pasted)) == 2
    repeated = [Operation(0, "", "ab" * 25_000, Kind.PASTE, 1)]
    assert effort("ab" * 2_500, "", repeated).pasted_share_from_source == 1


def test_ten_thousand_pastes_into_a_huge_text() -> None:
    operations = [Operation(0, "", _letters(4_000, 0x20000), Kind.PASTE, 0)]
    operations += [Operation(at, "", _letters(1 + at % 6, 0xF0000 + 7 * at), Kind.PASTE, at) for at in range(2_800)]
    operations += [Operation(at, "", "", Kind.RETURN, 2_800) for at in range(4_199)]
    assert effort(SOURCE, "", operations).pasted_share_from_source == 0


def test_ten_thousand_keys_at_once() -> None:
    operations = [Operation(0, "", "x", Kind.TYPING, 9) for _ in range(10_000)]
    (speed, few_seconds) = effort_flags(SOURCE, "", operations)
    assert speed == Flag(FlagName.IMPOSSIBLE_SPEED, "10000 characters at once", 0)
    assert few_seconds.operation == 9_999


@pytest.mark.parametrize("kind", [Kind.PASTE, Kind.TYPING])
def test_a_log_that_does_not_fit_is_an_error(kind: Kind) -> None:
    with pytest.raises(EditLogError, match="operation 0: position 7 outside"):
        effort_flags(SOURCE, "", [Operation(7, "", "x", kind, 1)])

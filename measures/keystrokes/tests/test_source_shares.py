"""Where the characters of a text come from: sources or the writer's own hands."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measures.core.undefined import Undefined
from measures.keystrokes.edit_log import EditLogError, Kind, Operation, Origin, dump_log, parse_log, published_log
from measures.keystrokes.source_shares import EMPTY_TEXT, MERGED_LOG, SourceShares, source_shares

SOURCES = ("The plant opened in 1990 and employs 300 people .", "It will close in May , the owner said .")
TAKE = Operation(0, "", SOURCES[0], Kind.SOURCE, 900, Origin(0, 0, 49))
TYPED = Operation(10, "opened in 1990 and employs 300 people", "will close in May", Kind.TYPING, 5200)


def shares(log: list[Operation], start: str = "") -> SourceShares:
    found = source_shares(SOURCES, log, start=start)
    assert isinstance(found, SourceShares)
    return found


def test_what_a_button_took_is_of_the_source_and_what_is_typed_is_own() -> None:
    found = shares([TAKE, TYPED])
    # "The plant will close in May ." has 9 characters of the source and 14 typed ones.
    assert found.sources == pytest.approx((9 / 23, 0))
    assert found.own == pytest.approx(14 / 23)
    assert found.characters == 23


def test_what_is_undone_comes_from_where_it_came_from() -> None:
    undone = Operation(10, "will close in May", TYPED.removed, Kind.UNDO, 6000)
    redone = Operation(10, TYPED.removed, "will close in May", Kind.REDO, 7000)
    assert shares([TAKE, TYPED, undone]).sources == (1, 0)
    assert shares([TAKE, TYPED, undone, redone]).own == pytest.approx(14 / 23)


def test_pasted_runs_are_of_the_source_that_has_them() -> None:
    pasted = Operation(0, "", "will close in May maybe", Kind.PASTE, 10)
    found = shares([pasted])
    assert found.sources == pytest.approx((0, 14 / 19))
    assert shares([Operation(0, "", "in May", Kind.PASTE, 10)]).own == 1
    assert shares([Operation(0, "", "will close in May", Kind.TYPING, 10)]).own == 1


def test_what_was_cut_and_pasted_keeps_its_origin() -> None:
    cut = Operation(0, "The plant", "", Kind.CUT, 1000)
    pasted = Operation(40, "", "The plant", Kind.PASTE, 2000)
    assert shares([TAKE, cut, pasted]).own == 0


def test_a_word_that_the_browser_replaced_keeps_what_stayed() -> None:
    corrected = Operation(4, "plant", "plants", Kind.AUTOCORRECT, 1000)
    found = shares([TAKE, corrected])
    assert found.own * found.characters == pytest.approx(1)


def test_text_that_stood_there_before_is_own() -> None:
    assert shares([], start="Old text.").own == 1


def test_an_empty_text_has_no_shares() -> None:
    assert source_shares(SOURCES, [Operation(0, "", " \n", Kind.TYPING, 1)]) is EMPTY_TEXT
    assert isinstance(source_shares(SOURCES, []), Undefined)


def test_where_changes_were_merged_no_share_is_known() -> None:
    assert source_shares(SOURCES, [Operation(0, "", SOURCES[0], Kind.MERGED, 1)]) is MERGED_LOG


@pytest.mark.parametrize("origin", [Origin(2, 0, 49), Origin(1, 0, 49), Origin(0, 1, 50)])
def test_a_log_that_took_something_else_is_refused(origin: Origin) -> None:
    with pytest.raises(EditLogError, match=f"operation 0: what it inserts does not stand there in source {origin[0]}"):
        source_shares(SOURCES, [replace(TAKE, origin=origin)])


def test_a_log_that_cannot_be_replayed_is_refused_and_so_are_too_many_sources() -> None:
    with pytest.raises(EditLogError, match="operation 0"):
        source_shares(SOURCES, [Operation(3, "", "x", Kind.TYPING, 1)])
    with pytest.raises(ValueError, match="at most 9"):
        source_shares(["x"] * 10, [])


def test_an_origin_is_written_read_and_published() -> None:
    rows = dump_log([TAKE, TYPED])
    assert rows[0] == [0, "", SOURCES[0], "source", 900, [0, 0, 49]]
    assert parse_log(rows) == (TAKE, TYPED)
    assert published_log(rows) == rows


@pytest.mark.parametrize(
    "row",
    [
        *([0, "", "ab", "source", 1, *rest] for rest in ([], [None], [[0, 0]], [[0, 0, 2, 4]], ["0, 0, 2"])),
        *(
            [0, "", "ab", "source", 1, origin]
            for origin in ([0, 0, 3], [-1, 0, 2], [0, -1, 1], [True, 0, 2], [0, 2, 0])
        ),
        [0, "", "ab", "typing", 1, [0, 0, 2]],
        [0, "", "", "source", 1, [0, 0, 0]],
    ],
)
def test_wrong_origins_are_refused(row: list[object]) -> None:
    with pytest.raises(EditLogError, match="operation 0"):
        parse_log([row])


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_shares_always_add_up_to_all_characters(data: st.DataObject) -> None:
    text, log = "", []
    for at in range(data.draw(st.integers(1, 8))):
        begin = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(begin, len(text)))
        inserted = data.draw(st.sampled_from(["", "x", "will close in May", "plant opened in", text[:12]]))
        kind = data.draw(st.sampled_from([Kind.TYPING, Kind.PASTE, Kind.UNDO, Kind.AUTOCORRECT, Kind.OTHER]))
        log.append(Operation(begin, text[begin:end], inserted, kind, at))
        text = text[:begin] + inserted + text[end:]
    found = source_shares(SOURCES, log)
    written = sum(not character.isspace() for character in text)
    if isinstance(found, Undefined):
        assert written == 0
        return
    assert found.characters == written
    assert sum(found.sources) + found.own == pytest.approx(1)

"""When words got their final state, by logs made by hand and drawn ones."""

import pytest
from hypothesis import given

from measures.core.drawn_sources import Ratio
from measures.core.undefined import Undefined
from measures.keystrokes.edit_log import EditLogError, Kind, Operation
from measures.keystrokes.edit_order import AlignedWords, EditOrder, edit_order, word_spans
from measures.keystrokes.order_summary import OperationPlace, order_summary
from measures.keystrokes.tests.histories import History, histories

Row = tuple[int, str, str, Kind, int]


def placed(
    source: str,
    target: str,
    places: tuple[int | None, ...],
    log: list[Row],
    replaced: tuple[int, ...] = (),
    moved: tuple[int, ...] = (),
) -> tuple[list[tuple[str, int, float]], int]:
    spans = word_spans(source, source.split()), word_spans(target, target.split())
    found = edit_order(source, source, [Operation(*row) for row in log], AlignedWords(*spans, places, replaced, moved))
    assert isinstance(found, EditOrder)
    return [(each.operation, each.word, each.by_edits) for each in found.words], found.unplaced


def test_a_word_is_deleted_when_its_last_character_went_for_good() -> None:
    back = (4, "", "big ", Kind.UNDO, 2)
    log = [(4, "big ", "", Kind.DELETION, 1), back, (4, "b", "", Kind.DELETION, 3), (4, "ig ", "", Kind.DELETION, 4)]
    assert placed("The big cat", "The cat", (0, 2), log) == ([("deleted", 1, 1.0)], 0)
    # What an undo puts back is not new: nothing else is deleted or inserted.
    assert placed("The big cat", "The big cat", (0, 1, 2), log[:2]) == ([], 0)


def test_replaced_inserted_and_moved_words() -> None:
    log = [(0, "", "So ", Kind.TYPING, 1), (7, "cats", "cat", Kind.AUTOCORRECT, 2), (8, "a", "u", Kind.TYPING, 3)]
    found, unplaced = placed("The cats", "So The cut", (None, 0, 1), [*log], replaced=(2,))
    assert (found, unplaced) == ([("inserted", 0, 1 / 3), ("replaced", 2, 1.0)], 0)
    shorter, _ = placed("The cats", "So The cat", (None, 0, 1), log[:2], replaced=(2,))
    assert shorter == [("inserted", 0, 0.5), ("replaced", 2, 1.0)]
    cut = [(0, "He ", "", Kind.CUT, 1), (4, "", " He", Kind.PASTE, 2)]
    assert placed("He left", "left He", (1, 0), cut, moved=(1,)) == ([("moved", 1, 1.0)], 0)
    assert placed("He left", "left He", (1, 0), cut, moved=(0,)) == ([], 1)


def test_a_word_that_is_retyped_belongs_to_none_and_merged_edits_have_no_order() -> None:
    assert placed("He left", "He left", (0, 1), [(0, "He", "", Kind.CUT, 1), (0, "", "He", Kind.TYPING, 2)]) == ([], 0)
    assert placed("He left", "left", (1,), [(0, "He ", "", Kind.MERGED, 1)]) == ([], 1)


def test_active_time_leaves_out_long_pauses() -> None:
    log = [Operation(0, "a ", "", Kind.DELETION, 1_000), Operation(1, "", "!", Kind.TYPING, 900_000)]
    found = edit_order("a b", "a b", log, AlignedWords(((0, 1), (2, 3)), ((0, 1),), (1,), (), ()))
    assert isinstance(found, EditOrder)
    assert [each.by_time for each in found.words] == [1.0]


def test_logs_that_do_not_start_from_the_source_have_no_order() -> None:
    words, log = AlignedWords((), (), (), (), ()), [Operation(0, "", "a", Kind.TYPING, 1)]
    assert edit_order("a b", "", log, words) == Undefined("the log starts from an empty box")
    assert edit_order("a b", "a", log, words) == Undefined("the log does not start from the source")
    assert edit_order("a b", "a b", [Operation(0, "", "", Kind.RETURN, 1)], words) == Undefined("the log has no edits")
    with pytest.raises(EditLogError):
        edit_order("a b", "a b", log * 9, words, max_replayed=20)
    with pytest.raises(ValueError, match="outside"):
        edit_order("a b", "a b", log, AlignedWords(((0, 9),), (), (), (), ()))
    with pytest.raises(ValueError, match="word 1"):
        word_spans("a b", ["a", "a"])


@given(histories())
def test_every_character_that_came_or_went_has_its_place(history: History) -> None:
    spans = [tuple((place, place + 1) for place in range(len(text))) for text in (history.start, history.text)]
    words = AlignedWords(spans[0], spans[1], (None,) * len(history.text), (), ())
    found = edit_order(history.start, history.start, history.operations, words)
    if isinstance(found, Undefined):
        assert found.reason == "the log has no edits"
        return
    assert len(found.words) + found.unplaced == len(history.start) + len(history.text)
    assert all(0 < each.by_edits <= 1 and (each.by_time is None or 0 <= each.by_time <= 1) for each in found.words)


def test_which_operation_begins_first() -> None:
    log = [Operation(0, "a ", "", Kind.DELETION, 5), Operation(1, "", " c", Kind.TYPING, 9)]
    words = AlignedWords(((0, 1), (2, 3)), ((0, 1), (2, 3)), (1, None), (), ())
    order = edit_order("a b", "a b", log, words)
    assert isinstance(order, EditOrder)
    summary = order_summary([order, order, EditOrder((), 0)], ["s", "t", "t"], seed=1)
    before = summary.before["deleted", "inserted"]
    assert isinstance(before, Ratio)
    assert (before.value, before.texts, before.sources) == (1, 2, 2)
    assert isinstance(after := summary.before["inserted", "deleted"], Ratio)
    assert after.value == 0
    assert summary.before["moved", "deleted"] == Undefined("no text has both")
    place = summary.places["deleted"]
    assert isinstance(place, OperationPlace)
    assert (place.by_edits[2], place.words, place.texts) == (0.5, 2, 2)
    with pytest.raises(ValueError, match="sources"):
        order_summary([order], [], seed=1)

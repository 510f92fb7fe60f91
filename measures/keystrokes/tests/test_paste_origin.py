"""Where pasted text comes from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.keystrokes.edit_log import Kind, Operation
from measures.keystrokes.paste_origin import FEWEST_REPLACED, MAX_PASTES, MIN_RUN, pastes
from measures.keystrokes.tests.histories import History, histories

SOURCE = "The committee will meet again on Tuesday to discuss the new bridge over the river."
FOREIGN = "A summary that some program wrote."
NOT_PASTED = [kind for kind in Kind if kind not in {Kind.PASTE, Kind.DROP, Kind.AUTOCORRECT}]

words = st.text("abc dé\n", max_size=3)  # all white space together is shorter than what is looked at around a change


@pytest.mark.parametrize(
    ("pasted", "from_elsewhere"),
    [
        ("The committee will", 0),
        ("THE\u00a0committee\n\nWILL", 0),
        ("meet", 0),
        ("METRO", 5),
        ("metr", 4),
        ("x", 1),
        ("committee xyz", 3),
        ("commi", 0),
        ("comm", 0),
        ("commy", 5),
        ("the committee and the river", 3),
        (FOREIGN, 34),
        ("Straße", 6),
    ],
)
def test_pasted_characters_from_elsewhere(pasted: str, from_elsewhere: int) -> None:
    (found,) = pastes(SOURCE, "", [Operation(0, "", pasted, Kind.PASTE, 9)])
    assert found.characters == len(pasted)
    assert found.from_elsewhere == from_elsewhere


def test_what_was_typed_and_removed_may_be_pasted() -> None:
    typed = [Operation(at, "", letter, Kind.TYPING, at) for at, letter in enumerate("Xylophones rule")]
    moved = [
        Operation(0, "Xylophones ", "", Kind.DELETION, 60_000),
        Operation(4, "", " xylophones", Kind.PASTE, 61_000),
    ]
    (found,) = pastes(SOURCE, "", [*typed, *moved])
    assert (found.characters, found.from_elsewhere) == (11, 1)  # the space was behind the word


def test_a_paste_that_shares_characters_with_what_stands_behind_it_is_still_known() -> None:
    """“The cat ” before “The dog” looks in a log like “cat The ” behind “The ”."""
    source = "The cat sat by the door. The dog."
    (found,) = pastes(source, "The dog.", [Operation(4, "", "cat The ", Kind.PASTE, 9)])
    assert found.from_source == 1


def test_the_same_foreign_text_pasted_twice_is_foreign_once() -> None:
    operations = [Operation(0, "", FOREIGN, Kind.PASTE, 1), Operation(0, "", FOREIGN, Kind.PASTE, 2)]
    assert [paste.from_source for paste in pastes(SOURCE, "", operations)] == [0, 1]


def test_a_drop_out_of_the_field_and_a_paste_of_nothing_are_no_pastes() -> None:
    operations = [Operation(0, "The ", "", Kind.DROP, 1), Operation(0, "committee", "", Kind.PASTE, 2)]
    assert pastes(SOURCE, SOURCE, operations) == ()


@given(
    st.lists(st.text("abcABCé", min_size=MIN_RUN, max_size=12), min_size=1, max_size=6),
    st.lists(st.tuples(st.integers(0, 5), st.integers(1, 6)), min_size=1, max_size=5),
    st.sampled_from([" ", "  ", "\n"]),
)
def test_pieces_of_the_source_are_all_from_the_source(
    words: list[str], places: list[tuple[int, int]], space: str
) -> None:
    source = " ".join(words)
    firsts = [(begin % len(words), size) for begin, size in places]
    pieces = [space.join(words[begin : begin + size]) for begin, size in firsts]
    (found,) = pastes(source, "", [Operation(0, "", "".join(pieces).upper(), Kind.PASTE, 1)])
    assert found.from_source == 1


@given(histories(words, NOT_PASTED), st.data())
def test_ones_own_text_may_be_moved(history: History, data: st.DataObject) -> None:
    start, operations, text = history.start, history.operations, history.text
    begin = data.draw(st.integers(0, len(text)))
    moved = text[begin : data.draw(st.integers(begin, len(text)))]
    target = data.draw(st.integers(0, len(text) - len(moved)))
    cut, paste = Operation(begin, moved, "", Kind.CUT, 10**6), Operation(target, "", moved, Kind.PASTE, 10**6)
    found = pastes("", start, [*operations, cut, paste])
    assert [one.from_source for one in found] == ([1] if moved else [])


def test_a_short_piece_of_the_text_at_hand_is_ones_own() -> None:
    typed = [Operation(at, "", letter, Kind.TYPING, at) for at, letter in enumerate("Xylo and ")]
    found = pastes(
        SOURCE, "", [*typed, Operation(9, "", "Xyl", Kind.PASTE, 99), Operation(0, "", "Xyz", Kind.PASTE, 99)]
    )
    assert [paste.from_elsewhere for paste in found] == [0, 3]


def test_more_pastes_than_anybody_makes_are_not_looked_into() -> None:
    own = [Operation(0, "", "The committee", Kind.PASTE, index) for index in range(MAX_PASTES + 2)]
    assert [paste.from_source for paste in pastes(SOURCE, "", own)] == [1.0] * MAX_PASTES + [0.0, 0.0]


@pytest.mark.parametrize(
    ("inserted", "foreign"),
    [
        ("a tool has written these words", [30]),
        ("x" * FEWEST_REPLACED, [FEWEST_REPLACED]),
        ("x" * (FEWEST_REPLACED - 1), []),
        (SOURCE, []),
    ],
)
def test_a_correction_of_many_foreign_characters_is_a_paste(inserted: str, foreign: list[int]) -> None:
    found = pastes(SOURCE, "", [Operation(0, "", inserted, Kind.AUTOCORRECT, 9_000)])
    assert [paste.from_elsewhere for paste in found] == foreign

"""Word alignment: what is the same, what moved, what was replaced, what is new."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.alignment.word_alignment import align_words

words = st.lists(st.sampled_from(["the", "The", "old", "bridge", "fell", "at", "last", "."]), max_size=12)


def aligned(source: str, target: str) -> tuple[int | None, ...]:
    return align_words(source.split(), target.split())


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("", "", ()),
        ("a b", "", ()),
        ("", "a", (None,)),
        ("a b c", "a c", (0, 2)),
        ("A b", "a B", (0, 1)),
        ("a x b", "a y b", (0, 1, 2)),
        ("x b", "y b", (0, 1)),
        ("a x", "a y", (0, 1)),
        ("a x z b", "a y b", (0, None, 3)),
        ("a x b", "a y z b", (0, None, None, 2)),
        ("a b", "a y b", (0, None, 1)),
        ("b c a", "a b c", (2, 0, 1)),
        ("a b a b", "a b", (0, 1)),
        ("to a b to c", "a b c to", (1, 2, 4, 3)),
        ("a a", "a a a", (0, 1, None)),
    ],
)
def test_worked_examples(source: str, target: str, expected: tuple[int | None, ...]) -> None:
    assert aligned(source, target) == expected


@given(words, words)
def test_each_word_of_the_source_is_used_at_most_once(source: list[str], target: list[str]) -> None:
    found = [place for place in align_words(source, target) if place is not None]
    assert len(found) == len(set(found))
    assert all(0 <= place < len(source) for place in found)


@given(words, st.data())
def test_after_deletions_alone_every_word_stands_for_one_of_its_form_in_order(
    source: list[str], data: st.DataObject
) -> None:
    kept = data.draw(st.lists(st.booleans(), min_size=len(source), max_size=len(source)))
    target = [word for word, is_kept in zip(source, kept, strict=True) if is_kept]
    found = align_words(source, target)
    assert None not in found
    places = [place for place in found if place is not None]
    assert places == sorted(places)
    assert [source[place].casefold() for place in places] == [word.casefold() for word in target]


@given(words, words)
def test_no_word_is_left_over_on_both_sides(source: list[str], target: list[str]) -> None:
    found = align_words(source, target)
    used = {place for place in found if place is not None}
    inserted = {word.casefold() for word, place in zip(target, found, strict=True) if place is None}
    deleted = {word.casefold() for place, word in enumerate(source) if place not in used}
    assert not inserted & deleted


@given(words)
def test_a_text_is_aligned_to_itself_word_by_word(source: list[str]) -> None:
    assert align_words(source, source) == tuple(range(len(source)))

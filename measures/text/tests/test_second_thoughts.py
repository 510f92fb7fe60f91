"""What a person is asked about: on the file of cases that the browser is held to, too, and for any texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.text.second_thoughts import (
    SecondThought,
    SecondThoughtLimits,
    is_unlike_source,
    is_very_short,
    second_thought,
    shared_words,
)
from measures.text.tests.vectors import second_thought_vectors

WORDS = st.lists(st.text("abcdefgхцч", min_size=4, max_size=9), min_size=4, max_size=20)


@pytest.mark.parametrize(("name", "source", "text", "allowed", "thought"), second_thought_vectors())
def test_cases_built_by_hand(name: str, source: str, text: str, allowed: int, thought: str | None) -> None:
    assert second_thought(source, text, allowed) == thought, name


def test_the_cases_have_every_question() -> None:
    assert {thought for *_, thought in second_thought_vectors()} == {*SecondThought, None}


@given(source=WORDS, data=st.data())
def test_whoever_only_deletes_words_is_never_asked_whether_it_is_the_same_text(
    source: list[str], data: st.DataObject
) -> None:
    kept = data.draw(st.lists(st.sampled_from(source), min_size=1))
    found = shared_words(" ".join(source), " ".join(kept))
    assert found.shared == found.words == len(kept)
    assert not is_unlike_source(found)


@given(length=st.integers(0, 5_000), allowed=st.integers(0, 5_000))
def test_a_longer_text_is_no_shorter(length: int, allowed: int) -> None:
    if not is_very_short(length, allowed):
        assert not is_very_short(length + 1, allowed)
    assert is_very_short(length, allowed) == (5 * length < allowed)


@given(source=WORDS, text=WORDS, share=st.integers(1, 100))
def test_a_higher_limit_asks_more(source: list[str], text: list[str], share: int) -> None:
    found = shared_words(" ".join(source), " ".join(text))
    if is_unlike_source(found, SecondThoughtLimits(shared_percent=share)):
        assert is_unlike_source(found, SecondThoughtLimits(shared_percent=share + 1))
        assert found.shared < found.words

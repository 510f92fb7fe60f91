"""The bounds are found in linear time, and what is within them is cheap to normalise."""

import itertools
import sys
import unicodedata
from typing import Literal, get_args

import pytest

from measures.text.normalization import MAX_MARKS_IN_A_ROW, stacked_marks

MOST = MAX_MARKS_IN_A_ROW
Form = Literal["NFD", "NFKD"]
FORMS: tuple[Form, ...] = get_args(Form)
CHARACTERS = [chr(code) for code in range(sys.maxunicode + 1)]


def longest_run(text: str) -> int:
    """The most characters in a row that normalisation has to sort."""
    runs = itertools.groupby(text, key=lambda character: unicodedata.combining(character) > 0)
    return max((len(list(run)) for sorts, run in runs if sorts), default=0)


@pytest.mark.parametrize(
    "mark",
    [
        pytest.param("\u0301", id="above"),
        pytest.param("\u0315", id="class 232"),
        pytest.param("\u20dd", id="enclosing, of class 0"),
        pytest.param("\u034f", id="grapheme joiner, of class 0"),
        pytest.param("\u093e", id="spacing vowel sign"),
        pytest.param("\u0344", id="decomposes into two"),
        pytest.param("\uff9e", id="a letter until it is normalised"),
        pytest.param("\U0001d16e", id="beyond the first plane"),
    ],
)
def test_a_row_of_marks_has_a_greatest_length(mark: str) -> None:
    assert stacked_marks("a" + mark * MOST) is None
    assert stacked_marks("a" + mark * (MOST + 1)) == 1
    assert stacked_marks(mark * (MOST + 1)) == 0


def test_each_letter_has_marks_of_its_own() -> None:
    assert stacked_marks(("a" + "\u0301" * MOST) * 3) is None
    assert stacked_marks(("a" + "\u0301" * MOST) * 3 + "\u0301") == 2 * (MOST + 1) + 1


@pytest.mark.parametrize("invisible", ["\u200b", "\u200d", "\ufe0f", "\U000e0100", "\u00ad"])
def test_invisible_characters_neither_hide_marks_nor_count(invisible: str) -> None:
    hidden = "a" + f"\u0315{invisible}\u0300{invisible}" * MOST
    assert stacked_marks(hidden) == 1
    assert stacked_marks("a" + invisible * 500) is None
    assert stacked_marks("a" + (invisible * 100 + "\u0301") * MOST) is None


def test_no_character_begins_a_run_that_is_not_seen() -> None:
    """Whatever a character becomes, only characters that count as marks become marks alone."""
    unseen = [
        f"{ord(character):04X}"
        for character in CHARACTERS
        for form in FORMS
        if unicodedata.combining(unicodedata.normalize(form, character)[0])
        and stacked_marks(character * (MOST + 1)) != 0
    ]
    assert unseen == []


@pytest.mark.parametrize("form", FORMS)
def test_within_the_bound_no_long_run_has_to_be_sorted(form: Form) -> None:
    """A mark becomes two at most, and a letter brings three of its own."""
    becoming_marks = [
        character
        for character in CHARACTERS
        if any(map(unicodedata.combining, unicodedata.normalize("NFKD", character)))
    ]
    assert len(becoming_marks) > 2_000
    for character in becoming_marks:
        text = "\u1f82" + character * MOST
        assert stacked_marks(text) is None
        assert longest_run(unicodedata.normalize(form, text)) <= 2 * MOST + 3

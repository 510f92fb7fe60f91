"""Counting characters, words and sentences."""

import itertools
import re
import sys
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.text.normalization import (
    INVISIBLE_RANGES,
    WHITE_SPACE_RANGES,
    canonical,
    display_text,
    forbidden_character,
    length,
)
from measures.text.segmentation import sentence_count, sentences, word_count
from measures.text.tests.vectors import length_vectors

INVISIBLE = [chr(code) for first, last in INVISIBLE_RANGES for code in range(first, last + 1)]
WHITE_SPACE = [chr(code) for first, last in WHITE_SPACE_RANGES for code in range(first, last + 1)]
any_text = st.text(st.characters() | st.sampled_from(INVISIBLE + WHITE_SPACE))
letters = st.text("abcdefghij éß漢字😀")


def test_invisible_table_covers_the_format_characters_of_this_python() -> None:
    known = {chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) == "Cf"}
    assert known <= set(INVISIBLE)


def test_invisible_table_holds_nothing_else_than_format_characters_and_variation_selectors() -> None:
    added_in_unicode_15 = set(map(chr, range(0x13439, 0x13440)))
    rest = {c for c in INVISIBLE if unicodedata.category(c) != "Cf"} - added_in_unicode_15
    assert all("VARIATION SELECTOR" in unicodedata.name(c) for c in rest)
    assert len(rest) == 4 + 16 + 240


@pytest.mark.parametrize("ranges", [INVISIBLE_RANGES, WHITE_SPACE_RANGES])
def test_ranges_are_sorted_and_do_not_touch(ranges: tuple[tuple[int, int], ...]) -> None:
    flat = [edge for first, last in ranges for edge in (first, last + 1)]
    assert flat == sorted(flat)
    assert all(last + 1 < first for (_, last), (first, _) in itertools.pairwise(ranges))


def test_white_space_is_the_unicode_property_and_not_pythons_own() -> None:
    python = {chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()}
    assert python - set(WHITE_SPACE) == {"\x1c", "\x1d", "\x1e", "\x1f"}
    assert set(WHITE_SPACE) <= python


def test_printable_text_has_no_white_space_but_spaces_and_nothing_forbidden() -> None:
    printable = list(filter(str.isprintable, map(chr, range(sys.maxunicode + 1))))
    assert set(printable) & set(WHITE_SPACE) == {" "}
    assert {c for c in printable if unicodedata.category(c) in {"Cc", "Cs", "Cn"}} == set()
    assert {c for c in INVISIBLE if c.isascii()} == set()


@given(st.one_of(any_text, st.text("ab  .é")))
def test_the_short_ways_lead_to_the_same_form(text: str) -> None:
    spaces = re.compile(f"[{''.join(WHITE_SPACE)}]+")
    composed = unicodedata.normalize("NFC", text)
    visible = unicodedata.normalize("NFC", "".join(c for c in composed if c not in set(INVISIBLE)))
    assert display_text(text) == spaces.sub(" ", composed).strip(" ")
    assert canonical(text) == spaces.sub(" ", visible).strip(" ")


@given(st.text("ab. !A“Mr"))
def test_sentences_are_counted_as_they_are_split(text: str) -> None:
    assert sentence_count(text) == len(sentences(text))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        (" \t\r\n ", 0),
        ("a", 1),
        ("  a   b  ", 3),
        ("e\u0301", 1),
        ("\u1e9b\u0323", 2),
        ("a\u200bb", 2),
        ("\ufeffa\ufe0f", 1),
        ("a \u200b b", 3),
        ("👩\u200d👧", 2),
        ("👍🏽", 2),
        ("\ud800", 1),
        ("\ud800x\udc00", 3),
        ("a\x1cb", 3),
        ("\x1ca\x1f", 3),
        ("a\u180eb", 2),
        ("a\u3000\u2028b", 3),
        ("\U00013439", 0),
        ("soft\u00adhyphen", 10),
    ],
)
def test_length(text: str, count: int) -> None:
    assert length(text) == count


@given(any_text)
def test_canonical_has_single_inner_spaces_and_nothing_invisible(text: str) -> None:
    tidy = canonical(text)
    assert not set(tidy) & set(INVISIBLE)
    assert not set(tidy) & (set(WHITE_SPACE) - {" "})
    assert "  " not in tidy
    assert tidy == tidy.strip(" ")


@given(any_text)
def test_length_does_not_depend_on_the_normal_form(text: str) -> None:
    assert length(unicodedata.normalize("NFD", text)) == length(text) == length(display_text(text))


@given(letters, letters, st.sampled_from(INVISIBLE))
def test_invisible_characters_do_not_count(before: str, after: str, invisible: str) -> None:
    assert length(before + invisible + after) == length(before + after)


@given(letters, letters, st.sampled_from(WHITE_SPACE), st.sampled_from(WHITE_SPACE))
def test_a_run_of_white_space_is_one_space(before: str, after: str, first: str, second: str) -> None:
    assert canonical(before + first + second + after) == canonical(before + " " + after)


@given(any_text)
def test_display_text_keeps_what_is_invisible_and_is_stable(text: str) -> None:
    tidy = display_text(text)
    assert display_text(tidy) == tidy
    assert [c for c in tidy if c in INVISIBLE] == [c for c in unicodedata.normalize("NFC", text) if c in INVISIBLE]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("--- … !", 0),
        ("one", 1),
        ("don't stop-gap 3.5 % & co.", 4),
        ("a\u00a0b\u200bc", 2),
        ("é ß 漢", 3),
    ],
)
def test_word_count(text: str, count: int) -> None:
    assert word_count(text) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("...", 0),
        ("no full stop", 1),
        ("One. Two.", 2),
        ("One.\n\nTwo!  Three?", 3),
        ("“One.” “Two.”", 2),
        ("He said “Go!” and went.", 1),
        ("It ends. \u201d", 1),
        ("(It ends.) Then (again).", 2),
        ("Dr. Who met Mrs. Hudson.", 1),
        ("“Mr. Smith left.”", 1),
        ("Was it Mr? Yes.", 2),
        ("J. K. Rowling wrote it.", 1),
        ("The U.S. Senate met. It voted.", 2),
        ("They cost 3.5 dollars, e.g. Apples.", 1),
        ("See No. 5 of it. No. They said no. He left.", 4),
        ("Well… perhaps. Well… Perhaps.", 3),
        ("Wait... No.", 2),
        ("Really?! Yes.", 2),
        ("In 1999. 2000 was next.", 2),
        ("iPhone sold. iPads did not.", 1),
        ("He came at 5 p.m. Then he left.", 2),
    ],
)
def test_sentence_count(text: str, count: int) -> None:
    assert sentence_count(text) == count


@given(any_text)
def test_there_is_a_sentence_exactly_where_there_are_words(text: str) -> None:
    assert (sentence_count(text) >= 1) == (word_count(text) >= 1)
    assert sentence_count(text) <= word_count(text)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", ()),
        ("... !", ()),
        ("\u200b", ()),
        (" One.\n\nTwo! ", ("One.", "Two!")),
        ("One. *** Two.", ("One. *** Two.",)),
        ("One. “…” Two.", ("One. “…”", "Two.")),
        ("“…” “One.” Two. (…)", ("“…” “One.”", "Two. (…)")),
        ("One.\u200b Two.", ("One.\u200b", "Two.")),
        ("One. \u200b \u2060 Two.", ("One. \u200b \u2060", "Two.")),
        ("\u200b \u200b One. \u200bTwo. \u200b", ("\u200b \u200b One.", "\u200bTwo. \u200b")),
        ("One e\u200b\u0301. Two 👩\u200d👧. Three.", ("One e\u200b\u0301.", "Two 👩\u200d👧.", "Three.")),
    ],
)
def test_sentences(text: str, pieces: tuple[str, ...]) -> None:
    assert sentences(text) == pieces


prose = st.lists(st.sampled_from(["One", "two", "É", "e\u0301", "Mr", *'.!?…"”“( )1-', "\u200b", "\u0301", "\n"])).map(
    "".join
)


@given(any_text | prose)
def test_sentences_joined_are_the_text_to_publish(text: str) -> None:
    pieces = sentences(text)
    assert " ".join(pieces) == (display_text(text) if word_count(text) else "")
    assert all(word_count(piece) and display_text(piece) == piece for piece in pieces)


@given(prose, st.sampled_from(INVISIBLE), st.integers(0, 40))
def test_invisible_characters_make_no_sentence(text: str, invisible: str, at: int) -> None:
    hidden = sentences(text[:at] + invisible + text[at:])
    assert [canonical(piece) for piece in hidden] == [canonical(piece) for piece in sentences(canonical(text))]


@pytest.mark.parametrize(
    "text",
    [
        "." * 200_000,
        ".)" * 100_000,
        "A. " * 70_000,
        '."' * 100_000 + "x",
        "One. " * 40_000,
        "x" + " \u200b" * 100_000,
        "\u200b" * 200_000 + " x",
    ],
)
def test_finding_sentences_takes_linear_time(text: str) -> None:
    began = time.process_time()
    sentence_count(text)
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("tab\tnewline\nreturn\r", None),
        ("😀\u200d é", None),
        ("ab\x00", (2, "U+0000 control character")),
        ("\x85", (0, "U+0085 control character")),
        ("😀\ud83d", (1, "U+D83D lone surrogate")),
        ("x\ufffe", (1, "U+FFFE noncharacter")),
        ("\ufdd0\x00", (0, "U+FDD0 noncharacter")),
        ("\U0010ffff", (0, "U+10FFFF noncharacter")),
        ("\ufdcf\ufdf0\ufffd", None),
    ],
)
def test_forbidden_character(text: str, found: tuple[int, str] | None) -> None:
    assert forbidden_character(text) == found


def test_every_control_character_but_three_is_forbidden() -> None:
    controls = {chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) == "Cc"}
    assert {c for c in controls if forbidden_character(c) is None} == {"\t", "\n", "\r"}


@pytest.mark.parametrize(("text", "count"), [pytest.param(*row[1:], id=row[0]) for row in length_vectors()])
def test_length_of_texts_built_to_a_length(text: str, count: int) -> None:
    assert length(text) == count

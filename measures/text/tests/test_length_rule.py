"""The compression rule."""

import random
import re
import sys
import unicodedata
from fractions import Fraction
from math import ceil, floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.text.length_rule import KEEP_PERCENT, Reason, Verdict, allowed_length, check_compression
from measures.text.normalization import INVISIBLE_RANGES, WHITE_SPACE_RANGES, length
from measures.text.tests.vectors import VerdictVector, verdict_vectors

SOURCE = "The committee will meet again on Tuesday to discuss it."
INVISIBLE = [chr(code) for first, last in INVISIBLE_RANGES for code in range(first, last + 1)]
WHITE_SPACE = [chr(code) for first, last in WHITE_SPACE_RANGES for code in range(first, last + 1)]
ASSIGNED = [chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) not in {"Cn", "Cs"}]
COMBINING = [c for c in ASSIGNED if unicodedata.combining(c)]
COMPATIBLE = [c for c in ASSIGNED if unicodedata.decomposition(c).startswith("<")]
SHORTHAND = {
    written: c
    for c in COMPATIBLE
    if len(written := unicodedata.normalize("NFKC", c)) > 1 and written.isascii() and written.isalnum()
}
prose = st.text("abc déf. 漢\u200b\n", max_size=80)


@pytest.mark.parametrize(("source_length", "allowed"), [(0, 0), (1, 0), (2, 1), (4, 3), (55, 41), (100, 75)])
def test_allowed_length(source_length: int, allowed: int) -> None:
    assert allowed_length("x" * source_length) == allowed


@given(prose, st.integers(1, 100))
def test_allowed_length_is_the_exact_floor(source: str, keep: int) -> None:
    assert allowed_length(source, keep) == floor(Fraction(keep, 100) * length(source))


@pytest.mark.parametrize("keep", [-1, 0, 101])
def test_a_share_outside_1_to_100_is_refused(keep: int) -> None:
    with pytest.raises(ValueError, match="keep_percent"):
        allowed_length(SOURCE, keep)
    with pytest.raises(ValueError, match="keep_percent"):
        check_compression(SOURCE, "It will meet.", keep)


def test_the_limit_itself_is_accepted_and_one_more_is_not() -> None:
    allowed = allowed_length(SOURCE)
    at_limit, beyond = check_compression(SOURCE, "x" * allowed), check_compression(SOURCE, "x" * (allowed + 1))
    assert at_limit == Verdict(length=41, allowed=41, source_length=55, reasons=())
    assert (at_limit.accepted, at_limit.excess, at_limit.spare) == (True, 0, 0)
    assert beyond.reasons == (Reason.TOO_LONG,)
    assert (beyond.accepted, beyond.excess, beyond.spare) == (False, 1, 0)


@pytest.mark.parametrize(
    ("compression", "reasons"),
    [
        ("", (Reason.EMPTY,)),
        (" \u200b\n", (Reason.EMPTY,)),
        ("1234 !", (Reason.NO_LETTERS,)),
        ("The commit", (Reason.CUT_IN_WORD,)),
        ("The com\u200bmit \n", (Reason.CUT_IN_WORD,)),
        ("The committee", ()),
        ("The committee will", ()),
        ("The commit.", ()),
        ("It will\x07 meet.", (Reason.FORBIDDEN_CHARACTER,)),
        ("\ud800", (Reason.NO_LETTERS, Reason.FORBIDDEN_CHARACTER)),
        (SOURCE, (Reason.TOO_LONG,)),
        ("The committee will meet again on Tuesday to disc", (Reason.TOO_LONG, Reason.CUT_IN_WORD)),
    ],
)
def test_reasons(compression: str, reasons: tuple[Reason, ...]) -> None:
    assert check_compression(SOURCE, compression).reasons == reasons


def test_a_compression_may_end_with_a_sign_inside_a_word() -> None:
    assert check_compression("It is a win/lose matter.", "It is a win/").accepted


def test_a_letter_is_not_cut_from_its_combining_mark() -> None:
    assert check_compression("यह हिन्दी का एक वाक्य है", "यह हिन").reasons == (Reason.CUT_IN_WORD,)


@given(prose, prose)
def test_nothing_over_the_limit_is_ever_accepted(source: str, compression: str) -> None:
    verdict = check_compression(source, compression)
    assert verdict.length == length(compression)
    assert verdict.allowed == allowed_length(source, KEEP_PERCENT)
    assert (Reason.TOO_LONG in verdict.reasons) == (verdict.excess > 0)
    assert not (verdict.accepted and verdict.length > verdict.allowed)
    assert verdict.spare - verdict.excess == verdict.allowed - verdict.length


@given(prose, prose, st.sampled_from(INVISIBLE), st.integers(0, 80))
def test_invisible_characters_never_help(source: str, compression: str, invisible: str, at: int) -> None:
    hidden = compression[:at] + invisible + compression[at:]
    assert check_compression(source, hidden) == check_compression(source, compression)


@given(prose.filter(length))
def test_the_source_itself_is_never_accepted(source: str) -> None:
    assert not check_compression(source, source).accepted


@pytest.mark.parametrize("vector", [pytest.param(vector, id=vector.name) for vector in verdict_vectors()])
def test_verdicts_built_by_hand(vector: VerdictVector) -> None:
    verdict = check_compression(vector.source, vector.compression, vector.keep_percent)
    assert (verdict.length, verdict.allowed, list(verdict.reasons)) == (vector.length, vector.allowed, vector.reasons)
    assert verdict.stacked_at == vector.stacked_at


def test_there_are_vectors_for_every_reason() -> None:
    assert len(verdict_vectors()) >= 120
    assert {reason for vector in verdict_vectors() for reason in vector.reasons} == set(Reason)


def test_no_blank_letter_of_this_python_is_forgotten() -> None:
    blank = [c for c in ASSIGNED if c.isalpha() and re.search("FILLER$|BLANK$|INVISIBLE", unicodedata.name(c, ""))]
    assert {"\u115f", "\u1160", "\u3164", "\uffa0"} <= set(blank)
    assert all(check_compression("x" * 99, c).reasons == (Reason.NO_LETTERS,) for c in blank)


# Searching for a trick: a text that says more than a text of the allowed length can say, and is accepted.

plain = st.text("abcdefghij ABC 123.,=<", min_size=4, max_size=60).filter(length)
smuggled = st.sampled_from(INVISIBLE + WHITE_SPACE) | st.sampled_from(COMBINING) | st.sampled_from(COMPATIBLE)


@given(plain, st.lists(st.tuples(st.integers(0, 60), smuggled), min_size=1, max_size=40))
def test_nothing_put_into_a_text_that_is_too_long_gets_it_accepted(text: str, inserted: list[tuple[int, str]]) -> None:
    source = _source_for(length(text) - 1)
    tricked = text
    for at, character in inserted:
        tricked = tricked[:at] + character + tricked[at:]
    assert Reason.TOO_LONG in check_compression(source, text).reasons
    assert Reason.TOO_LONG in check_compression(source, tricked).reasons


@given(
    st.integers(1, 40),
    st.lists(st.sampled_from("ab 1\u2044") | smuggled | st.sampled_from([*SHORTHAND.values()]), max_size=40),
)
def test_what_is_accepted_has_no_more_letters_and_digits_than_allowed(allowed: int, characters: list[str]) -> None:
    text = "".join(characters)
    verdict = check_compression(_source_for(allowed), text)
    assert verdict.allowed == allowed
    assert not verdict.accepted or _letters_and_digits(text) <= allowed


@given(st.lists(st.sampled_from([*SHORTHAND, *"abcxyz012 "]), min_size=2, max_size=40).map("".join).filter(length))
def test_the_shortest_encoding_of_a_text_that_is_too_long_is_not_accepted(text: str) -> None:
    any_shorthand = "|".join(sorted(SHORTHAND, key=len, reverse=True))
    encoded = re.sub(any_shorthand, lambda match: SHORTHAND[match[0]], text)
    reasons = check_compression(_source_for(length(text) - 1), encoded).reasons
    assert Reason.TOO_LONG in reasons or Reason.STRETCHED in reasons


@given(st.lists(st.sampled_from(["x", " ", *COMPATIBLE]), max_size=40), st.randoms(use_true_random=False))
def test_what_the_source_holds_itself_never_counts_as_stretched(source: list[str], rng: random.Random) -> None:
    kept = rng.sample(source, len(source) // 2)
    assert Reason.STRETCHED not in check_compression("".join(source), "".join(kept)).reasons


def _source_for(allowed: int) -> str:
    """An ordinary text of which a compression may have so many characters."""
    return "x" * ceil(Fraction(100, KEEP_PERCENT) * allowed)


def _letters_and_digits(text: str) -> int:
    """As they are once the whole text is taken apart; a fraction is one."""
    seen = "".join(c for c in text if c not in INVISIBLE)
    return len(re.findall(r"\d*\u2044\d*|[^\W_]", unicodedata.normalize("NFKC", seen)))

"""The compression rule."""

from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.length import KEEP_PERCENT, Reason, Verdict, allowed_length, judge
from measures.text import INVISIBLE_RANGES, length

SOURCE = "The committee will meet again on Tuesday to discuss it."
INVISIBLE = [chr(code) for first, last in INVISIBLE_RANGES for code in (first, last)]
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
        judge(SOURCE, "It will meet.", keep)


def test_the_limit_itself_is_accepted_and_one_more_is_not() -> None:
    allowed = allowed_length(SOURCE)
    at_limit, beyond = judge(SOURCE, "x" * allowed), judge(SOURCE, "x" * (allowed + 1))
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
    assert judge(SOURCE, compression).reasons == reasons


def test_a_compression_may_end_with_a_sign_inside_a_word() -> None:
    assert judge("It is a win/lose matter.", "It is a win/").accepted


def test_a_letter_is_not_cut_from_its_combining_mark() -> None:
    assert judge("यह हिन्दी का एक वाक्य है", "यह हिन").reasons == (Reason.CUT_IN_WORD,)


@given(prose, prose)
def test_nothing_over_the_limit_is_ever_accepted(source: str, compression: str) -> None:
    verdict = judge(source, compression)
    assert verdict.length == length(compression)
    assert verdict.allowed == allowed_length(source, KEEP_PERCENT)
    assert (Reason.TOO_LONG in verdict.reasons) == (verdict.excess > 0)
    assert not (verdict.accepted and verdict.length > verdict.allowed)
    assert verdict.spare - verdict.excess == verdict.allowed - verdict.length


@given(prose, prose, st.sampled_from(INVISIBLE), st.integers(0, 80))
def test_invisible_characters_never_help(source: str, compression: str, invisible: str, at: int) -> None:
    hidden = compression[:at] + invisible + compression[at:]
    assert judge(source, hidden) == judge(source, compression)


@given(prose.filter(length))
def test_the_source_itself_is_never_accepted(source: str) -> None:
    assert not judge(source, source).accepted

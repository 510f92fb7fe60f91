"""No text makes a function slow: twice the text costs at most about twice the steps, whatever it is made of."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measures.keystrokes.edit_log import Kind, Operation, edit_history, replay
from measures.keystrokes.effort import effort, effort_flags
from measures.tests.steps import steps
from measures.text.length_rule import check_compression
from measures.text.normalization import bounded_display_text, stacked_marks
from measures.text.odd_texts import disguises, odd_texts
from measures.text.segmentation import sentences, word_count

PIECES = (
    *("a", "A", ".", "!", " ", "\n", "|", '"', "7", "\u0301", "\u0315", "\u200b", "\u202e", "\u2069", "\ufe0f"),
    *("\U0001f469\u200d", "\ufdfa", "\u1112\u1161\u11ab", "\u043e", "e.g. ", "J. ", "x" * 9, "\u20dd", "\uff9e"),
)
SMALL = 30
units = st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join)


def keys(unit: str, times: int, kind: Kind) -> list[Operation]:
    """The same text, put in front of itself again and again."""
    return [Operation(0, "", unit, kind, index) for index in range(times)]


OF_TEXTS: list[Callable[[str], Any]] = [
    stacked_marks,
    bounded_display_text,
    word_count,
    sentences,
    lambda text: check_compression("The committee met. " * 9, text),
    lambda text: check_compression(text, text[: len(text) // 2]),
    lambda text: disguises("The committee met.", text),
    lambda text: odd_texts("The committee met in the town hall.", text, allowed=9, language="en"),
    lambda text: odd_texts(text, text[::-1], allowed=9, language="de"),
]
OF_LOGS: list[Callable[[list[Operation]], Any]] = [
    lambda log: replay("", log),
    lambda log: effort("The committee met.", "", log),
    lambda log: effort_flags("The committee met.", "", log),
]


def assert_linear(work: Callable[[int], Any]) -> None:
    small, large = (steps(lambda times=times: work(times)) for times in (SMALL, 4 * SMALL))  # type: ignore[misc]
    assert large <= 5 * small + 500


@pytest.mark.parametrize("function", range(len(OF_TEXTS)))
@settings(max_examples=25, deadline=None)
@given(unit=units)
def test_the_steps_for_a_text_grow_with_its_length(function: int, unit: str) -> None:
    assert_linear(lambda times: OF_TEXTS[function](unit * times))


@pytest.mark.parametrize("function", range(len(OF_LOGS)))
@pytest.mark.parametrize("kind", [Kind.PASTE, Kind.TYPING])
@settings(max_examples=15, deadline=None)
@given(unit=units)
def test_the_steps_for_a_log_grow_with_its_length(function: int, kind: Kind, unit: str) -> None:
    assert_linear(lambda times: OF_LOGS[function](keys(unit, times, kind)))


def test_counting_notices_what_is_quadratic() -> None:
    with pytest.raises(AssertionError):
        assert_linear(lambda times: [first + second for first in range(times) for second in range(times)])


def test_snapshots_with_stacked_marks_are_not_normalised() -> None:
    log = keys("\u0315\u0300", 200, Kind.TYPING)
    assert edit_history("", log).endswith("  " + "\u0315\u0300" * 200)

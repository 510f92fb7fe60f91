"""No text makes reading its marks slow: four times the text and the marks cost at most about four times the steps."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measures.spans.formats.esa_spans import esa_marks
from measures.spans.tests.test_characters import PIECES
from measures.spans.tokens import tokens
from measures.tests.steps import steps

SMALL = 30
WORK: list[Callable[[str], Any]] = [
    tokens,
    lambda text: esa_marks([{"start_i": 0, "end_i": 0}] * min(len(text), 900), "." + text),
]


@pytest.mark.parametrize("function", range(len(WORK)))
@settings(max_examples=25, deadline=None)
@given(unit=st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join))
def test_the_steps_grow_with_the_text(function: int, unit: str) -> None:
    small, large = (steps(lambda times=times: WORK[function](unit * times)) for times in (SMALL, 4 * SMALL))  # type: ignore[misc]
    assert large <= 5 * small + 500

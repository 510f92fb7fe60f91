"""What the files of a quiz study allow: which lengths some of the utterances have together."""

from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.extract.task import TASK
from protocols.quiz.files import bounds, can_be_chosen
from protocols.quiz.tests.studies import text_line

PERCENT = st.integers(1, 100)


@given(words=st.lists(st.integers(1, 9), min_size=1, max_size=8), ends=st.tuples(PERCENT, PERCENT))
def test_a_length_can_be_chosen_if_some_utterances_have_it_together(words: list[int], ends: tuple[int, int]) -> None:
    text = {"utterances": [{"words": each} for each in words]}
    settings = {"least_percent": min(ends), "most_percent": max(ends)}
    least, most = bounds(text, settings)
    choices = chain.from_iterable(combinations(words, n) for n in range(len(words) + 1))
    assert can_be_chosen(text, settings) == any(least <= sum(each) <= most for each in choices)


def test_a_text_of_which_nobody_could_choose_a_summary_is_refused() -> None:
    assert TASK.material(text_line("t1"), {"least_percent": 20, "most_percent": 40}).name == "t1"
    with pytest.raises(ValueError, match="no choice of its utterances has 30 to 40% of its words"):
        TASK.material(text_line("t1"), {"least_percent": 30, "most_percent": 40})

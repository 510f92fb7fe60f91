"""What the files of a quiz study allow: which lengths some of the utterances have together."""

from itertools import chain, combinations

from hypothesis import given
from hypothesis import strategies as st

from protocols.quiz.files import bounds, can_be_chosen

PERCENT = st.integers(1, 100)


@given(words=st.lists(st.integers(1, 9), min_size=1, max_size=8), ends=st.tuples(PERCENT, PERCENT))
def test_a_length_can_be_chosen_if_some_utterances_have_it_together(words: list[int], ends: tuple[int, int]) -> None:
    text = {"utterances": [{"words": each} for each in words]}
    settings = {"least_percent": min(ends), "most_percent": max(ends)}
    least, most = bounds(text, settings)
    choices = chain.from_iterable(combinations(words, n) for n in range(len(words) + 1))
    assert can_be_chosen(text, settings) == any(least <= sum(each) <= most for each in choices)

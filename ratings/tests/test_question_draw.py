"""Which questions a try asks, whatever was asked before."""

import random
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ratings.selectors.sittings import questions_draw

live_questions = st.lists(st.integers(1, 60), unique=True, max_size=30)


def drawn_tries(live: list[int], count: int, tries: int, seed: int) -> list[list[int]]:
    """The questions of so many tries, one after the other."""
    asked: list[list[int]] = []
    for number in range(tries):
        asked.append(questions_draw(live, asked, count, random.Random(f"{seed}:{number}")))
    return asked


@given(live_questions, st.lists(st.lists(st.integers(1, 60), unique=True), max_size=4), st.integers(0, 40))
def test_a_try_asks_each_question_once_and_as_many_as_are_wanted(
    live: list[int], tries: list[list[int]], count: int
) -> None:
    drawn = questions_draw(live, tries, count, random.Random(1))
    assert len(drawn) == len(set(drawn)) == min(count or len(live), len(live))
    assert set(drawn) <= set(live)


@given(live_questions, st.integers(1, 15), st.integers(2, 5), st.integers(0, 99))
def test_no_question_comes_again_while_there_are_others(live: list[int], count: int, tries: int, seed: int) -> None:
    """With twice as many as a try asks, the second try has none of the first; with fewer, as few as possible."""
    asked = drawn_tries(live, count, tries, seed)
    for number, drawn in enumerate(asked):
        before = {question for earlier in asked[:number] for question in earlier}
        unseen = set(live) - before
        assert len(set(drawn) - before) == min(len(drawn), len(unseen))
    if len(live) >= 2 * count:
        assert not set(asked[0]) & set(asked[1])


@given(live_questions.filter(lambda live: len(live) > 1), st.integers(2, 5), st.integers(0, 99))
def test_where_every_try_asks_all_the_next_one_has_another_order(live: list[int], tries: int, seed: int) -> None:
    asked = drawn_tries(live, 0, tries, seed)
    for one, other in pairwise(asked):
        assert one != other
        assert sorted(one) == sorted(other) == sorted(live)


@given(live_questions, st.integers(0, 40), st.integers(0, 99))
def test_a_draw_can_be_repeated(live: list[int], count: int, seed: int) -> None:
    assert drawn_tries(live, count, 3, seed) == drawn_tries(live, count, 3, seed)

"""Sentences beside what was made of them, and which words a deletion keeps."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.programs.pairs import Pair, embedded, sentence_pairs

words = st.lists(st.sampled_from("abc"), min_size=1, max_size=8)


@given(words, words)
def test_a_deletion_is_embedded_with_the_fewest_gaps_and_then_the_earliest(
    source: list[str], target: list[str]
) -> None:
    ways = [
        places
        for places in combinations(range(len(source)), len(target))
        if [source[place] for place in places] == target
    ]
    gaps = {places: sum(b - a > 1 for a, b in pairwise(places)) for places in ways}
    assert embedded(source, target) == min(ways, key=lambda places: (gaps[places], places), default=None)


@pytest.mark.parametrize(
    ("source", "target", "kept"),
    [
        ("the cat sat .", "The CAT !", (0, 1, 3)),
        ("the cat sat", "the cat .", (0, 1)),
        ("the cat sat .", "the cat", (0, 1)),
        ("the cat sat .", "cat the", None),
        ("the cat sat .", ".", None),
        (". .", "cat", None),
    ],
)
def test_case_and_final_punctuation_do_not_matter(source: str, target: str, kept: tuple[int, ...] | None) -> None:
    assert embedded(source.split(), target.split()) == kept


TWO = ("The old bridge fell after heavy rain.", "The committee agreed to repair it before winter.")


@pytest.mark.parametrize(
    ("targets", "pairs", "merged", "unmatched"),
    [
        (["The bridge fell.", "The committee agreed to repair it."], [(0, 0), (1, 1)], 0, 0),
        (["The committee agreed."], [(1, 0)], 0, 1),
        (["The bridge fell, the committee agreed to repair it."], [], 1, 2),
        (["Nobody knew."], [], 0, 2),
    ],
)
def test_two_sentences_are_cut_into_pairs(
    targets: list[str], pairs: list[tuple[int, int]], merged: int, unmatched: int
) -> None:
    cut = sentence_pairs(TWO, targets, "en")
    assert (cut.pairs, cut.merged, cut.unmatched) == (
        tuple(Pair(TWO[source], targets[target]) for source, target in pairs),
        merged,
        unmatched,
    )


def test_one_sentence_has_all_that_was_made_of_it() -> None:
    assert sentence_pairs(TWO[:1], ["The bridge fell.", "It rained."], "en").pairs == (
        Pair(TWO[0], "The bridge fell. It rained."),
    )

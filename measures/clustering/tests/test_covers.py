"""Gold communities and links, messages, and how much communities overlap."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.clustering.covers import NO_LABELS, NO_SENTENCES, gold_cover, gold_links, message_links, overlap
from measures.clustering.division import without_subsets
from measures.clustering.link_scores import link_set_scores
from measures.clustering.tests.golden_values import GOLDEN

sets = st.lists(st.sets(st.integers(0, 5)), max_size=5)


def test_messages_are_the_golden_ones() -> None:
    golden = GOLDEN["message_links"]
    names, acts, entities = zip(*golden["sentences (id, acts, entities)"], strict=True)
    found = message_links(acts, entities)
    assert isinstance(found, list)
    assert [[names[one], names[other]] for one, other in found] == golden[
        "links (same act and same entity in one message)"
    ]
    gold = [tuple(sorted((names.index(one), names.index(other)))) for one, other in golden["gold"]]
    scores = link_set_scores(found, gold)  # type: ignore[arg-type]
    assert [scores.precision, scores.recall, scores.f] == golden["P, R, F"]


@pytest.mark.parametrize(("acts", "entities"), [([], []), ([["a"], []], [[], ["b"]]), ([[]], [["b"]])])
def test_without_acts_there_are_no_messages(acts: list[list[str]], entities: list[list[str]]) -> None:
    assert message_links(acts, entities) == NO_LABELS


def test_a_message_of_one_sentence_links_nothing() -> None:
    assert message_links([["a"]], [["b"]]) == []
    with pytest.raises(ValueError, match="shorter"):
        message_links([["a"], ["b"]], [["b"]])


@given(given_sets=sets)
def test_gold_is_each_set_and_everybody_else_alone(given_sets: list[set[int]]) -> None:
    cover = gold_cover(given_sets, 6)
    unlinked = set(range(6)) - {node for each in given_sets for node in each}
    assert sorted(cover) == sorted([tuple(sorted(each)) for each in given_sets if each] + [(n,) for n in unlinked])
    assert gold_links(given_sets) == [
        pair for pair in combinations(range(6), 2) if any({*pair} <= each for each in given_sets)
    ]
    assert overlap(cover, 6) == pytest.approx(sum(map(len, cover)) / 6)


def test_what_lies_inside_another_is_dropped_on_demand() -> None:
    assert without_subsets([(0,), (0, 1), (0, 1), (2,)]) == [(0, 1), (2,)]
    assert overlap([], 0) == NO_SENTENCES
    with pytest.raises(ValueError, match="holds sentence 9"):
        gold_cover([[9]], 3)

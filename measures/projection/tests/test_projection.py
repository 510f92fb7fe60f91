"""Summaries projected into another language, by the golden example, and groups of sentences against nltk."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.gale_church import LanguageIndependent, align_log_prob

from measures.core.undefined import Undefined
from measures.projection import alignment_groups, project, propose_groups, shared_targets, trigram_dice

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "golden.json").read_text())
SOURCE = {name: text.split() for name, text in GOLDEN["source"].items()}
GROUPS = [(tuple(one), tuple(other)) for one, other in GOLDEN["alignment"]]
TARGETS = ["b1", "b2", "b3", "b4", "b5"]
lengths = st.lists(st.integers(1, 200), min_size=1, max_size=4)
sentences = st.lists(st.sampled_from("abAB"), max_size=8)


def test_the_projection_is_the_golden_one() -> None:
    found = project(
        [text.split() for text in GOLDEN["summary"]], SOURCE, alignment_groups(GROUPS, list(SOURCE), TARGETS)
    )
    for sentence, step in zip(found.sentences, GOLDEN["steps"], strict=True):
        assert sentence.dice == pytest.approx(step["dice"], abs=1e-8)
        assert (sentence.source, list(sentence.target)) == (step["source"], step["target"])
    assert list(found.target) == GOLDEN["projected"]
    assert (found.not_matched, found.without_translation) == (GOLDEN["not_matched"], GOLDEN["without_translation"])
    assert shared_targets(found.target, GOLDEN["own"]).dice == pytest.approx(GOLDEN["overlap"], abs=1e-8)


def test_proposed_groups_are_the_golden_ones() -> None:
    golden = GOLDEN["gale_church"]
    groups = propose_groups(golden["source"], golden["target"])
    assert [[i, j] for one, other in groups for i in one for j in other] == golden["pairs"]


def cost(source: list[int], target: list[int], i: int, j: int, kind: tuple[int, int]) -> float:
    return float(align_log_prob(i, j, source, target, kind, LanguageIndependent))


def least_cost(source: list[int], target: list[int], i: int, j: int) -> float:
    if i == j == 0:
        return 0
    kinds = [(a, b) for a, b in LanguageIndependent.PRIORS if a <= i and b <= j]
    return min(least_cost(source, target, i - a, j - b) + cost(source, target, i, j, (a, b)) for a, b in kinds)


@settings(max_examples=40, deadline=None)
@given(lengths, lengths)
def test_no_other_grouping_costs_less_by_the_costs_of_nltk(source: list[int], target: list[int]) -> None:
    mine = propose_groups(source, target)
    assert [each for one, _ in mine for each in one] == list(range(len(source)))
    assert [each for _, other in mine for each in other] == list(range(len(target)))
    total, i, j = 0.0, 0, 0
    for one, other in mine:
        i, j = i + len(one), j + len(other)
        total += cost(source, target, i, j, (len(one), len(other)))
    assert total == pytest.approx(least_cost(source, target, len(source), len(target)))


def test_sentences_without_length_and_empty_texts_have_groups() -> None:
    assert propose_groups([], []) == ()
    assert propose_groups([5], []) == (((0,), ()),)
    assert propose_groups([0, 0], [0]) == (((0, 1), (0,)),)
    with pytest.raises(ValueError, match="1000 sentences"):
        propose_groups([1] * 1001, [1])
    with pytest.raises(ValueError, match="from 0"):
        propose_groups([-1], [1])


@settings(max_examples=60, deadline=None)
@given(sentences, sentences)
def test_dice_is_symmetric_within_bounds_and_1_for_the_same_words(one: list[str], other: list[str]) -> None:
    dice = trigram_dice(one, other)
    assert dice == trigram_dice(other, one)
    assert 0 <= dice <= 1
    assert trigram_dice(one, [word.swapcase() for word in one]) == (1 if one else 0)


def test_short_sentences_are_compared_by_their_own_length() -> None:
    assert trigram_dice(["It", "rained"], ["it", "rained", "hard"]) == pytest.approx(2 / 3)
    assert trigram_dice(["Rain"], ["no", "rain"]) == pytest.approx(2 / 3)


def test_the_earliest_of_equal_sentences_is_taken_and_targets_come_once() -> None:
    source = {"a1": ["rain", "fell", "here"], "a2": ["rain", "fell", "here"]}
    found = project([["Rain", "fell", "here"]] * 2, source, [(("a1",), ("b1",)), (("a2",), ("b2",))])
    assert [each.source for each in found.sentences] == ["a1", "a1"]
    assert found.target == ("b1",)
    assert found.length_ratio([10, 10], {"b1": 30}) == 1.5


def test_what_is_undefined_says_why() -> None:
    nothing = shared_targets([], [])
    assert all(isinstance(each, Undefined) for each in (nothing.dice, nothing.of_projected, nothing.of_own))
    assert isinstance(project([], SOURCE, GROUPS).length_ratio([], {}), Undefined)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([(("a1",), ("b1",)), (("a1",), ())], "source sentence a1 is in a group already"),
        ([(("a1",), ("b2",))], "target sentence b2 is not in the document"),
        ([(("a1",), ())], "target sentence b1 is in no group"),
        ([(("a1",), ("b1",)), ((), ())], "a group has no sentence"),
    ],
)
def test_groups_that_do_not_cover_the_document_are_refused(groups: list[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        alignment_groups(groups, ["a1"], ["b1"])


def test_a_source_sentence_without_a_group_is_refused() -> None:
    with pytest.raises(ValueError, match="a1 is in no group"):
        project([["rain"]], {"a1": ["rain"]}, [])

"""The aligner: golden pairs, its steps one by one, and what holds of any alignment."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.alignment import (
    NO_RESOURCES,
    AlignmentOptions,
    AlignmentResources,
    Places,
    align_words,
    read_vectors,
    word_pairs,
)
from measures.alignment.norms import word_rules
from measures.alignment.similarity import similarity, words_of
from measures.alignment.tests.golden import GOLDEN


def pairs(source: str, target: str) -> str:
    """Pharaoh pairs, in the order of the source."""
    found = align_words(source.split(), target.split())
    return " ".join(f"{i}-{j}" for i, j in sorted((i, j) for j, i in enumerate(found) if i is not None))


@pytest.mark.parametrize(("source", "target", "expected"), GOLDEN)
def test_golden_pairs_are_equal_word_by_word(source: str, target: str, expected: str) -> None:
    assert pairs(source, target) == expected


WORDS = st.lists(st.sampled_from(["the", "a", "old", "bridge", "fell", "falls", "2", "n't", ",", "."]), max_size=12)


@given(WORDS, WORDS)
def test_each_word_of_the_source_is_used_at_most_once_and_the_same_again(source: list[str], target: list[str]) -> None:
    found = align_words(source, target)
    places = [place for place in found if place is not None]
    assert len(found) == len(target)
    assert len(places) == len(set(places))
    assert all(0 <= place < len(source) for place in places)
    assert found == align_words(list(source), list(target))


@given(WORDS)
def test_a_text_is_aligned_to_itself_word_by_word(words: list[str]) -> None:
    assert align_words(words, words) == tuple(range(len(words)))


@given(WORDS, WORDS)
def test_aligned_words_are_similar_or_share_a_class_or_place(source: list[str], target: list[str]) -> None:
    """The place: both end their texts as marks do, or both stand between words aligned with each other."""
    options, rules = AlignmentOptions(), word_rules("en")
    sources, targets = words_of(source, None, rules), words_of(target, None, rules)
    places = align_words(source, target)
    for j, i in enumerate(places):
        if i is None or similarity(sources[i], targets[j], options, NO_RESOURCES) > 0:
            continue
        one, other = sources[i].form, targets[j].form
        assert one.kind == other.kind
        if one.group and one.group == other.group:
            continue
        is_last = one.kind == "mark" and all(
            word.form.kind == "mark" for word in [*sources[i + 1 :], *targets[j + 1 :]]
        )
        assert is_last or _is_between(places, i, j, options.fill)


def _is_between(places: Places, i: int, j: int, fill: int) -> bool:
    """Whether words at most `fill` away on either side are aligned to words before and after i."""
    before = [place for place in places[max(0, j - fill) : j] if place is not None]
    after = [place for place in places[j + 1 : j + 1 + fill] if place is not None]
    return any(place < i for place in before) and any(place > i for place in after)


def test_words_that_are_alike_in_nothing_stay_open() -> None:
    """So that the rule above can be broken: each of its exceptions, one step away from where it holds."""
    assert align_words(["old", "bridge"], ["new", "house"]) == (None, None)
    assert align_words(["old", "bridge", "fell"], ["old", "house", "fell"]) == (0, 1, 2)
    assert align_words(["old", "bridge", "of", "stone", "fell"], ["old", "house", "fell"]) == (0, None, 4)


@pytest.mark.parametrize("word", ["the", "cat"])
def test_hostile_texts_are_bounded_in_cost(word: str) -> None:
    source, target = [word] * 10_000, [word] * 9_999 + ["end"]
    start = time.process_time()
    align_words(source, target)
    align_words(source[:500], target[-500:])
    assert time.process_time() - start < 10


def test_pairs_and_lemmas_make_words_similar() -> None:
    source, target = ["she", "bought", "it", "cheaply", "yesterday"], ["cheap", "they", "say", "she", "purchased"]
    assert align_words(source, target)[4] is None
    resources = AlignmentResources(word_pairs(["bought\tpurchased"]))
    assert align_words(source, target, resources=resources)[4] == 1
    ours, theirs = ["", "buy", "", "", ""], ["", "", "", "", "buy"]
    assert align_words(source, target, source_lemmas=ours, target_lemmas=theirs)[4] == 1


def test_vectors_make_content_words_similar_but_not_numbers() -> None:
    vectors = read_vectors(["car 1 0", "auto 0.9 0.1", "1990 1 0", "1991 1 0"])
    resources = AlignmentResources(vectors=vectors)
    assert align_words(["x", "car"], ["auto", "y"], resources=resources) == (1, None)
    assert align_words(["x", "1990"], ["1991", "y"], resources=resources) == (None, None)


def test_penn_tokens_are_the_marks_and_words_they_stand_for() -> None:
    source = ["``", "He", "did", "n't", "-LRB-", "ever", "-RRB-", "come", ",", "''", "she", "said", "."]
    target = ['"', "He", "did", "not", "(", "ever", ")", "come", ",", '"', "she", "said", "."]
    assert align_words(source, target) == tuple(range(len(source)))


@pytest.mark.parametrize(
    ("lines", "message"),
    [(["car"], "word pairs, line 1: no pair"), (["a\tb", "x\t"], "word pairs, line 2: no pair")],
)
def test_a_line_without_a_pair_is_named(lines: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        word_pairs(lines)


@pytest.mark.parametrize(
    ("source", "target", "places"),
    [
        ("It is not that . He left .", "It is not that .", (0, 1, 2, 3, 4)),
        ("He did so because of that , and she was not .", "He did so because of that .", (0, 1, 2, 3, 4, 5, 11)),
    ],
)
def test_function_words_at_the_edge_are_copied_though_no_content_word_is_near(
    source: str, target: str, places: tuple[int, ...]
) -> None:
    assert align_words(source.split(), target.split()) == places
    assert None in align_words(source.split(), target.split(), AlignmentOptions(edge_weight=0))

"""The integer linear program against all subsets of words, and its rules one by one."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from systems.programs.ilp.model import Program, Solution, program_of, significance, solve
from systems.programs.ilp.rules import Rule, rules_of
from systems.programs.lm.trigrams import BEGIN_PLACE, END_PLACE, trained
from systems.programs.parses import Sentence, Word

TEXTS = [
    "the old man saw a dog .",
    "a dog and the cat ran .",
    "the man , who slept , saw it .",
    "she did not see the old dog ( a cat ) .",
]
RELATIONS = ("nsubj", "obj", "det", "amod", "advmod", "conj", "cc", "punct", "case", "nmod", "acl:relcl", "mark")
WORDS = ("the", "old", "man", "dog", "saw", "and", "not", ",", "she", "ran", "(", ")", '"')
MODEL = trained([text.split() for text in TEXTS], least=1)


@st.composite
def parsed(draw: st.DrawFn) -> Sentence:
    """Any tree over up to eight words and a final mark."""
    number = draw(st.integers(2, 8))
    root = draw(st.integers(0, number - 1))
    words = []
    for place in range(number):
        text, relation = draw(st.sampled_from(WORDS)), draw(st.sampled_from(RELATIONS))
        head = draw(st.integers(0, number - 1))
        own = place if place == root else (root if head == place else head)
        pos = draw(st.sampled_from(["NOUN", "VERB", "ADJ", "PRON"]))
        words.append(Word(text, draw(st.booleans()), own, "root" if place == root else relation, pos))
    return Sentence((*words, Word(".", False, root, "punct", "PUNCT")))


def best_of_all(program: Program, rules: list[Rule], least: int, most: int) -> tuple[float, set[frozenset[int]]]:
    """The highest value of any subset, and the subsets that have it."""
    places = range(len(program.weights))
    values = {}
    for number in places:
        for kept in combinations(places, number + 1):
            chosen = set(kept)
            if least <= program.length(chosen) <= most and all(rule.holds(chosen) for rule in rules):
                value = program.value(chosen)
                if value is not None:
                    values[frozenset(chosen)] = value
    highest = max(values.values(), default=-np.inf)
    return highest, {kept for kept, value in values.items() if value > highest - 1e-7}


@settings(max_examples=60)
@given(parsed(), st.integers(0, 3), st.booleans())
def test_the_best_is_that_of_all_subsets(sentence: Sentence, scale: int, with_rules: bool) -> None:
    weights = scale * significance(sentence, MODEL, [word.text for word in sentence.words])
    program = program_of(sentence, MODEL, weights, [])
    rules = rules_of(sentence) if with_rules else []
    whole = program.length(range(len(sentence.words)))
    least, most = whole // 3, whole * 3 // 4
    highest, best = best_of_all(program, rules, least, most)
    found = solve(program, rules, least, most)
    if not best:
        assert found is None
    else:
        assert isinstance(found, Solution)
        assert found.is_proved
        assert found.value == pytest.approx(highest, abs=1e-6)
        assert found.kept in best


def best_path(sentence: Sentence) -> tuple[float, tuple[int, ...]] | None:
    """The log probability of the likeliest words in a row, and these, by Viterbi over pairs; None if none may be.

    Signs follow each other only as they stand, no closing sign comes first, and the final mark is the last.
    """
    words = sentence.words
    numbers = [MODEL.vocabulary.number(word.text.lower()) for word in words]
    last = len(words) - 1

    def log_p(*row: int) -> float:
        return float(MODEL.log_probabilities(*(np.array([number]) for number in row))[0])

    def may_follow(one: int, two: int) -> bool:
        return two == one + 1 or not (words[one].is_sign and words[two].is_sign)

    best: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {}
    for j in range(len(words)):
        for i in range(j):
            if not may_follow(i, j):
                continue
            ways = [
                (value + log_p(numbers[h], numbers[i], numbers[j]), (*path, j))
                for (h, middle), (value, path) in best.items()
                if middle == i
            ]
            if words[i].text not in {",", ")", "."}:
                begin = log_p(BEGIN_PLACE, BEGIN_PLACE, numbers[i]) + log_p(BEGIN_PLACE, numbers[i], numbers[j])
                ways.append((begin, (i, j)))
            if ways:
                best[i, j] = max(ways)
    ends = [
        (value + log_p(numbers[i], numbers[j], END_PLACE), path) for (i, j), (value, path) in best.items() if j == last
    ]
    return max(ends, default=None)


@settings(max_examples=60)
@given(parsed())
def test_without_weights_and_rules_the_best_is_the_likeliest_path(sentence: Sentence) -> None:
    program = program_of(sentence, MODEL, np.zeros(len(sentence.words)), [])
    found = solve(program, [], 0, program.length(range(len(sentence.words))))
    likeliest = best_path(sentence)
    if likeliest is None:
        assert found is None
    else:
        value, path = likeliest
        assert found is not None
        assert found.value == pytest.approx(value, abs=1e-6)
        assert program.value(path) == pytest.approx(value, abs=1e-6)


@given(parsed(), st.randoms(use_true_random=False))
def test_without_a_rule_nothing_is_worth_less(sentence: Sentence, rng) -> None:  # type: ignore[no-untyped-def]
    program = program_of(sentence, MODEL, np.ones(len(sentence.words)), [])
    rules = rules_of(sentence)
    fewer = [rule for rule in rules if rng.random() < 0.7]
    whole = program.length(range(len(sentence.words)))
    one, other = (solve(program, each, 1, whole) for each in (rules, fewer))
    if one is not None:
        assert other is not None
        assert other.value >= one.value - 1e-6


def sentence_of(*rows: tuple[str, int, str, str]) -> Sentence:
    """Words with head, relation and part of speech, each parted by a space but for final marks."""
    return Sentence(tuple(Word(text, text not in ",.", head, relation, pos) for text, head, relation, pos in rows))


RULES: dict[str, tuple[Sentence, list[set[int]], list[set[int]]]] = {
    "arguments": (sentence_of(("men", 1, "nsubj", "NOUN"), ("slept", 1, "root", "VERB")), [{0, 1}, set()], [{0}, {1}]),
    "heads": (sentence_of(("old", 1, "amod", "ADJ"), ("men", 1, "root", "NOUN")), [{1}, {0, 1}], [{0}]),
    "negation": (sentence_of(("not", 1, "advmod", "PART"), ("saw", 1, "root", "VERB")), [{0, 1}], [{1}, {0}]),
    "determiners": (sentence_of(("the", 1, "det", "DET"), ("man", 1, "root", "NOUN")), [{0, 1}], [{1}, {0}]),
    "function words": (sentence_of(("of", 1, "case", "ADP"), ("men", 1, "root", "NOUN")), [{0, 1}], [{1}, {0}]),
    "complementisers": (
        sentence_of(("said", 0, "root", "VERB"), ("that", 2, "mark", "SCONJ"), ("ran", 0, "ccomp", "VERB")),
        [{0, 1, 2}, {0, 2}, {2}],
        [{1, 2}, {0, 1}],
    ),
    "coordination": (
        sentence_of(("cats", 0, "root", "NOUN"), ("and", 2, "cc", "CCONJ"), ("dogs", 0, "conj", "NOUN")),
        [{0, 1, 2}, {0}],
        [{0, 2}, {1, 2}, {0, 1}],
    ),
    "conjuncts": (
        sentence_of(("saw", 0, "root", "VERB"), ("cats", 0, "obj", "NOUN"), ("dogs", 1, "conj", "NOUN")),
        [{0, 1, 2}, {0, 1}],
        [{0, 2}, {1, 2}],
    ),
    "predicate": (sentence_of(("slept", 0, "root", "VERB"), ("late", 0, "advmod", "ADV")), [{0}], [set()]),
    "pronouns": (sentence_of(("she", 1, "nsubj", "PRON"), ("slept", 1, "root", "VERB")), [{0, 1}], [{1}]),
    "brackets": (
        sentence_of(("(", 1, "punct", "PUNCT"), ("men", 1, "root", "NOUN"), (")", 1, "punct", "PUNCT")),
        [set()],
        [{0, 1, 2}, {1}],
    ),
    "quotation": (
        sentence_of(("“", 1, "punct", "PUNCT"), ("men", 1, "root", "NOUN"), ("”", 1, "punct", "PUNCT")),
        [{0, 1, 2}, {1}, set()],
        [{0, 1}, {0, 2}],
    ),
    "glued": (
        Sentence((Word("do", True, 0, "root", "VERB"), Word("n't", False, 0, "advmod", "PART"))),
        [{0, 1}, set()],
        [{0}, {1}],
    ),
}


@pytest.mark.parametrize("name", RULES)
def test_each_rule_lets_pass_and_forbids(name: str) -> None:
    sentence, allowed, forbidden = RULES[name]
    rules = [rule for rule in rules_of(sentence) if rule.name == name]
    assert rules
    for kept in allowed:
        assert all(rule.holds(kept) for rule in rules)
    for kept in forbidden:
        assert not all(rule.holds(kept) for rule in rules)


def test_clauses_below_matter_more_and_rare_words_most() -> None:
    sentence = sentence_of(
        ("men", 1, "nsubj", "NOUN"),
        ("said", 1, "root", "VERB"),
        ("dogs", 3, "nsubj", "NOUN"),
        ("ran", 1, "ccomp", "VERB"),
    )
    found = significance(sentence, MODEL, ["men", "said", "dogs", "ran"])
    assert found[3] > found[1] * 0.99
    assert found[2] > 0
    probable = replace(MODEL, counts=np.zeros_like(MODEL.counts))
    old = -float(MODEL.unigrams.log_p[MODEL.vocabulary.number("dog")])
    assert significance(sentence_of(("dog", 0, "root", "NOUN")), probable, ["dog"]).tolist() == [old]
    assert significance(sentence_of(("the", 0, "root", "DET")), MODEL, ["the"]).tolist() == [0]


def test_a_head_that_is_no_word_is_refused() -> None:
    with pytest.raises(ValueError, match="no place of a word"):
        Sentence((Word("a", True, 3, "det", "DET"),))

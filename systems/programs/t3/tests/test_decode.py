"""The decoder against all derivations, and copies of sentences."""

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measures.core.arrays import FloatArray
from systems.programs.lm.trigrams import trained
from systems.programs.made_pairs import made_pairs
from systems.programs.parses import Sentence
from systems.programs.t3.decode import Beam, Decoder
from systems.programs.t3.extract import Counts
from systems.programs.t3.grammar import CHARACTERS, LANGUAGE_MODEL, PER_CHARACTERS, WORDS, Grammar
from systems.programs.t3.rules import Variable
from systems.programs.t3.tests.support import counted, sentences
from systems.programs.t3.trees import Tree, tree_of
from tests.support.trees import chained

MODEL = trained([["the", "cat", "sat"], ["old", "dog", "ran"], ["cat", "ran", "old"]], least=1)
ALL = Beam(None, None)
Derived = tuple[str, tuple[str, ...], FloatArray]


def derivations(grammar: Grammar, tree: Tree, node: int) -> Iterator[Derived]:
    """All targets of a node: label, words and features of the rules."""
    for use in grammar.uses(tree, node):
        wanted = sorted(part for part in use.rule.yields if isinstance(part, Variable))
        choices = [
            [each for each in derivations(grammar, tree, below) if each[0] == variable.label]
            for below, variable in zip(use.nodes, wanted, strict=True)
        ]
        for chosen in product(*choices):
            words: list[str] = []
            for part in use.rule.yields:
                words += chosen[part.number][1] if isinstance(part, Variable) else [part]
            features = sum((each[2] for each in chosen), grammar.features(use.rule))
            yield use.rule.target_label, tuple(words), features


def score_of(derived: Derived, weights: FloatArray) -> float:
    _label, words, features = derived
    features = features.copy()
    features[LANGUAGE_MODEL] += MODEL.sentence(words).sum()
    features[WORDS] += len(words)
    features[CHARACTERS] += len(" ".join(words)) / PER_CHARACTERS
    return float(weights @ features)


@settings(max_examples=60, deadline=None)
@given(counted(), sentences(3), st.integers(0, 2**32 - 1))
def test_without_bounds_the_best_is_that_of_all_derivations(counts: Counts, sentence: Sentence, seed: int) -> None:
    grammar = Grammar.of(counts, least=1)
    weights = np.random.default_rng(seed).normal(size=len(grammar.names))
    tree = tree_of(sentence)
    expected = max(score_of(each, weights) for each in derivations(grammar, tree, tree.root))
    decoder = Decoder(grammar, weights, MODEL, ALL)
    made = decoder.best(sentence)
    assert made[0].score == pytest.approx(expected, abs=1e-9)
    for each in made:
        assert float(weights @ decoder.features(each)) == pytest.approx(each.score, abs=1e-9)
    # A beam finds nothing better, and nothing that is not there.
    texts = {" ".join(words) for _label, words, _features in derivations(grammar, tree, tree.root)}
    for each in Decoder(grammar, weights, MODEL, Beam(3, 1)).best(sentence):
        assert each.text in texts
        assert each.score <= expected + 1e-9


COPIES = [
    'He said: "It\'s (nearly) over," and left; nobody—not even she—knew why.',
    "I don't know the co-op's $5 price, 5% off.",
    "iPhone sales fell…",
]


def test_copies_alone_give_the_source_back() -> None:
    decoder = Decoder(Grammar({}, []), np.ones(len(Grammar({}, []).names)), MODEL)
    made = [(pair.source, pair.source_text) for pair in made_pairs(100, seed=4)]
    for sentence, text in (*made, *((chained(text), text) for text in COPIES)):
        assert [each.text for each in decoder.best(sentence)] == [text]


def test_no_more_items_are_kept_than_the_beam_holds() -> None:
    pairs = made_pairs(60, seed=5)
    trees = [tree_of(pair.source) for pair in pairs]
    may_go = {
        (tree.labels[above], label)
        for tree in trees
        for label, above in zip(tree.labels, tree.parents, strict=True)
        if above >= 0
    }
    grammar = Grammar({}, may_go)
    decoder = Decoder(grammar, np.zeros(len(grammar.names)), MODEL, Beam(20, 2))
    for pair in pairs[:5]:
        made = [each.text for each in decoder.best(pair.source)]
        assert 1 < len(made) <= 20
        assert made == [each.text for each in decoder.best(pair.source)]

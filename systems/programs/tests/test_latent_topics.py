"""The extractive baseline against NumPy's decomposition, and its choice of sentences."""

import numpy as np

from measures.meta_evaluation.tests.later_methods import GOLDEN
from systems.programs.latent_topics import extract, sentence_scores, weighted_terms

LSA = GOLDEN["lsa"]


def test_scores_of_sentences() -> None:
    matrix = np.array(LSA["terms_by_sentences"])
    np.testing.assert_allclose(sentence_scores(matrix, least=0), LSA["scores_all_dimensions"], atol=1e-9)
    np.testing.assert_allclose(sentence_scores(matrix), LSA["scores_kept"], atol=1e-9)


def test_the_best_come_first_and_say_something_new() -> None:
    matrix = np.array(LSA["terms_by_sentences"])
    assert extract(matrix, lambda chosen: len(chosen) <= 1) == (3,)
    assert extract(np.hstack([matrix, matrix[:, 3:]]), lambda chosen: len(chosen) <= 2) == (0, 3)
    assert extract(matrix, lambda _: False) == ()


def test_texts_without_words_or_with_one_sentence() -> None:
    assert extract(weighted_terms([[], []]), lambda _: True) == ()
    assert extract(weighted_terms([["a"]]), lambda _: True) == (0,)

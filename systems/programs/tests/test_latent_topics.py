"""The extractive baseline against NumPy's decomposition, and its choice of sentences."""

from collections.abc import Sequence

import numpy as np
import pytest

from measures.core.undefined import Undefined
from measures.meta_evaluation.lsa import NONE_FITS, extract, lsa_text, sentence_scores, weighted_terms
from measures.meta_evaluation.tests.later_methods import GOLDEN
from measures.text.normalization import length

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


def split(texts: Sequence[str]) -> list[list[str]]:
    return [text.lower().split() for text in texts]


TEXT = "The old bridge fell. Nobody saw it. The river took the old bridge away."


def test_a_text_is_shortened_to_sentences_in_their_order() -> None:
    found = lsa_text(TEXT, 60, split)
    assert isinstance(found, str)
    assert length(found) <= 60
    assert found in {"The old bridge fell. Nobody saw it.", "Nobody saw it. The river took the old bridge away."}


@pytest.mark.parametrize("allowed", range(75))
def test_a_shortened_text_fits_or_there_is_none(allowed: int) -> None:
    found = lsa_text(TEXT, allowed, split)
    assert (found == NONE_FITS) == (allowed < len("Nobody saw it."))
    assert isinstance(found, Undefined) or length(found) <= allowed


def test_a_text_without_words_has_no_sentences() -> None:
    assert lsa_text("…", 10, split) == NONE_FITS

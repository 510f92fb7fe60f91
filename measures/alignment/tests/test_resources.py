"""Word pairs and vectors that are given: their bounds, and a pipeline's vectors."""

from typing import Any

import numpy as np
import pytest
import spacy
from spacy.vocab import Vocab

from measures.alignment import AlignmentResources, align_words, pipeline_vectors, read_vectors, word_pairs
from measures.alignment.norms import norm_of


@pytest.mark.parametrize(
    ("name", "bound", "lines", "said"),
    [
        ("MAX_PAIRS", 2, ["a\tb", "b\ta", "a\tc", "c\td"], "list, line 4: more than 2 pairs"),
        ("MAX_BYTES", 8, ["a\tb", "# ä", "ab\tcd"], "list, line 3: more than 8 bytes up to here"),
        ("MAX_LINE", 5, ["a\tb", "abc\tde"], "list, line 2: longer than 5 characters"),
    ],
)
def test_a_list_of_pairs_is_bounded_and_the_line_is_named(
    name: str, bound: int, lines: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(word_pairs(lines)) > 0
    monkeypatch.setattr(f"measures.alignment.resources.{name}", bound)
    with pytest.raises(ValueError, match=said):
        word_pairs(lines, name="list")


def test_vectors_are_bounded_and_the_line_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("measures.alignment.vectors.MAX_WORDS", 2)
    with pytest.raises(ValueError, match="list, line 3: more than 2 words"):
        read_vectors(["a 1 0", "b 1 0", "c 1 0"], name="list")


def test_a_pipelines_vectors_make_words_similar() -> None:
    pipeline: Any = spacy.blank("en")
    assert pipeline_vectors(pipeline) is None
    pipeline.vocab = Vocab(strings=["car", "auto", "bus"])
    for word, vector in (("car", [1, 0]), ("auto", [0.9, 0.1]), ("bus", [0, 1])):
        pipeline.vocab.set_vector(word, np.array(vector, dtype="float32"))
    pipeline.meta["name"] = "tiny"

    vectors = pipeline_vectors(pipeline)

    assert vectors is not None
    assert vectors.signature == "en_tiny-0.0.0"
    assert vectors.unit("none") is None
    assert vectors.unit("Car") is not None
    resources = AlignmentResources(vectors=vectors)
    assert align_words(["x", "car"], ["auto", "y"], resources=resources) == (1, None)
    assert align_words(["x", "car"], ["bus", "y"], resources=resources) == (None, None)
    assert align_words(["x", "car"], ["auto", "y"]) == (None, None)


def test_pairs_are_of_norms() -> None:
    assert (norm_of("Co-operate"), "work") in word_pairs(["co-operate\tWork"]).pairs

"""String accuracy against NLTK's edit distance."""

import numpy as np
import pytest
from nltk.metrics.distance import edit_distance

from measures.metrics import Text, compare, score
from measures.metrics.counting.batching import chunks
from measures.metrics.families import string_accuracy

NAMES = ["STRING+Accuracy+SINGLE-REF", "STRING+Accuracy+MULT-MAX"]


def test_distances_are_those_of_nltk(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    texts = [Text(tuple(map(str, rng.integers(0, 6, rng.integers(0, 18))))) for _ in range(80)]
    compared = compare(texts[:40], [texts[40 + number :][:3] or texts[:1] for number in range(40)])
    (chunk,) = chunks(compared, 1)
    wanted = [
        edit_distance(texts[number].words, other.words)
        for number in range(40)
        for other in texts[40 + number :][:3] or texts[:1]
    ]
    assert string_accuracy.edit_distances(chunk).tolist() == wanted
    monkeypatch.setattr(string_accuracy, "_CELLS", 40)
    assert string_accuracy.edit_distances(chunk).tolist() == wanted


def test_it_is_one_minus_the_edits_by_the_words_of_the_reference() -> None:
    output = Text(("she", "left", "home"))
    near, far = Text(("she", "left", "her", "home")), Text(("he", "ran"))
    found = score(compare([output, output], [[near], [far, near]]), NAMES)
    assert found.tolist()[0] == [0.75, 0.75]
    assert found[1, 1] == 0.75
    assert score(compare([output], [[far]]), NAMES).tolist() == [[0, 0]]

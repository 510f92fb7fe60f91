"""Agreement on units against nltk's alpha with the same distance."""

import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask

from measures.content_units.word_groups import NO_WORD, ONE_ANNOTATOR, ONE_GROUP, word_group_alpha
from measures.core.undefined import Undefined

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "golden.json").read_text())["pyramid"]
words = st.lists(st.sets(st.integers(0, 3), max_size=2), min_size=6, max_size=6)


def masi(one: frozenset[int], other: frozenset[int]) -> float:
    if one == other:
        return 0
    shared = len(one & other) / len(one | other)
    return 1 - shared * (2 / 3 if one < other or other < one else 1 / 3)


def of_nltk(groups: Sequence[Sequence[Collection[Any]]]) -> float:
    rows = []
    for annotator, units in enumerate(groups):
        for word, mine in enumerate(units):
            together = frozenset(at for at, other in enumerate(units) if set(mine) & set(other))
            rows.append((annotator, word, together))
    return float(AnnotationTask(rows, distance=masi).alpha())


def test_alpha_is_the_golden_one() -> None:
    assert word_group_alpha(list(GOLDEN["words"].values())) == pytest.approx(GOLDEN["alpha"], abs=1e-8)


@settings(max_examples=60, deadline=None)
@given(st.lists(words, min_size=2, max_size=4))
def test_alpha_is_that_of_nltk(groups: list[list[set[int]]]) -> None:
    found = word_group_alpha(groups)
    if isinstance(found, Undefined):
        assert found is ONE_GROUP
        return
    assert found == pytest.approx(of_nltk(groups))


def test_names_of_units_do_not_matter() -> None:
    one = [{1}, {1, 2}, {2}, set()]
    assert word_group_alpha([one, [{"b"}, {"a", "b"}, {"a"}, ()]]) == 1


def test_what_is_undefined_says_why() -> None:
    assert word_group_alpha([[{1}]]) is ONE_ANNOTATOR
    assert word_group_alpha([[], []]) is NO_WORD
    assert word_group_alpha([[{1}, {1}], [{2}, {2}]]) is ONE_GROUP
    with pytest.raises(ValueError, match="same words"):
        word_group_alpha([[{1}], []])

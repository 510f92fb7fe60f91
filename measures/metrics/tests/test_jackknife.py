"""Outputs jackknifed: scored k times, each time without one of k references, as people are without their own text."""

from collections.abc import Sequence
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from measures.core.arrays import FloatArray
from measures.metrics import Options, Text, compare, jackknife, leave_one_out, score, score_chunks
from measures.metrics.options import REFERENCE_WEIGHTS, SMOOTHINGS, ReferenceChoice
from measures.metrics.tests.naive import ALL_NAMES, plain_table

LAST_BITS = 1e-12
options = st.builds(
    Options,
    window=st.integers(0, 6),
    single=st.sampled_from(get_args(ReferenceChoice)),
    seed=st.integers(0, 50),
    smoothing=st.sampled_from(SMOOTHINGS),
    reference_weights=st.sampled_from(REFERENCE_WEIGHTS),
)


def texts(least: int, most: int) -> st.SearchStrategy[list[Text]]:
    words = st.lists(st.sampled_from("abcd"), max_size=8).map(tuple)
    return st.lists(st.builds(Text, words, words), min_size=least, max_size=most)


sources = st.lists(st.tuples(texts(1, 3), texts(2, 4)), min_size=1, max_size=3)


def without(some: Sequence[Text], place: int) -> list[Text]:
    return [*some[:place], *some[place + 1 :]]


def plainly_jackknifed(output: Text, references: Sequence[Text], names: Sequence[str], chosen: Options) -> FloatArray:
    """By the definition, one time after the other."""
    times = [plain_table([output], [without(references, each)], names, chosen) for each in range(len(references))]
    return np.asarray(np.mean(times, axis=0)[0])


@given(sources, options, st.sampled_from([0, 50, 2000, 1_500_000]), st.data())
def test_jackknifed_scores_are_those_of_the_definition(
    found: list[tuple[list[Text], list[Text]]], chosen: Options, cells: int, data: st.DataObject
) -> None:
    outputs = [output for some, _ in found for output in some]
    references = [references for some, references in found for _ in some]
    which = data.draw(st.lists(st.booleans(), min_size=len(outputs), max_size=len(outputs)))
    expected = [
        plainly_jackknifed(output, given, ALL_NAMES, chosen)
        if is_jackknifed
        else plain_table([output], [given], ALL_NAMES, chosen)[0]
        for output, given, is_jackknifed in zip(outputs, references, which, strict=True)
    ]
    compared = compare(outputs, references, which)
    assert len(compared) == len(outputs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("measures.metrics.counting.batching._CELLS", cells)
        assert_allclose(score(compared, ALL_NAMES, chosen), expected, rtol=0, atol=LAST_BITS)


@given(sources)
def test_all_jackknifed_is_the_same_as_each(found: list[tuple[list[Text], list[Text]]]) -> None:
    outputs = [output for some, _ in found for output in some]
    references = [references for some, references in found for _ in some]
    each = compare(outputs, references, [True] * len(outputs))
    assert_array_equal(score(jackknife(outputs, references), ALL_NAMES), score(each, ALL_NAMES))


@given(texts(3, 6), options)
def test_nobody_gains_from_being_called_a_system(written: list[Text], chosen: Options) -> None:
    """Each text in turn is the system beside the others, who are people: on the same ground the means are equal."""
    beside = [without(written, place) for place in range(len(written))]
    systems = score(jackknife(written, beside), ALL_NAMES, chosen)
    people = score(leave_one_out(beside), ALL_NAMES, chosen)
    assert_allclose(systems.mean(axis=0), people.mean(axis=0), rtol=0, atol=LAST_BITS)


def test_whoever_has_one_reference_more_has_more_to_agree_with() -> None:
    rng = np.random.default_rng(5)
    written = [[Text(tuple(map(str, rng.integers(0, 9, 12)))) for _ in range(3)] for _ in range(600)]
    name = ["BLEU-4+PrecBrev+MULT-ALL"]
    outputs, references = [some[0] for some in written], [some[1:] for some in written]
    people = score(leave_one_out(references), name).mean()
    all_references, jackknifed = (score(way(outputs, references), name).mean() for way in (compare, jackknife))
    assert all_references - people > 0.03
    assert abs(jackknifed - people) < 0.005


@given(sources, options)
def test_texts_that_are_the_same_object_are_looked_at_once_with_the_same_scores(
    found: list[tuple[list[Text], list[Text]]], chosen: Options
) -> None:
    """Outputs on both grounds and people beside one another, as the app scores a source."""
    rows: list[tuple[Text, list[Text], bool]] = []
    for some, written in found:
        rows += [(output, written, way) for output in some for way in (False, True)]
        rows += [(text, without(written, place), False) for place, text in enumerate(written)]
    outputs, which = [row[0] for row in rows], [row[2] for row in rows]
    shared = compare(outputs, [given for _, given, _ in rows], which)
    copies = [[Text(each.words, each.triples) for each in given] for _, given, _ in rows]
    apart = compare(outputs, copies, which)
    assert_array_equal(score(shared, ALL_NAMES, chosen), score(apart, ALL_NAMES, chosen))
    distinct = sum(len({id(text) for text in [*some, *written]}) for some, written in found)
    if len(rows) <= 16:
        assert len(shared.words.lengths) == distinct


def test_pieces_hold_whole_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(6)
    written = [[Text(tuple(map(str, rng.integers(0, 9, 12)))) for _ in range(4)] for _ in range(30)]
    compared = jackknife([some[0] for some in written], [some[1:] for some in written])
    whole = score(compared)
    monkeypatch.setattr("measures.metrics.counting.batching._CELLS", 3000)
    pieces = list(score_chunks(compared))
    assert len(pieces) > 2
    assert_array_equal(np.concatenate(pieces), whole)


def test_one_reference_is_not_left_out() -> None:
    a, b = Text(("a",)), Text(("b",))
    with pytest.raises(ValueError, match="output 1 has one reference: to be jackknifed it wants two"):
        jackknife([a, b], [[a, b], [a]])
    with pytest.raises(ValueError, match="output 0 has no reference"):
        jackknife([a], [[]])
    with pytest.raises(ValueError, match="2 outputs, and jackknifed says of 1"):
        compare([a, b], [[a], [b]], [False])
    assert len(compare([a, b], [[a, b], [a]], [True, False])) == 2


def test_nothing_is_jackknifed_to_nothing() -> None:
    assert score(jackknife([], [])).shape == (0, 80)

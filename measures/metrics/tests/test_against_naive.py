"""Every score by the slow way, whatever the input, the options, and how the work is cut into pieces."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeAlias, get_args

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from measures.core.arrays import FloatArray
from measures.metrics import Comparisons, Options, Text, compare, leave_one_out, score
from measures.metrics.options import SMOOTHINGS, ReferenceChoice
from measures.metrics.tests.naive import ALL_NAMES, plain_table, runs

Group: TypeAlias = tuple[list[Text], list[Text]]

LAST_BITS = 1e-12
CELLS = [0, 1, 50, 300, 2000, 1_500_000]

cells = st.sampled_from(CELLS)
options = st.builds(
    Options,
    window=st.integers(0, 6),
    single=st.sampled_from(get_args(ReferenceChoice)),
    seed=st.integers(0, 50),
    smoothing=st.sampled_from(SMOOTHINGS),
)


@st.composite
def texts(draw: st.DrawFn, least: int, most: int, longest: int = 9) -> list[Text]:
    """Texts of few words, which come again within and between them."""
    some = st.lists(st.sampled_from("abcdefgh"[: draw(st.integers(1, 8))]), max_size=longest).map(tuple)
    return draw(st.lists(st.builds(Text, some, some), min_size=least, max_size=most))


@st.composite
def groups(draw: st.DrawFn) -> list[Group]:
    """References, each time with the outputs that have these in common."""
    return draw(st.lists(st.tuples(texts(1, 4), texts(1, 3)), min_size=1, max_size=4))


def paired(found: list[Group]) -> tuple[list[Text], list[list[Text]]]:
    outputs = [output for _, some in found for output in some]
    return outputs, [references for references, some in found for _ in some]


def scored(compared: Comparisons, chosen: Options, cells: int, names: Sequence[str] = ALL_NAMES) -> FloatArray:
    """In pieces of at most so many cells."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("measures.metrics.counting.batching._CELLS", cells)
        return score(compared, names, chosen)


def random_text(rng: np.random.Generator, words: int, length: int) -> Text:
    triples = rng.integers(0, words, rng.integers(0, length + 1))
    return Text(tuple(map(str, rng.integers(0, words, length))), tuple(map(str, triples)))


@given(groups(), options, cells)
@example([([Text((), ())], [Text((), ())])], Options(), 0)
@example([([Text(("a",), ())], [Text((), ("a",))]), ([Text((), ("a",))], [Text(("a",), ())])], Options(window=0), 1)
def test_all_scores_are_those_of_the_definitions(found: list[Group], chosen: Options, cells: int) -> None:
    outputs, references = paired(found)
    expected = plain_table(outputs, references, ALL_NAMES, chosen)
    assert_allclose(scored(compare(outputs, references), chosen, cells), expected, rtol=0, atol=LAST_BITS)


@given(st.lists(texts(0, 5), max_size=4), options, cells)
def test_texts_left_out_in_turn_have_the_others_as_references(
    sources: list[list[Text]], chosen: Options, cells: int
) -> None:
    beside = [
        (text, [*some[:at], *some[at + 1 :]]) for some in sources if len(some) > 1 for at, text in enumerate(some)
    ]
    outputs, references = [text for text, _ in beside], [others for _, others in beside]
    expected = plain_table(outputs, references, ALL_NAMES, chosen)
    assert_allclose(scored(leave_one_out(sources), chosen, cells), expected, rtol=0, atol=LAST_BITS)
    assert_array_equal(scored(compare(outputs, references), chosen, cells), scored(leave_one_out(sources), chosen, 0))


@given(groups(), options)
def test_the_size_of_the_pieces_changes_nothing(found: list[Group], chosen: Options) -> None:
    compared = compare(*paired(found))
    whole = score(compared, ALL_NAMES, chosen)
    for cells in CELLS:
        assert_array_equal(scored(compared, chosen, cells), whole)


@given(groups(), options, cells)
def test_sharing_references_changes_nothing(found: list[Group], chosen: Options, cells: int) -> None:
    outputs, references = paired(found)
    shared = scored(compare(outputs, references), chosen, cells)
    copies = [[Text(text.words, text.triples) for text in given] for given in references]
    assert_array_equal(scored(compare(outputs, copies), chosen, cells), shared)
    if chosen.single != "drawn":
        one_by_one = [
            score(compare([output], [given]), ALL_NAMES, chosen)[0]
            for output, given in zip(outputs, references, strict=True)
        ]
        assert_array_equal(one_by_one, shared)


@given(groups(), options.filter(lambda chosen: chosen.single != "drawn"), cells, st.randoms(use_true_random=False))
def test_the_order_of_the_items_changes_the_order_of_the_rows_alone(
    found: list[Group], chosen: Options, cells: int, random: Any
) -> None:
    outputs, references = paired(found)
    order = random.sample(range(len(outputs)), len(outputs))
    mixed = compare([outputs[n] for n in order], [references[n] for n in order])
    assert_array_equal(scored(mixed, chosen, cells), score(compare(outputs, references), ALL_NAMES, chosen)[order])


@given(groups(), options)
def test_neither_the_order_of_the_references_nor_the_names_of_the_words_matter(
    found: list[Group], chosen: Options
) -> None:
    names = [name for name in ALL_NAMES if chosen.single == "mean" or not name.endswith("SINGLE-REF")]
    outputs, references = paired(found)
    other = str.maketrans("abcdefgh", "hdbfaceg")

    def renamed(text: Text) -> Text:
        words, triples = (tuple(word.translate(other) for word in some or ()) for some in (text.words, text.triples))
        return Text(words, triples)

    turned = [[renamed(text) for text in reversed(given)] for given in references]
    again = score(compare([renamed(text) for text in outputs], turned), names, chosen)
    assert_allclose(again, score(compare(outputs, references), names, chosen), rtol=0, atol=LAST_BITS)


@pytest.mark.parametrize("name", ALL_NAMES)
def test_a_metric_asked_for_alone_is_the_same_as_among_all(name: str) -> None:
    rng = np.random.default_rng(8)
    compared = leave_one_out([[random_text(rng, 6, int(n)) for n in rng.integers(0, 12, 4)] for _ in range(12)])
    column = ALL_NAMES.index(name)
    assert_array_equal(score(compared, [name])[:, 0], score(compared, ALL_NAMES)[:, column])
    assert_array_equal(score(compared, ALL_NAMES[::-1])[:, ::-1][:, column], score(compared, [name])[:, 0])


@pytest.mark.parametrize("words", [2, 40, 3000])
@pytest.mark.parametrize("single", get_args(ReferenceChoice))
def test_long_texts_are_scored_by_the_definitions_too(words: int, single: ReferenceChoice) -> None:
    rng, chosen = np.random.default_rng(words), Options(single=single, seed=words)
    lengths = [0, 1, 63, 64, 65, 150]
    outputs = [random_text(rng, words, length) for length in lengths]
    references = [[random_text(rng, words, int(n)) for n in rng.integers(0, 150, 3)] for _ in lengths]
    # Half of an output in the middle of a reference.
    references[-1].append(Text(outputs[-1].words[30:100] + references[-1][0].words, outputs[-1].triples))
    found = score(compare(outputs, references), ALL_NAMES, chosen)
    assert_allclose(found, plain_table(outputs, references, ALL_NAMES, chosen), rtol=0, atol=LAST_BITS)


@pytest.mark.parametrize("bits", [0, 1, 5, 12, 40])
def test_how_long_the_numbers_of_units_may_grow_changes_nothing(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    compared = leave_one_out([[random_text(rng, 7, int(n)) for n in rng.integers(0, 15, 4)] for _ in range(20)])
    whole = score(compared, ALL_NAMES)
    monkeypatch.setattr("measures.metrics.counting.units._UNIT_BITS", bits)
    assert_array_equal(score(compared, ALL_NAMES), whole)


def test_runs_of_thousands_of_different_words_are_kept_apart() -> None:
    rng = np.random.default_rng(4)
    output = Text(tuple(map(str, rng.permutation(5000)[:1500])))
    reference = Text(tuple(map(str, rng.permutation(5000)[:1500])) + output.words[100:900])
    names = [f"LR-{n}+{measure}+MULT-ALL" for n in (1, 2, 3, 4) for measure in ("Precision", "Recall")]
    found = score(compare([output], [[reference]]), names)
    for n, (precision, recall) in zip((1, 2, 3, 4), found.reshape(4, 2), strict=True):
        match = (Counter(runs(output.words, n)) & Counter(runs(reference.words, n))).total()
        assert (precision, recall) == (match / (1501 - n), match / (2301 - n))
        assert match > 790

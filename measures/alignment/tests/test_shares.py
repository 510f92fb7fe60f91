"""Shares by what was done to words and texts, and their intervals over sources."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.alignment.classes import WordCounts, text_operations
from measures.alignment.shares import SHARE_NAMES, CountedTexts, class_shares, operation_shares, share_differences
from measures.core.drawn_sources import NO_SPREAD, TOO_FEW_SOURCES, Ratio, drawn_ratios
from measures.core.undefined import Undefined

few = st.integers(0, 4)


@st.composite
def counted(draw: st.DrawFn) -> CountedTexts:
    texts = draw(st.lists(st.tuples(few, few, few, few, st.integers(0, 3)), min_size=1, max_size=8))
    counts = [WordCounts(a + 1, b, c, d, a + 1 + b, 1, 0, 0, 0, 1) for a, b, c, d, _ in texts]
    return CountedTexts(counts, [each[-1] for each in texts])


@given(counted())
def test_shares_of_a_texts_words_add_up_and_lie_within_their_intervals(texts: CountedTexts) -> None:
    shares = operation_shares(texts, draws=50, seed=1)
    assert tuple(shares) == SHARE_NAMES
    for way in ("", ", mean of texts"):
        found = [shares[name + way] for name in ("copied", "paraphrased", "inserted")]
        assert sum(each.value for each in found if isinstance(each, Ratio)) == pytest.approx(1)
    for each in shares.values():
        if isinstance(each, Ratio):
            assert 0 <= each.value <= 1
            assert isinstance(each.interval, Undefined) or each.sources >= 2
    zero = share_differences(texts, texts, draws=20, seed=1)
    assert all(isinstance(each, Undefined) or each.value == 0 for each in zero.values())


def test_shares_by_hand() -> None:
    first = text_operations(["a", "b", "c", "."], ["a", "x", "."], (0, 1, 3))
    second = text_operations(["a"], ["a"], (0,))
    shares = operation_shares(CountedTexts([first.counts, second.counts], [1, 2]), seed=1)
    values = {name: each.value for name, each in shares.items() if isinstance(each, Ratio)}
    assert values["copied"] == 3 / 4
    assert values["copied, mean of texts"] == pytest.approx((2 / 3 + 1) / 2)
    assert values["copied, without punctuation"] == 2 / 3
    assert values["copied, without punctuation, mean of texts"] == 3 / 4
    assert values["deleted"] == 1 / 5
    assert values["deleted, without punctuation"] == 1 / 4


def test_without_words_or_with_one_source_the_reason_is_given() -> None:
    marks = operation_shares(CountedTexts([text_operations(["."], ["."], (0,)).counts], ["a"]), seed=1)
    assert marks["copied, without punctuation"] == Undefined("no text has such words")
    whole = marks["copied"]
    assert isinstance(whole, Ratio)
    assert (whole.value, whole.interval) == (1, TOO_FEW_SOURCES)
    assert set(operation_shares(CountedTexts([], []), seed=1).values()) == {Undefined("no text has such words")}
    alone = CountedTexts([WordCounts(1, 0, 0, 0, 1, 0, 0, 0, 0, 0)], ["a"])
    other = CountedTexts(alone.counts, ["b"])
    assert share_differences(alone, other, seed=1)["copied"] == Undefined("no source has texts of both groups")


def test_an_interval_over_sources_is_as_wide_as_their_variance_says() -> None:
    rng = np.random.default_rng(3)
    rates = rng.beta(2, 2, size=400).repeat(4)
    above = (rng.random(1600) < rates).astype(float)[:, None]
    (share,) = drawn_ratios(above, np.ones((1600, 1)), np.repeat(np.arange(400), 4), seed=1, nothing="none")
    assert isinstance(share, Ratio)
    assert not isinstance(share.interval, Undefined)
    error = above.reshape(400, 4).mean(axis=1).std() / 20
    assert share.interval.width == pytest.approx(2 * 1.96 * error, rel=0.12)
    (again,) = drawn_ratios(above, np.ones((1600, 1)), np.repeat(np.arange(400), 4), seed=1, nothing="none")
    assert again == share


def test_classes_of_texts() -> None:
    shares = class_shares(["kept", "merged", None, "kept"], [1, 1, 2, 3], ["kept", "merged", "gone"], seed=1)
    assert [each.value for each in shares.values() if isinstance(each, Ratio)] == pytest.approx([2 / 3, 1 / 3, 0])
    assert class_shares([None], [1], ["kept"], seed=1) == {"kept": Undefined("no texts")}
    with pytest.raises(ValueError, match="unknown classes: left"):
        class_shares(["left"], [1], ["kept"], seed=1)
    with pytest.raises(ValueError, match="do not fit"):
        drawn_ratios([[1]], [[1]], [1, 2], seed=1, nothing="")


@pytest.mark.parametrize("value", [0, 1])
def test_a_share_without_any_spread_has_no_interval(value: int) -> None:
    (share,) = drawn_ratios([[value]] * 10, [[1]] * 10, list(range(10)), seed=1, nothing="none")
    assert isinstance(share, Ratio)
    assert (share.value, share.interval) == (value, NO_SPREAD)

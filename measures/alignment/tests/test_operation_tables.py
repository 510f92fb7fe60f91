"""Tables 5 and 6: golden values and what happens where there is nothing to pair."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.alignment import (
    PairedComparison,
    SentenceTexts,
    holm_family,
    joint_against_apart,
    paired_operation,
    paired_within_editors,
)
from measures.core.drawn_sources import TOO_FEW_SOURCES
from measures.core.undefined import Undefined

SOURCES = [0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6, 7, 7, 7, 7, 8, 8]
PRESENT = [0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 1, 1]
QUALITY = [
    2.6,
    3.0,
    2.2,
    1.4,
    2.4,
    2.2,
    2.2,
    1.8,
    2.2,
    1.4,
    1.2,
    2.2,
    2.2,
    2.6,
    1.2,
    2.2,
    2.8,
    1.2,
    2.4,
    1.4,
    1.4,
    2.0,
    1.4,
    1.6,
    1.6,
    2.6,
    2.8,
    1.4,
    2.0,
]


def test_the_golden_comparison() -> None:
    found = paired_operation(PRESENT, QUALITY, SOURCES)
    assert isinstance(found, PairedComparison)
    assert (found.sources, found.test.w_plus, found.test.w_minus) == (7, 11, 10)
    assert found.present == pytest.approx(1.9642857143)
    assert found.absent == pytest.approx(1.9095238095)
    assert found.test.rank_biserial == pytest.approx(0.0476190476)
    assert found.shift.estimate == pytest.approx(0.15)
    assert found.interval == TOO_FEW_SOURCES
    twice = paired_operation(PRESENT * 2, QUALITY * 2, [*SOURCES, *(place + 100 for place in SOURCES)])
    assert isinstance(twice, PairedComparison)
    assert not isinstance(twice.interval, Undefined)
    assert twice.interval.low < twice.difference < twice.interval.high
    texts = paired_operation(PRESENT, QUALITY, SOURCES, cells="texts")
    assert isinstance(texts, PairedComparison)
    has = np.array(PRESENT, dtype=bool)
    assert texts.present == pytest.approx(np.array(QUALITY)[has].mean())
    assert texts.test == found.test


@given(st.permutations(range(len(SOURCES))))
def test_order_and_names_do_not_matter(order: list[int]) -> None:
    shuffled = paired_operation(
        [PRESENT[i] for i in order], [QUALITY[i] for i in order], [f"s{9 - SOURCES[i]}" for i in order]
    )
    whole = paired_operation(PRESENT, QUALITY, SOURCES)
    assert isinstance(shuffled, PairedComparison)
    assert isinstance(whole, PairedComparison)
    assert (shuffled.p, shuffled.sources) == (whole.p, whole.sources)
    assert shuffled.difference == pytest.approx(whole.difference)


def test_texts_without_ratings_do_not_count_and_nothing_to_pair_says_so() -> None:
    reason = Undefined("no source has rated texts both with and without it")
    assert paired_operation([1, 0], [2.0, np.nan], ["a", "a"]) == reason
    assert paired_operation([], [], []) == reason
    one = paired_operation([1, 0], [2.0, 1.0], ["a", "a"])
    assert isinstance(one, PairedComparison)
    assert (one.interval, one.p) == (TOO_FEW_SOURCES, 1)
    within = paired_within_editors([1, 0, 1], [2.0, 1.0, 3.0], ["e", "e", "f"])
    assert isinstance(within, PairedComparison)
    assert (within.sources, within.difference) == (1, 1)
    first, second = holm_family([reason, one])
    assert first == reason
    assert isinstance(second, PairedComparison)
    assert second.p_holm == 1


def test_joint_against_apart() -> None:
    apart = SentenceTexts([1.0, 2.0, 3.0, 2.0, np.nan], ["p", "p", "p", "q", "r"], [1, 1, 2, 1, 1])
    found = joint_against_apart([3.0, 2.0, 2.0], ["p", "r", "q"], apart)
    assert isinstance(found, PairedComparison)
    assert (found.sources, found.present, found.absent) == (2, 2.5, (2.25 + 2) / 2)
    by_length = SentenceTexts(apart.quality, apart.paragraphs, apart.sentences, [1, 1, 3, 5, 1])
    weighed = joint_against_apart([3.0], ["p"], by_length)
    assert isinstance(weighed, PairedComparison)
    assert weighed.absent == (1.5 + 3 * 3) / 4
    assert joint_against_apart([1.0], ["z"], apart) == Undefined("no paragraph has rated compressions made both ways")
    with pytest.raises(ValueError, match="above 0"):
        joint_against_apart([1.0], ["p"], SentenceTexts([1.0], ["p"], [1], [0.0]))


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="cells"):
        paired_operation([1], [1.0], ["a"], cells="words")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="of present"):
        paired_operation([1, 0], [1.0], ["a"])
    with pytest.raises(ValueError, match="names"):
        paired_operation([1], [1.0], ["a", "b"])

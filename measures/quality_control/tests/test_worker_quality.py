"""Quality of texts and editors, deviation of raters."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.core.arrays import FloatArray
from measures.quality_control.tables import Authorship, Ratings
from measures.quality_control.worker_quality import editor_quality, others_means, rater_deviation, text_quality

N_TEXTS, N_RATERS, N_EDITORS = 6, 4, 3
Row = tuple[int, ...]
"""Text, rater, and a score on each scale."""


def tables(scales: int) -> st.SearchStrategy[list[Row]]:
    scores = [st.integers(1, 3)] * scales
    return st.lists(st.tuples(st.integers(0, N_TEXTS - 1), st.integers(0, N_RATERS - 1), *scores), max_size=30)


rows = st.integers(1, 4).flatmap(tables)
authors = st.sets(st.tuples(st.integers(0, N_TEXTS - 1), st.integers(0, N_EDITORS - 1)))


def table(rows: list[Row]) -> Ratings:
    columns = np.array(rows, dtype=np.int64).reshape(len(rows), len(rows[0]) if rows else 4)
    return Ratings(columns[:, 0], columns[:, 1], columns[:, 2:].astype(float))


def pairs(rows: set[tuple[int, int]]) -> Authorship:
    columns = np.array(sorted(rows), dtype=np.int64).reshape(-1, 2).T
    return Authorship(columns[0], columns[1])


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else float("nan")


@given(rows, authors)
def test_quality_is_what_a_plain_loop_computes(rows: list[Row], authors: set[tuple[int, int]]) -> None:
    texts = [mean([mean(scores) for text, _, *scores in rows if text == t]) for t in range(N_TEXTS)]
    np.testing.assert_allclose(text_quality(table(rows), N_TEXTS), texts, atol=1e-12)
    written = [[texts[t] for t, e in authors if e == editor and texts[t] > 0] for editor in range(N_EDITORS)]
    measured = editor_quality(table(rows), pairs(authors), N_TEXTS, N_EDITORS)
    quality, items = measured.quality, measured.items
    np.testing.assert_allclose(quality, [mean(values) for values in written], atol=1e-12)
    assert items.tolist() == [len(values) for values in written]


def others_of(row: Row, rows: list[Row]) -> list[float]:
    """The mean of the others on each scale; nothing if nobody else rated the text."""
    others = [other[2:] for other in rows if other[0] == row[0] and other[1] != row[1]]
    return [mean(column) for column in zip(*others, strict=True)]


@given(rows)
def test_deviation_is_what_a_plain_loop_computes(rows: list[Row]) -> None:
    apart: dict[int, list[float]] = defaultdict(list)
    for row in rows:
        others = others_of(row, rows)
        if others:
            apart[row[1]].append(mean([abs(score - other) for score, other in zip(row[2:], others, strict=True)]))
    measured = rater_deviation(table(rows), N_TEXTS, N_RATERS)
    deviation, items = measured.quality, measured.items
    np.testing.assert_allclose(deviation, [mean(apart[rater]) for rater in range(N_RATERS)], atol=1e-12)
    assert items.tolist() == [len(apart[rater]) for rater in range(N_RATERS)]


@given(rows)
def test_the_order_of_the_ratings_does_not_matter(rows: list[Row]) -> None:
    shuffled = sorted(rows)
    np.testing.assert_allclose(text_quality(table(rows), N_TEXTS), text_quality(table(shuffled), N_TEXTS), atol=1e-12)
    one, other = (rater_deviation(table(each), N_TEXTS, N_RATERS) for each in (rows, shuffled))
    for name in ("quality", "items", "standard_error"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), atol=1e-12)


@given(rows)
def test_means_of_the_others_are_what_a_plain_loop_computes(rows: list[Row]) -> None:
    ratings = table(rows)
    scales = ratings.scores.shape[1]
    wanted = np.array([others_of(row, rows) or [np.nan] * scales for row in rows]).reshape(-1, scales)
    found = others_means(ratings.text, ratings.rater, ratings.scores, N_TEXTS)
    np.testing.assert_allclose(found, wanted, atol=1e-12)


@given(rows, st.randoms(use_true_random=False))
def test_neither_the_order_nor_the_numbers_of_raters_change_the_means_of_the_others(
    rows: list[Row], random: Any
) -> None:
    ratings = table(rows)
    order = np.array(random.sample(range(len(rows)), len(rows)), dtype=np.int64)
    numbers = np.array(random.sample(range(-(10**6), 10**6), N_RATERS))
    plain = others_means(ratings.text, ratings.rater, ratings.scores, N_TEXTS)
    found = others_means(ratings.text[order], numbers[ratings.rater[order]], ratings.scores[order], N_TEXTS)
    np.testing.assert_array_equal(found, plain[order])


def test_two_scales_are_the_mean_of_meaning_and_grammar_as_before() -> None:
    ratings = table([(0, 0, 3, 2), (0, 1, 3, 1), (0, 2, 1, 1)])
    assert text_quality(ratings, 1).tolist() == [pytest.approx(11 / 6)]
    # Meaning: |3 - 2|, |3 - 2|, |1 - 3|; grammar: |2 - 1|, |1 - 1.5|, |1 - 1.5|.
    assert rater_deviation(ratings, 1, 3).quality.tolist() == [1.0, 0.75, 1.25]


@given(tables(1), st.integers(1, 4))
def test_a_scale_that_is_there_several_times_counts_once(rows: list[Row], times: int) -> None:
    several = table([(*row[:2], *row[2:] * times) for row in rows])
    np.testing.assert_allclose(text_quality(several, N_TEXTS), text_quality(table(rows), N_TEXTS), atol=1e-12)
    deviation = rater_deviation(table(rows), N_TEXTS, N_RATERS).quality
    np.testing.assert_allclose(rater_deviation(several, N_TEXTS, N_RATERS).quality, deviation, atol=1e-12)


def test_a_rater_alone_on_a_text_is_not_compared() -> None:
    measured = rater_deviation(table([(0, 0, 1, 1), (0, 0, 3, 3), (1, 1, 3, 3)]), 2, 2)
    deviation, items = measured.quality, measured.items
    assert np.isnan(deviation).all()
    assert items.tolist() == [0, 0]


def test_empty_tables_give_nothing() -> None:
    assert np.isnan(text_quality(table([]), 2)).all()
    assert editor_quality(table([]), pairs(set()), 0, 0).quality.shape == (0,)
    assert rater_deviation(table([]), 0, 0).quality.shape == (0,)
    nothing = table([])
    assert others_means(nothing.text, nothing.rater, nothing.scores, 0).shape == (0, 2)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("scale", [0, 1])
def test_scores_are_finite(bad: float, scale: int) -> None:
    scores = np.ones((1, 2))
    scores[0, scale] = bad
    with pytest.raises(ValueError, match=r"^scores must be finite"):
        Ratings(np.array([0]), np.array([0]), scores)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (np.ones(1), r"^scores must have a row for each rating and a column for each scale, not shape \(1,\)"),
        (np.ones((1, 1, 1)), "^scores must have a row for each rating and a column for each scale"),
        (np.ones((1, 0)), "^scores must have at least one column"),
        (np.ones((2, 1)), "^scores must have a row for each of the 1 ratings, not 2 rows"),
        (np.ones((0, 1)), "^scores must have a row for each of the 1 ratings, not 0 rows"),
    ],
)
def test_scores_have_a_row_for_each_rating_and_a_column_for_each_scale(scores: FloatArray, message: str) -> None:
    one = np.array([0])
    with pytest.raises(ValueError, match=message):
        Ratings(one, one, scores)
    with pytest.raises(ValueError, match=message):
        others_means(one, one, scores, 1)


def test_columns_are_equally_long() -> None:
    one, two = np.array([0]), np.array([0, 1])
    with pytest.raises(ValueError, match="ratings differ in shape"):
        Ratings(one, two, np.ones((1, 2)))
    with pytest.raises(ValueError, match="authorship differ in shape"):
        Authorship(one, two)


def test_an_index_out_of_range_is_an_error() -> None:
    ratings = table([(2, 1, 3, 3), (2, 0, 3, 3)])
    with pytest.raises(ValueError, match="text out of range 0 to 1"):
        text_quality(ratings, 2)
    with pytest.raises(ValueError, match="text out of range"):
        rater_deviation(ratings, 2, 2)
    with pytest.raises(ValueError, match="text out of range 0 to 1"):
        others_means(ratings.text, ratings.rater, ratings.scores, 2)
    with pytest.raises(ValueError, match="rater out of range 0 to 0"):
        rater_deviation(ratings, 3, 1)
    with pytest.raises(ValueError, match="text out of range"):
        editor_quality(ratings, pairs({(3, 0)}), 3, 1)
    with pytest.raises(ValueError, match="text out of range"):
        editor_quality(ratings, pairs({(-1, 0)}), 3, 1)
    with pytest.raises(ValueError, match="editor out of range"):
        editor_quality(ratings, pairs({(2, 1)}), 3, 1)

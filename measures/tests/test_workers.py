"""Quality of texts and editors, deviation of raters."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.workers import Authorship, Ratings, editor_quality, rater_deviation, text_quality

N_TEXTS, N_RATERS, N_EDITORS = 6, 4, 3
rows = st.lists(
    st.tuples(st.integers(0, N_TEXTS - 1), st.integers(0, N_RATERS - 1), st.integers(1, 3), st.integers(1, 3)),
    max_size=30,
)
authors = st.sets(st.tuples(st.integers(0, N_TEXTS - 1), st.integers(0, N_EDITORS - 1)))
Row = tuple[int, int, int, int]


def table(rows: list[Row]) -> Ratings:
    columns = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    return Ratings(columns[0], columns[1], columns[2].astype(float), columns[3].astype(float))


def pairs(rows: set[tuple[int, int]]) -> Authorship:
    columns = np.array(sorted(rows), dtype=np.int64).reshape(-1, 2).T
    return Authorship(columns[0], columns[1])


def mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else float("nan")


@given(rows, authors)
def test_quality_is_what_a_plain_loop_computes(rows: list[Row], authors: set[tuple[int, int]]) -> None:
    texts = [mean([(m + g) / 2 for text, _, m, g in rows if text == t]) for t in range(N_TEXTS)]
    np.testing.assert_allclose(text_quality(table(rows), N_TEXTS), texts, atol=1e-12)
    written = [[texts[t] for t, e in authors if e == editor and texts[t] > 0] for editor in range(N_EDITORS)]
    quality, items = editor_quality(table(rows), pairs(authors), N_TEXTS, N_EDITORS)
    np.testing.assert_allclose(quality, [mean(values) for values in written], atol=1e-12)
    assert items.tolist() == [len(values) for values in written]


@given(rows)
def test_deviation_is_what_a_plain_loop_computes(rows: list[Row]) -> None:
    apart: dict[int, list[float]] = defaultdict(list)
    for text, rater, meaning, grammar in rows:
        others = [row for row in rows if row[0] == text and row[1] != rater]
        if others:
            of_meaning = abs(meaning - mean([row[2] for row in others]))
            of_grammar = abs(grammar - mean([row[3] for row in others]))
            apart[rater].append((of_meaning + of_grammar) / 2)
    deviation, items = rater_deviation(table(rows), N_TEXTS, N_RATERS)
    np.testing.assert_allclose(deviation, [mean(apart[rater]) for rater in range(N_RATERS)], atol=1e-12)
    assert items.tolist() == [len(apart[rater]) for rater in range(N_RATERS)]


@given(rows)
def test_the_order_of_the_ratings_does_not_matter(rows: list[Row]) -> None:
    shuffled = sorted(rows)
    np.testing.assert_allclose(text_quality(table(rows), N_TEXTS), text_quality(table(shuffled), N_TEXTS), atol=1e-12)
    for one, other in zip(
        rater_deviation(table(rows), N_TEXTS, N_RATERS),
        rater_deviation(table(shuffled), N_TEXTS, N_RATERS),
        strict=True,
    ):
        np.testing.assert_allclose(one, other, atol=1e-12)


def test_a_rater_alone_on_a_text_is_not_compared() -> None:
    deviation, items = rater_deviation(table([(0, 0, 1, 1), (0, 0, 3, 3), (1, 1, 3, 3)]), 2, 2)
    assert np.isnan(deviation).all()
    assert items.tolist() == [0, 0]


def test_empty_tables_give_nothing() -> None:
    assert np.isnan(text_quality(table([]), 2)).all()
    assert editor_quality(table([]), pairs(set()), 0, 0)[0].shape == (0,)
    assert rater_deviation(table([]), 0, 0)[0].shape == (0,)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_scores_are_finite(bad: float) -> None:
    one = np.array([0])
    with pytest.raises(ValueError, match="finite"):
        Ratings(one, one, np.array([bad]), np.array([1.0]))
    with pytest.raises(ValueError, match="finite"):
        Ratings(one, one, np.array([1.0]), np.array([bad]))


def test_columns_are_equally_long() -> None:
    one, two = np.array([0]), np.array([0, 1])
    with pytest.raises(ValueError, match="ratings differ in shape"):
        Ratings(one, two, np.ones(1), np.ones(1))
    with pytest.raises(ValueError, match="authorship differ in shape"):
        Authorship(one, two)


def test_an_index_out_of_range_is_an_error() -> None:
    ratings = table([(2, 1, 3, 3), (2, 0, 3, 3)])
    with pytest.raises(ValueError, match="text out of range 0 to 1"):
        text_quality(ratings, 2)
    with pytest.raises(ValueError, match="text out of range"):
        rater_deviation(ratings, 2, 2)
    with pytest.raises(ValueError, match="rater out of range 0 to 0"):
        rater_deviation(ratings, 3, 1)
    with pytest.raises(ValueError, match="text out of range"):
        editor_quality(ratings, pairs({(3, 0)}), 3, 1)
    with pytest.raises(ValueError, match="text out of range"):
        editor_quality(ratings, pairs({(-1, 0)}), 3, 1)
    with pytest.raises(ValueError, match="editor out of range"):
        editor_quality(ratings, pairs({(2, 1)}), 3, 1)

"""The rows of the design: golden rows, and what is balanced, by counting."""

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.experiments.latin_rows import Cell, latin_rows, next_row, row_of_texts

GOLDEN = json.loads((Path(__file__).parent / "golden" / "protocols.json").read_text())["designs"]
FIELDS, OTHERS = (3, 4, 5, 7), (2, 6, 8, 9)


@pytest.mark.parametrize("n", [3, 4])
def test_the_rows_are_the_golden_ones(n: int) -> None:
    assert [[list(cell) for cell in row] for row in latin_rows(n)] == GOLDEN[str(n)]


@pytest.mark.parametrize("n", FIELDS + OTHERS)
def test_each_person_has_everything_once_and_each_block_every_cell(n: int) -> None:
    rows = latin_rows(n)
    assert len(rows) == (n * (n - 1) if n in FIELDS else n * n)
    for row in rows:
        assert {cell.text for cell in row} == {cell.condition for cell in row} == set(range(n))
    every = {Cell(text, condition) for text in range(n) for condition in range(n)}
    for start in range(0, len(rows), n):
        assert Counter(cell for row in rows[start : start + n] for cell in row) == Counter(every)
    places = Counter((place, which, cell[which]) for row in rows for place, cell in enumerate(row) for which in (0, 1))
    assert set(places.values()) == {len(rows) // n}
    assert len(places) == 2 * n * n


@pytest.mark.parametrize("n", FIELDS)
@pytest.mark.parametrize("which", [0, 1])
def test_every_ordered_pair_of_neighbours_is_equally_often(n: int, which: int) -> None:
    rows = latin_rows(n)
    pairs = Counter((one[which], other[which]) for row in rows for one, other in pairwise(row))
    assert set(pairs.values()) == {n - 1}
    assert len(pairs) == n * (n - 1)


@pytest.mark.parametrize("n", [1, 21])
def test_so_many_conditions_are_refused(n: int) -> None:
    with pytest.raises(ValueError, match=f"2 to 20 conditions, not {n}"):
        latin_rows(n)


@given(st.integers(0, 30), st.integers(2, 9), st.integers(0, 9))
def test_rows_of_any_number_of_texts_have_each_once_and_blocks_every_cell(texts: int, n: int, block: int) -> None:
    rows = [row_of_texts(texts, n, block * n + number) for number in range(n)]
    for row in rows:
        assert sorted(cell.text for cell in row) == list(range(texts))
        often = Counter(cell.condition for cell in row)
        assert not texts or max(often.values()) <= -(-texts // n)
    assert Counter(cell for row in rows for cell in row) == Counter(Cell(x, c) for x in range(texts) for c in range(n))


@given(st.integers(0, 99), st.integers(1, 40))
def test_rows_are_handed_out_block_by_block_and_equally_often(seed: int, people: int) -> None:
    n, rows = 4, latin_rows(4)
    finished, begun = [0] * len(rows), [0] * len(rows)
    for number in range(people):
        row = next_row(finished, begun, block=n, seed=seed)
        assert row // n == number % len(rows) // n
        finished[row] += 1
        begun[row] += 1
    assert max(begun) - min(begun) <= 1


def test_who_leaves_frees_the_row_and_who_has_begun_keeps_it() -> None:
    assert next_row([1, 1, 0, 1], [1, 1, 0, 1], block=2, seed=3) == 2
    assert next_row([0, 0, 0, 0], [1, 1, 1, 0], block=2, seed=3) == 3
    orders = {next_row([0] * 4, [0] * 4, block=4, seed=seed) for seed in range(30)}
    assert orders == {0, 1, 2, 3}


def test_counts_that_do_not_fit_are_refused() -> None:
    for finished, begun, block in (([], [], 1), ([0], [0, 0], 1), ([0], [0], 0)):
        with pytest.raises(ValueError, match="for each row"):
            next_row(finished, begun, block=block, seed=1)

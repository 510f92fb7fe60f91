"""Rows of a design in which each person reads every text and meets every condition once, in balanced orders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from measures.core.seeded_order import seeded_key

MOST_CONDITIONS = 20


class Cell(NamedTuple):
    """What one person gets at one place.

    Attributes
    ----------
    text, condition : int
        Numbers of the text and of the condition, from 0.
    """

    text: int
    condition: int


Row: TypeAlias = tuple[Cell, ...]
"""The cells of one person, by place."""

_Operation: TypeAlias = Callable[[int, int], int]

# The field of four elements: addition is xor, and this its product.
_PRODUCT_OF_4 = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
_FIELDS = (3, 4, 5, 7)


def latin_rows(n: int) -> tuple[Row, ...]:
    """Return the rows of a design for n texts and as many conditions; the first n rows are a block, and so on.

    For 3, 4, 5 and 7 conditions there are n(n - 1) rows from a complete set of orthogonal Latin squares: for each step
    a = 1..n-1 and each r, the condition at place p is a p + r and the text b p + r, with b = a mod (n - 1) + 1, in the
    field of n elements. Over all rows each text with each condition, each of them at each place, and each ordered pair
    of neighbouring conditions and of neighbouring texts is equally often. For another n there are n² rows: at place p
    of row (i, j) the text p + i and the condition p + j, modulo n; neighbours are not balanced. In each block of n rows
    every text has every condition once.

    Source: Williams 1949, "Experimental designs balanced for the estimation of residual effects of treatments"; Bose
    1938, "On the application of the properties of Galois fields to the construction of hyper-Graeco-Latin squares".
    McCallum et al. 2012, §3.4, rotate lectures and conditions by one Latin square.

    Parameters
    ----------
    n : int
        Number of conditions, 2 to 20.

    Returns
    -------
    tuple of Row
        Each row has n cells, by place.

    Raises
    ------
    ValueError
        If n is not from 2 to 20.

    Examples
    --------
    >>> rows = latin_rows(3)
    >>> len(rows), [tuple(cell) for cell in rows[0]]
    (6, [(0, 0), (2, 1), (1, 2)])
    """
    if not 2 <= n <= MOST_CONDITIONS:
        raise ValueError(f"a design has 2 to {MOST_CONDITIONS} conditions, not {n}")
    places = range(n)
    if n not in _FIELDS:
        return tuple(tuple(Cell((p + i) % n, (p + j) % n) for p in places) for i in places for j in places)
    add, times = _field(n)
    steps = [(a, a % (n - 1) + 1) for a in range(1, n)]
    return tuple(
        tuple(Cell(add(times(b, p), r), add(times(a, p), r)) for p in places) for a, b in steps for r in places
    )


def row_of_texts(texts: int, n: int, number: int) -> Row:
    """Return a row for more or fewer texts than conditions: each text once, and the conditions about equally often.

    The texts are taken n by n, each time by the same row of `latin_rows`; of a rest, what is not there is left out. Any
    n rows from a multiple of n on have every text with every condition once.

    Parameters
    ----------
    texts : int
        Number of texts, at least 0.
    n : int
        Number of conditions, 2 to 20.
    number : int
        Number of the row, from 0; after the last of `latin_rows` they begin again.

    Returns
    -------
    Row
        A cell for each text, by place.

    Raises
    ------
    ValueError
        If n is not from 2 to 20.

    Examples
    --------
    >>> [tuple(cell) for cell in row_of_texts(5, 3, 0)]
    [(0, 0), (2, 1), (1, 2), (3, 0), (4, 2)]
    """
    rows = latin_rows(n)
    return tuple(
        Cell(start + cell.text, cell.condition)
        for start in range(0, texts, n)
        for cell in rows[number % len(rows)]
        if start + cell.text < texts
    )


def next_row(finished: Sequence[int], begun: Sequence[int], *, block: int, seed: int) -> int:
    """Choose the row of the next person: that which the fewest have finished, and then the fewest have begun.

    Ties go to the earlier block, and in a block to an order drawn from the seed, so that whole blocks fill up.

    Parameters
    ----------
    finished, begun : sequence of int, of length r
        For each row, how many people have finished it, and how many have it and have not left (finished ones too).
    block : int
        Rows of a block: the number of conditions.
    seed : int
        Seed of the order within blocks.

    Returns
    -------
    int
        Number of the row, from 0.

    Raises
    ------
    ValueError
        If there is no row, the lengths differ or `block` < 1.

    Examples
    --------
    >>> next_row([1, 0, 0, 0], [1, 1, 0, 0], block=2, seed=1)
    2
    """
    if not finished or len(finished) != len(begun) or block < 1:
        raise ValueError("finished and begun must have a number for each row, and a block at least one row")

    def key(row: int) -> tuple[int, int, int, str]:
        return finished[row], begun[row], row // block, seeded_key(seed, row)

    return min(range(len(finished)), key=key)


def _field(n: int) -> tuple[_Operation, _Operation]:
    """Return addition and multiplication of the field of n elements: n is a prime number, or 4."""
    if n == 4:
        return int.__xor__, lambda a, b: _PRODUCT_OF_4[a][b]
    return lambda a, b: (a + b) % n, lambda a, b: a * b % n

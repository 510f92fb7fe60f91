"""The order of operations over many texts: where in the logs each takes place, and which begins first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from measures.core.drawn_sources import DRAWS, Ratio, drawn_ratios
from measures.core.undefined import Undefined
from measures.keystrokes.edit_order import WORD_OPERATIONS, EditOrder, WordOperation

QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)


@dataclass(frozen=True)
class OperationPlace:
    """Where in the logs the words of an operation got their final state.

    Attributes
    ----------
    by_edits : tuple of float
        Quantiles (`QUANTILES`) of the share of edits up to then.
    by_time : tuple of float or Undefined
        The same of the active time.
    words, texts : int
        Numbers of words and of texts with any.
    """

    by_edits: tuple[float, ...]
    by_time: tuple[float, ...] | Undefined
    words: int
    texts: int


@dataclass(frozen=True)
class OrderSummary:
    """The order of operations over texts.

    Attributes
    ----------
    places : dict
        By operation.
    before : dict
        By (one, other): share of the texts with both in which the first word of one comes before the first of the
        other. If the same edit makes both, neither comes first.
    """

    places: dict[WordOperation, OperationPlace | Undefined]
    before: dict[tuple[WordOperation, WordOperation], Ratio | Undefined]


def order_summary(
    orders: Sequence[EditOrder], sources: Sequence[str] | Sequence[int], *, draws: int = DRAWS, seed: int
) -> OrderSummary:
    """Summarise the order of operations over texts.

    Parameters
    ----------
    orders : sequence of EditOrder
        The texts whose order is defined.
    sources : sequence of str or int
        The source of each text.
    draws : int, default 1_000
        Number of draws of the sources.
    seed : int
        Seed of the draws.

    Returns
    -------
    OrderSummary
        A part is undefined if no text has the operation, or both of them.

    Raises
    ------
    ValueError
        If the lengths differ.

    Examples
    --------
    >>> from measures.keystrokes.edit_order import PlacedWord
    >>> text = EditOrder((PlacedWord("deleted", 0, 0.2, 0.1), PlacedWord("inserted", 3, 0.6, 0.5)), 0)
    >>> summary = order_summary([text], ["a"], seed=1)
    >>> summary.before["deleted", "inserted"].value, summary.places["moved"].reason
    (1.0, 'no text has such words')
    """
    if len(orders) != len(sources):
        raise ValueError(f"{len(sources)} sources for {len(orders)} texts")
    first = np.array([[_or_nan(each.first(name)) for name in WORD_OPERATIONS] for each in orders], dtype=np.float64)
    first = first.reshape(-1, len(WORD_OPERATIONS))
    pairs = list(permutations(range(len(WORD_OPERATIONS)), 2))
    one, other = (first[:, [pair[side] for pair in pairs]] for side in (0, 1))
    shares = drawn_ratios(
        one < other,
        ~np.isnan(one) & ~np.isnan(other),
        np.asarray(sources),
        draws=draws,
        seed=seed,
        nothing="no text has both",
    )
    return OrderSummary(
        {name: _place(orders, name) for name in WORD_OPERATIONS},
        {(WORD_OPERATIONS[a], WORD_OPERATIONS[b]): share for (a, b), share in zip(pairs, shares, strict=True)},
    )


def _or_nan(value: float | None) -> float:
    return float("nan") if value is None else value


def _place(orders: Sequence[EditOrder], name: WordOperation) -> OperationPlace | Undefined:
    by_text = [[word for word in order.words if word.operation == name] for order in orders]
    words = [word for text in by_text for word in text]
    if not words:
        return Undefined("no text has such words")
    times = [word.by_time for word in words if word.by_time is not None]
    return OperationPlace(
        by_edits=tuple(np.quantile([word.by_edits for word in words], QUANTILES).tolist()),
        by_time=tuple(np.quantile(times, QUANTILES).tolist()) if times else Undefined("no log took any time"),
        words=len(words),
        texts=sum(map(bool, by_text)),
    )

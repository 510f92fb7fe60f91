"""Results as rows, for a table: of pandas, Polars, or a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from measures.core.undefined import Undefined


def as_rows(results: Iterable[Any]) -> list[dict[str, Any]]:
    """Flatten results into rows: a field of a nested result is a column of its own.

    Parameters
    ----------
    results : iterable
        Results of one kind: dataclasses, whose fields become the columns; or pairs of a name and such a result, whose
        name becomes the column ``name``.

    Returns
    -------
    list of dict
        A row for each result. A value that is undefined is None, and the reason stands in the column
        ``NAME undefined``. Fields that are nested have names such as ``intervals.kappa.low``.

    Raises
    ------
    TypeError
        If a result is no dataclass.

    Examples
    --------
    >>> from measures.agreement import pairwise_kappa
    >>> (row,) = as_rows(pairwise_kappa([[1, 1], [2, 2], [2, 1], [1, 1]], categories=2))
    >>> row["rater_a"], row["kappa"], round(row["intervals.kappa.low"], 2)
    (0, 0.5, -0.97)
    >>> (row,) = as_rows(pairwise_kappa([[1, 1], [1, 1]], categories=2))
    >>> row["kappa"], row["kappa undefined"]
    (None, 'all ratings are in one category')
    """
    return [dict(_named(each)) for each in results]


def _named(result: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(result, tuple) and len(result) == 2 and isinstance(result[0], str):
        name, result = result
        yield "name", name
    if not is_dataclass(result) or isinstance(result, type):
        raise TypeError(f"{result!r} is no result with fields")
    yield from _flat("", result)


def _flat(place: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Undefined):
        yield place, None
        yield f"{place} undefined", value.reason
    elif is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from _flat(f"{place}.{each.name}" if place else each.name, getattr(value, each.name))
    else:
        yield place, value.tolist() if isinstance(value, np.ndarray | np.generic) else value

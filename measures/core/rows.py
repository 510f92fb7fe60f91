"""Results as rows, for a table: of pandas, Polars, or a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from measures.core.undefined import Undefined

if TYPE_CHECKING:
    import pandas

SHOWN = 100
"""Rows that a notebook shows; the rest is counted."""


class Rows(list[dict[str, Any]]):
    """Rows of results, which notebooks show as a table.

    Examples
    --------
    >>> Rows([{"metric": "R<1>", "r": 0.5}])._repr_html_()
    '<table><thead><tr><th>metric<th>r<tbody><tr><td>R&lt;1&gt;<td>0.5</table>'
    """

    def to_pandas(self) -> pandas.DataFrame:
        """Return the rows as a DataFrame, for which pandas has to be installed."""
        import pandas as pd  # noqa: PLC0415 - only who wants frames needs it

        return pd.DataFrame(self)

    def _repr_html_(self) -> str:
        names = list(dict.fromkeys(name for row in self[:SHOWN] for name in row))
        head = "".join(f"<th>{escape(name)}" for name in names)
        body = ("<tr>" + "".join(f"<td>{_shown(row.get(name))}" for name in names) for row in self[:SHOWN])
        more = f"<caption>{SHOWN} of {len(self):,} rows</caption>" if len(self) > SHOWN else ""
        return f"<table>{more}<thead><tr>{head}<tbody>{''.join(body)}</table>"


def _shown(value: Any) -> str:
    words = "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
    return escape(words)


def as_rows(results: Iterable[Any]) -> Rows:
    """Flatten results into rows: a field of a nested result is a column of its own.

    Parameters
    ----------
    results : iterable
        Results of one kind: dataclasses, whose fields become the columns; or pairs of a name and such a result, whose
        name becomes the column ``name``.

    Returns
    -------
    Rows
        A list of dictionaries, one for each result, which notebooks show as a table. A value that is undefined is None,
        and the reason stands in the column ``NAME undefined``. Fields that are nested have names such as
        ``intervals.kappa.low``.

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
    return Rows(dict(_named(each)) for each in results)


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

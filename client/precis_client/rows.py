"""Rows in and out: what a list of the server holds, and rows of Python that are sent as a file of JSONL."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from math import isnan
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Generic, Self, TypeAlias, TypeVar

from precis_client.records import Record

if TYPE_CHECKING:
    import pandas

R = TypeVar("R", bound=Record)
Given: TypeAlias = str | PathLike[str] | Iterable[Any]
"""A file, or rows: a list of dicts, a DataFrame of pandas or Polars, a table of pyarrow, or a ``datasets.Dataset``."""
NOT_THERE = {"NAType", "NaTType"}  # pandas' own words for nothing, which are no number


class Rows(Iterator[R], Generic[R]):
    """A list of the server, whose pages are fetched as they are needed; it is read once.

    Examples
    --------
    >>> rows = Rows(iter([Record({"id": 7, "scores": {"meaning": 2}})]))
    >>> rows.to_pandas().columns.tolist()
    ['id', 'scores.meaning']
    """

    def __init__(self, fetched: Iterator[R]) -> None:
        self._fetched = fetched

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> R:
        return next(self._fetched)

    def to_pandas(self) -> "pandas.DataFrame":
        """Return the rest of the list as a DataFrame; the fields of nested objects are columns of their own.

        Returns
        -------
        pandas.DataFrame
            One row for each, of no columns if there are none.
        """
        frame: pandas.DataFrame = frames().json_normalize([dict(each) for each in self])
        return frame


def frames() -> Any:
    """Return pandas, or say how to get it."""
    try:
        import pandas as pd  # noqa: PLC0415 - only who wants frames needs it
    except ImportError as error:
        raise ImportError("Data frames need pandas: pip install 'precis-client[pandas]'") from error
    return pd


@contextmanager
def opened(given: Given) -> Iterator[tuple[str, BinaryIO]]:
    """Open a file, or rows as one; yield its name, too."""
    if isinstance(given, str | PathLike):
        path = Path(given)
        with path.open("rb") as file:
            yield path.name, file
    else:
        yield "rows.jsonl", BytesIO(jsonl_of(given))


def jsonl_of(rows: Iterable[Any]) -> bytes:
    r"""Return rows as JSONL; what is missing in a row is left out.

    Raises
    ------
    TypeError
        If these are no rows.
    ValueError
        If there are none.

    Examples
    --------
    >>> jsonl_of([{"id": "a", "text": "One.", "genre": None}, {"id": "b", "text": "Two.", "year": float("nan")}])
    b'{"id": "a", "text": "One."}\n{"id": "b", "text": "Two."}\n'
    """
    lines = [_line(row, place) for place, row in enumerate(_each(rows), start=1)]
    if not lines:
        raise ValueError("There are no rows to send.")
    return b"".join(lines)


def _each(rows: Any) -> Iterable[Any]:
    if isinstance(rows, Mapping):  # a DatasetDict is one, too
        raise TypeError(f"Give a list of rows, a DataFrame or one split of a dataset, and not a {type(rows).__name__}.")
    if hasattr(rows, "to_dicts"):  # Polars
        return list(rows.to_dicts())
    if hasattr(rows, "to_pylist"):  # pyarrow
        return list(rows.to_pylist())
    if hasattr(rows, "iterrows"):  # pandas
        return list(rows.to_dict("records"))
    found: Iterator[Any] = iter(rows)
    return found


def _line(row: Any, place: int) -> bytes:
    if not isinstance(row, Mapping):
        raise TypeError(f"Row {place} is of the type {type(row).__name__}, and no dict.")
    values = {str(name): _value(value) for name, value in row.items()}
    known = {name: value for name, value in values.items() if value is not None}
    return json.dumps(known, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def _value(value: Any) -> Any:
    """Return a value as JSON has it: of NumPy's as of Python's, and None for what is missing."""
    plain = value.tolist() if hasattr(value, "tolist") else value
    is_missing = (isinstance(plain, float) and isnan(plain)) or type(plain).__name__ in NOT_THERE
    return None if is_missing else plain

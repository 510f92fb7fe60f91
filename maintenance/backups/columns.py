"""Values of the database as JSON, the same for both databases, and back.

Of JSON columns the text is kept as the database gives it. PostgreSQL does not keep the order of keys, nor how a number
was written, so rows are compared by what the JSON says: `canonical`.
"""

import base64
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field

# Django's name for a type (`Field.get_internal_type`), and ours.
KINDS = {
    **dict.fromkeys(("AutoField", "BigAutoField", "SmallAutoField"), "integer"),
    **dict.fromkeys(("IntegerField", "BigIntegerField", "SmallIntegerField"), "integer"),
    **dict.fromkeys(("PositiveIntegerField", "PositiveBigIntegerField", "PositiveSmallIntegerField"), "integer"),
    **dict.fromkeys(("CharField", "TextField", "SlugField"), "text"),
    "BooleanField": "boolean",
    "FloatField": "float",
    "DecimalField": "decimal",
    "DateTimeField": "datetime",
    "JSONField": "json",
    "BinaryField": "binary",
}
Row = list[Any]


@dataclass(frozen=True)
class Column:
    name: str
    kind: str
    places: int = 0  # of a decimal number, after the point

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def column_of(field: "Field[Any, Any]") -> Column:
    """Return how the values of a field are kept.

    Raises
    ------
    LookupError
        If it is of a type that no backup has held so far: add it to `KINDS`, `ENCODE` and `DECODE`.
    """
    target = field
    while target.is_relation:
        target = target.target_field  # type: ignore[attr-defined]
    places = getattr(target, "decimal_places", None) or 0
    return Column(str(field.column), KINDS[target.get_internal_type()], places)


def encoded(value: Any, column: Column) -> Any:
    """Return what stands in the archive for a value of the database; NULL is null."""
    if value is None or column.kind not in ENCODE:
        return value
    return ENCODE[column.kind](value, column)


def decoded(value: Any, column: Column, database: BaseDatabaseWrapper) -> Any:
    """Return the value to write into a database.

    Raises
    ------
    ValueError, TypeError, ArithmeticError
        If the archive holds something that no such column can.
    """
    return None if value is None else DECODE[column.kind](value, column, database)


def _datetime(value: Any, _column: Column) -> str:
    at: datetime = datetime.fromisoformat(value) if isinstance(value, str) else value
    return (at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)).isoformat()


def _decimal(value: Any, column: Column) -> str:
    return str(Decimal(str(value)).quantize(Decimal(1).scaleb(-column.places)))


def _of_type(kind: type) -> Callable[[Any, Column, BaseDatabaseWrapper], Any]:
    def check(value: Any, _column: Column, _database: BaseDatabaseWrapper) -> Any:
        if type(value) is not kind:
            raise TypeError(f"{type(value).__name__} instead of {kind.__name__}")
        return value

    return check


ENCODE: dict[str, Callable[[Any, Column], Any]] = {
    "boolean": lambda value, _column: bool(value),
    "float": lambda value, _column: value if abs(value) < float("inf") else repr(value),  # nan is not less, either
    "decimal": _decimal,
    "datetime": _datetime,
    "binary": lambda value, _column: base64.b64encode(value).decode("ascii"),
}
DECODE: dict[str, Callable[[Any, Column, BaseDatabaseWrapper], Any]] = {
    "integer": _of_type(int),
    "boolean": _of_type(bool),
    "text": _of_type(str),
    "json": _of_type(str),
    "float": lambda value, _column, _database: float(value),
    "decimal": lambda value, column, database: database.ops.adapt_decimalfield_value(Decimal(value), 60, column.places),
    "datetime": lambda value, _column, database: database.ops.adapt_datetimefield_value(datetime.fromisoformat(value)),
    "binary": lambda value, _column, _database: base64.b64decode(value, validate=True),
}


def line_of(row: Sequence[Any]) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def canonical(row: Row, columns: Sequence[Column]) -> bytes:
    """Return a line that is the same for rows which say the same."""
    places = [place for place, column in enumerate(columns) if column.kind == "json" and row[place] is not None]
    if not places:
        return line_of(row)
    changed = list(row)
    for place in places:
        changed[place] = [json.loads(row[place], parse_float=_number, parse_int=_number)]  # so that null is not NULL
    return json.dumps(changed, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def _number(text: str) -> Any:
    """Return the same for 1e2, 100.0 and 100, however many digits there are."""
    if len(text) < 18 and text.lstrip("-").isdecimal():
        return int(text)
    sign, digits, exponent = Decimal(text).as_tuple()
    stripped = "".join(map(str, digits)).rstrip("0") or "0"
    power = int(exponent) + len(digits) - len(stripped)
    if stripped.strip("0") == "":
        return 0
    if power >= 0 and len(stripped) + power < 18:
        return int(("-" if sign else "") + stripped + "0" * power)
    return {"number": f"{'-' if sign else ''}{stripped.lstrip('0')}e{power}"}

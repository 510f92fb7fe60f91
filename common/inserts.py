"""Insert instances with statements that are made once per model.

Like `save` of a new instance and `bulk_create`, these store what the fields prepare, defaults included, and set the
primary key, except `insert_all`. They send no signals.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from django.db import connection, models
from django.db.models import Field, Model

Row = Sequence[Any]
ROWS = 500  # of one statement: SQLite bounds how many values that may have


def rows_insert(
    model: type[Model], columns: Sequence[str], rows: Sequence[Row], *, same: Mapping[str, Any]
) -> list[int]:
    """Insert rows with their values of `columns`, and return the primary keys in the same order.

    `same` has the columns that are the same in all rows; what neither names has its default. Columns are named as
    attributes, such as `item_id`, and values are stored as they are given.
    """
    with connection.cursor() as cursor:
        return [pk for some in _parts(rows) for pk in _insert(cursor, model, tuple(columns), some, same)]


def _parts(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    for start in range(0, len(rows), ROWS):
        yield rows[start : start + ROWS]


def _insert(
    cursor: Any, model: type[Model], columns: tuple[str, ...], rows: Sequence[Row], same: Mapping[str, Any]
) -> list[int]:
    fixed = _defaults(model, columns) | {_field(model, name).attname: value for name, value in same.items()}
    if connection.vendor == "postgresql":
        text = _from_arrays(model, columns, tuple(fixed))
        values = [list(column) for column in zip(*rows, strict=True)]
    else:
        text = _from_values(model, columns, tuple(fixed), len(rows))
        values = [value for row in rows for value in row]
    cursor.execute(text, [*fixed.values(), *values])
    return [pk for (pk,) in cursor.fetchall()]


@cache
def _defaults(model: type[Model], columns: tuple[str, ...]) -> dict[str, Any]:
    """Return the values of all columns but some in a new instance."""
    fields = [field for field in model._meta.concrete_fields if not field.primary_key and field.attname not in columns]
    return {field.attname: field.get_db_prep_save(field.get_default(), connection) for field in fields}


@cache
def _field(model: type[Model], name: str) -> "Field[Any, Any]":
    return next(field for field in model._meta.concrete_fields if field.attname == name)


@cache
def _from_values(model: type[Model], columns: tuple[str, ...], fixed: tuple[str, ...], rows: int) -> str:
    row = "(" + ", ".join(["%s"] * len(columns)) + ")"
    given = ", ".join(["%s"] * len(fixed))
    return _statement(model, (*fixed, *columns), given, f"(VALUES {', '.join([row] * rows)})")


@cache
def _from_arrays(model: type[Model], columns: tuple[str, ...], fixed: tuple[str, ...]) -> str:
    """PostgreSQL takes a column of values at a time, which spares it and psycopg thousands of parameters."""
    types = {name: _field(model, name).rel_db_type(connection) for name in (*fixed, *columns)}
    given = ", ".join(f"%s::{types[name]}" for name in fixed)
    arrays = ", ".join(f"%s::{types[name]}[]" for name in columns)
    return _statement(model, (*fixed, *columns), given, f"unnest({arrays})")


def _statement(model: type[Model], names: Sequence[str], given: str, rows: str) -> str:
    """Return the statement that inserts what is `given` for all rows with what is there for each."""
    columns = ", ".join(f'"{_field(model, name).column}"' for name in names)
    return (
        f'INSERT INTO "{model._meta.db_table}" ({columns}) SELECT {given}, u.* FROM {rows} u '  # noqa: S608 - of names
        f'RETURNING "{model._meta.pk.column}"'
    )


def insert(instance: Model) -> None:
    """Insert a new instance."""
    with connection.cursor() as cursor:
        cursor.execute(_text(type(instance), 1, ""), _values(instance))
        _is_stored(instance, cursor.fetchone()[0])


def insert_unless_there(instance: Model) -> bool:
    """Insert a new instance unless that would violate a unique constraint; return whether it was inserted."""
    with connection.cursor() as cursor:
        cursor.execute(_text(type(instance), 1, "ON CONFLICT DO NOTHING"), _values(instance))
        row = cursor.fetchone()
    if row is not None:
        _is_stored(instance, row[0])
    return row is not None


def insert_all(instances: Sequence[Model]) -> None:
    """Insert a few new instances of one model in one statement; their primary keys are not set."""
    with connection.cursor() as cursor:
        values = [value for instance in instances for value in _values(instance)]
        cursor.execute(_text(type(instances[0]), len(instances), ""), values)


# The database takes their values as they are; all other fields prepare theirs.
AS_THEY_ARE = (models.CharField, models.TextField, models.IntegerField, models.BooleanField, models.ForeignKey)


@cache
def _fields(model: type[Model]) -> "list[Field[Any, Any]]":
    return [field for field in model._meta.concrete_fields if not field.primary_key]


@cache
def _ways(model: type[Model]) -> "list[tuple[str, Field[Any, Any] | None]]":
    """Return the attribute of each field, with the field if that has to prepare its values."""
    return [(field.attname, None if isinstance(field, AS_THEY_ARE) else field) for field in _fields(model)]


@cache
def _text(model: type[Model], rows: int, on_conflict: str) -> str:
    meta, fields = model._meta, _fields(model)
    columns = ", ".join(f'"{field.column}"' for field in fields)
    values = ", ".join(["(" + ", ".join(["%s"] * len(fields)) + ")"] * rows)
    returning = f'RETURNING "{meta.pk.column}"'
    return f'INSERT INTO "{meta.db_table}" ({columns}) VALUES {values} {on_conflict} {returning}'  # noqa: S608


def _values(instance: Model) -> list[Any]:
    held = vars(instance)
    return [
        held[name] if field is None else field.get_db_prep_save(field.pre_save(instance, True), connection)
        for name, field in _ways(type(instance))
    ]


def _is_stored(instance: Model, pk: int) -> None:
    instance.pk = pk
    instance._state.adding, instance._state.db = False, connection.alias

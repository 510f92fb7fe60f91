"""Insert instances with statements that are made once per model.

Like `save` of a new instance and `bulk_create`, these store what the fields prepare, defaults included, and set the
primary key, except `insert_all`. They send no signals.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from django.db import connection, models
from django.db.models import Field, Model


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

"""Columns of models in handwritten SQL, whose rows are read back as instances."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Field, Model

from common.statements import Row

M = TypeVar("M", bound=Model)
Converter = Callable[[Any], Any]


class Columns(Generic[M]):
    """Some columns of a model's table under an alias.

    The instances are like those of `QuerySet.only`: a field that was not selected is fetched when it is asked for.
    """

    def __init__(self, model: type[M], alias: str, names: str) -> None:
        wanted = set(names.split())
        fields = [field for field in model._meta.concrete_fields if field.attname in wanted]
        unknown = wanted - {field.attname for field in fields}
        if unknown or model._meta.pk not in fields:
            raise ValueError(f"columns of {model.__name__}: {unknown or 'the primary key is missing'}")
        self.model, self.alias, self.fields = model, alias, fields
        self.names = [field.attname for field in fields]
        self._key = fields.index(model._meta.pk)

    def __str__(self) -> str:
        return ", ".join(f'{self.alias}."{field.column}"' for field in self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def read(self, row: Row, begin: int = 0) -> M | None:
        """Return the instance in the part of a row from `begin`; None if an outer join found none."""
        values = list(row[begin : begin + len(self.fields)])
        if values[self._key] is None:
            return None
        for place, convert in self._converters:
            values[place] = convert(values[place])
        return self.model.from_db(connection.alias, self.names, values)

    @cached_property
    def _converters(self) -> list[tuple[int, Converter]]:
        """What Django itself applies to these columns on this database."""
        pairs = [(place, _converter(field)) for place, field in enumerate(self.fields)]
        return [(place, convert) for place, convert in pairs if convert is not None]


def _converter(field: "Field[Any, Any]") -> Converter | None:
    expression = field.get_col(field.model._meta.db_table)
    converters = connection.ops.get_db_converters(expression) + field.get_db_converters(connection)
    if not converters:
        return None

    def convert(value: Any) -> Any:
        for step in converters:
            value = step(value, expression, connection)
        return value

    return convert


def read_each(row: Row, *columns: Columns[Any]) -> list[Any]:
    """Return the instances in a row that was selected as these columns, one after the other."""
    found, begin = [], 0
    for part in columns:
        found.append(part.read(row, begin))
        begin += len(part)
    return found

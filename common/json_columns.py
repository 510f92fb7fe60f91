"""Functions that constraints use on columns of JSON, under the name that each database gives them."""

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import CharField, Func, IntegerField
from django.db.models.sql.compiler import SQLCompiler


class _OfJson(Func):
    arity = 1
    in_sqlite = ""

    def as_sqlite(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any) -> Any:
        return self.as_sql(compiler, connection, function=self.in_sqlite, **context)


class JsonType(_OfJson):
    """The type of a JSON value: "array", "object", …"""

    function, in_sqlite = "JSONB_TYPEOF", "JSON_TYPE"
    output_field = CharField()


class JsonLength(_OfJson):
    """The number of elements of a JSON list."""

    function, in_sqlite = "JSONB_ARRAY_LENGTH", "JSON_ARRAY_LENGTH"
    output_field = IntegerField()

"""JSON as values: digests by which the same request is known again, large columns, and constraints on columns."""

import hashlib
import json
import zlib
from pathlib import Path
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import CharField, Func, IntegerField, JSONField, TextField, Value
from django.db.models.functions import Cast
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


def packed_json(value: object) -> bytes:
    """Return a value as compressed JSON."""
    return zlib.compress(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def unpacked_json(packed: bytes | memoryview) -> Any:
    """Return the value of compressed JSON."""
    return json.loads(zlib.decompress(packed))


def encoded_json(value: object) -> Cast:
    """Return an already encoded value in the form that the database takes for a JSON field.

    Encoding megabytes takes a while, and on SQLite everyone who submits a text waits until a transaction ends.
    """
    return Cast(Value(json.dumps(value), TextField()), JSONField())


def json_digest(value: Any) -> str:
    """Return the SHA-256 of a value as JSON with sorted keys, in hexadecimal."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()

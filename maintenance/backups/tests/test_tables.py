"""No table is forgotten, every value comes back, and no backup needs more memory for more rows."""

import json
import tracemalloc
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from crowd.models import AuditEntry
from maintenance.backups.columns import Column, canonical, decoded, encoded, line_of
from maintenance.backups.making import backup_make
from maintenance.backups.tables import LEFT_OUT, tables_of_models, unknown_tables

pytestmark = pytest.mark.both_databases

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text('aä😀"\\ '),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=3), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.django_db
def test_every_table_of_the_database_is_in_the_archive_or_left_out_for_a_reason() -> None:
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        columns = {
            table.name: {each.name for each in connection.introspection.get_table_description(cursor, table.name)}
            for table in tables_of_models()
        }

    assert {table.name for table in tables_of_models()} == there - LEFT_OUT.keys()
    assert unknown_tables(connection) == []
    assert {table.name: {column.name for column in table.columns} for table in tables_of_models()} == columns


def test_only_tables_that_exist_are_left_out() -> None:
    models = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}

    assert LEFT_OUT.keys() - models == {"django_migrations"}


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        *(("integer", each) for each in (0, -5, 2**62)),
        *(("boolean", each) for each in (True, False)),
        *(("float", each) for each in (0.1, -1e300, 5e-324, 2.0, float("inf"))),
        *(("decimal", each) for each in (Decimal("1.10"), Decimal("-0.05"), Decimal("99999.99"))),
        ("datetime", datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)),
        ("datetime", datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone(timedelta(hours=2)))),
        ("binary", bytes(range(256))),
        *(("text", each) for each in ("", 'ä\n\u2028"\\😀')),
        ("json", '{"b": 1, "a": null}'),
        *((kind, None) for kind in ("integer", "boolean", "float", "decimal", "datetime", "binary", "text", "json")),
    ],
)
@pytest.mark.django_db
def test_every_value_comes_back(kind: str, value: Any) -> None:
    column = Column("x", kind, 2)
    written = json.loads(line_of([encoded(value, column)]))[0]

    back = decoded(written, column, connection)

    assert encoded(back, column) == written
    assert value is None or kind in {"datetime", "decimal"} or back == value
    assert kind != "datetime" or value is None or datetime.fromisoformat(written) == value
    assert kind != "decimal" or value is None or Decimal(written) == value


@given(JSON)
@pytest.mark.django_db
def test_postgresql_says_the_same_json(value: Any) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite keeps the text")
    column = Column("x", "json")
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::jsonb::text", [json.dumps(value)])
        [back] = cursor.fetchone()

    assert canonical([back], [column]) == canonical([json.dumps(value)], [column])


def test_json_is_compared_by_what_it_says() -> None:
    column = Column("x", "json")
    same = ['{"a": 1e2, "b": [0.50, -0.0, 1e30]}', '{"b": [5e-1, 0, 1000000000000000000000000000000], "a": 100}']
    other = ['{"a": 100.1, "b": [0.5, 0, 1e30]}', '{"a": "100", "b": [0.5, 0, 1e30]}', '{"a": true}', "null"]

    assert len({canonical([text], [column]) for text in same}) == 1
    assert len({canonical([text], [column]) for text in [same[0], *other]}) == 5
    assert canonical([None], [column]) != canonical(["null"], [column])


@pytest.mark.django_db(transaction=True)
def test_more_rows_and_larger_files_need_no_more_memory(tmp_path: Path) -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    for _ in range(20):
        AuditEntry.objects.bulk_create(AuditEntry(action="x", detail="y" * 20_000, created_at=at) for _ in range(100))
    AuditEntry.objects.bulk_create(AuditEntry(action="x", detail="y" * 2**21, created_at=at) for _ in range(30))
    storages["models"].save("large.bin", ContentFile(bytes(40 * 2**20)))

    tracemalloc.start()
    made = backup_make(tmp_path, lambda _text: None)
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert made.manifest.tables["crowd_auditentry"].rows == 2030
    assert most < 25 * 2**20  # of 140 MB

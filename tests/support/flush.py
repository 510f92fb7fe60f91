"""Emptying the tables after a test that has transactions of its own, much faster than Django's flush."""

import time
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest
from django.core.management import CommandError
from django.core.management.commands.flush import Command
from django.db.backends.base.base import BaseDatabaseWrapper

from crowd.append_only import TABLE, triggers_create, triggers_drop

FLUSH = "django.core.management.commands.flush"
# Rows that `migrate` makes and no test changes: without them Django would make them again after each test.
KEPT = {"django_content_type", "auth_permission", "django_migrations"}


@pytest.fixture(scope="session", autouse=True)
def quick_flush() -> Iterator[None]:
    """Empty only tables that have rows, by DELETE: TRUNCATE makes new files for each table and index."""
    handle = Command.handle

    def handle_patiently(self: Command, **options: Any) -> None:
        """A page that was closed may still be answered, and what it sent be stored meanwhile."""
        for _ in range(20):
            try:
                return handle(self, **options)
            except CommandError:
                time.sleep(0.1)
        return handle(self, **options)

    with (
        patch(f"{FLUSH}.sql_flush", delete_rows),
        patch(f"{FLUSH}.emit_post_migrate_signal"),
        patch.object(Command, "handle", handle_patiently),
    ):
        yield


def delete_rows(_style: object, connection: BaseDatabaseWrapper, **_: Any) -> list[str]:
    """The statements; foreign keys are checked at the end of the transaction, so their order does not matter."""
    found = connection.introspection.django_table_names(only_existing=True, include_views=False)
    quoted = {table: connection.ops.quote_name(table) for table in found if table not in KEPT}
    with connection.cursor() as cursor:
        cursor.execute(
            " UNION ALL ".join(
                f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {name})" for table, name in quoted.items()
            )
        )
        filled = [table for (table,) in cursor.fetchall()]
    deletes = [f"DELETE FROM {quoted[table]};" for table in filled]
    # The audit log refuses to be deleted from.
    free, protect = triggers_drop(connection.vendor), triggers_create(connection.vendor)
    return [*free, *deletes, *protect] if TABLE in filled else deletes

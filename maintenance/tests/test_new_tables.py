"""The tables of a new database are made at once; `tests/upgrade` has what they are."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.commands.migrate import Command as DjangosMigrate
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from pytest_django import DjangoDbBlocker

from maintenance.management.commands import migrate
from maintenance.new_tables import has_no_tables
from tests.support.tables import another_default, tables

pytestmark = [pytest.mark.both_databases, pytest.mark.database]


@pytest.fixture(autouse=True)
def _empty_database(django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path: Path) -> Iterator[None]:
    with django_db_blocker.unblock(), another_default(tmp_path):
        yield


def test_they_are_made_once() -> None:
    said = StringIO()
    call_command("migrate", stdout=said)
    assert "Made the tables of a new database." in said.getvalue()
    made = tables()
    call_command("migrate", "--check", stdout=said)
    call_command("migrate", stdout=said)

    assert "No migrations to apply" in said.getvalue()
    assert tables() == made


def test_where_they_cannot_all_be_made_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object, **__: object) -> None:
        raise DatabaseError("the disk is full")

    monkeypatch.setattr(MigrationExecutor, "migrate", breaks)
    with pytest.raises(DatabaseError, match="disk is full"):
        call_command("migrate", verbosity=0)
    assert has_no_tables(connection)


@pytest.mark.parametrize("options", [{"plan": True}, {"check_unapplied": True}])
def test_to_ask_what_is_to_be_done_makes_none(options: dict[str, bool]) -> None:
    with pytest.raises(SystemExit) if "check_unapplied" in options else StringIO() as _:
        call_command("migrate", stdout=StringIO(), **options)
    assert has_no_tables(connection)


def test_a_database_with_tables_is_migrated_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "tables_make", lambda _: pytest.fail("all at once"))
    monkeypatch.setattr(DjangosMigrate, "handle", lambda *_, **__: None)
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE of_others (id integer)")
    call_command("migrate", verbosity=0)

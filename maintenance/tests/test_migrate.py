"""On PostgreSQL, a migration that waits for a lock lets the others go on, and is tried again."""

from io import StringIO

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.core.management.commands.migrate import Command as DjangosMigrate
from django.db import OperationalError, connection

from maintenance.management.commands import migrate

pytestmark = [
    pytest.mark.both_databases,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="locks of PostgreSQL"),
]


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "LOCK_SECONDS", 1)
    monkeypatch.setattr(migrate, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(migrate, "ATTEMPTS", 2)


def alter_while_locked(monkeypatch: pytest.MonkeyPatch, *, released_after: int) -> str:
    """Let a migration alter a table that another connection reads, until so many attempts were made."""
    values = connection.settings_dict
    address = {"host": values["HOST"], "port": values["PORT"], "user": values["USER"], "password": values["PASSWORD"]}
    said, attempts = StringIO(), 0
    with psycopg.connect(dbname=values["NAME"], **address) as other:
        other.execute("LOCK TABLE crowd_campaign IN ACCESS SHARE MODE")

        def alters(_self: object, *_args: object, **_options: object) -> None:
            nonlocal attempts
            attempts += 1
            if attempts > released_after:
                other.rollback()
            with connection.cursor() as cursor:
                cursor.execute("ALTER TABLE crowd_campaign ALTER COLUMN name SET NOT NULL")

        monkeypatch.setattr(DjangosMigrate, "handle", alters)
        call_command("migrate", stderr=said)
    return said.getvalue()


def test_it_is_tried_again_until_the_table_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    said = alter_while_locked(monkeypatch, released_after=1)
    assert "let others go first" in said
    assert "(1 of 2)" in said
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone() == ("0",)


def test_it_gives_up_in_the_end_and_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CommandError, match="Others kept a table in use for too long"):
        alter_while_locked(monkeypatch, released_after=9)


def test_other_errors_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(_self: object, *_args: object, **_options: object) -> None:
        raise OperationalError("the disk is full")

    monkeypatch.setattr(DjangosMigrate, "handle", breaks)
    with pytest.raises(OperationalError, match="disk is full"):
        call_command("migrate")

"""A database of version 0.2.0, filled, and migrated with this version's code: once for all tests of a module."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django import DjangoDbBlocker

from tests.upgrade.old_rows import late_reports_make, old_database_make


@pytest.fixture(scope="module")
def empty_database(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """An empty database in the place of the tests' own: migrations write to the default one."""
    with django_db_blocker.unblock(), another_default(tmp_path_factory.mktemp("upgrade")):
        yield


@pytest.fixture(scope="module")
def upgraded(empty_database: None) -> str:
    """Migrate, and return what `upgrade_plan` said of version 0.2.0."""
    old_database_make()
    plan = StringIO()
    with pytest.raises(SystemExit):
        call_command("upgrade_plan", stdout=plan)
    late_reports_make()
    call_command("migrate", verbosity=0, interactive=False)
    return plan.getvalue()


@contextmanager
def another_default(folder: Path) -> Iterator[None]:
    if connection.vendor == "sqlite":
        with renamed(str(folder / "upgrade.sqlite3")):
            yield
        return
    name = f"precis_upgrade_{os.getpid()}"
    with connection.cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE template0')
    with renamed(name):
        yield
    with connection.cursor() as cursor:
        cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def renamed(name: str) -> Iterator[None]:
    own = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = own

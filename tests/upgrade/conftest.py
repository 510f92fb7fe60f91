"""A database of version 0.2.0, filled, and migrated with this version's code: once for all tests of a module."""

from collections import Counter
from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.management import call_command
from pytest_django import DjangoDbBlocker

from tests.support.tables import another_default, tables
from tests.upgrade.old_rows import late_reports_make, old_database_make


@pytest.fixture(scope="module")
def new_tables(django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Counter[str]]:
    """What the tables of a new database are."""
    with django_db_blocker.unblock(), another_default(tmp_path_factory.mktemp("new")):
        call_command("migrate", verbosity=0)
        return tables()


@pytest.fixture(scope="module")
def empty_database(
    django_db_setup: None,
    new_tables: object,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
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

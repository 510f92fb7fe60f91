"""A database of another version: recognized before anything is written to it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.checks import Error, Tags, register
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from common.stores import store


def is_of_another_version(connection: BaseDatabaseWrapper) -> bool:
    """Whether migrations of ours were applied that this version does not have: their tables cannot be brought up."""
    rooms = {app.label for app in apps.get_app_configs() if Path(app.path).parent == settings.BASE_DIR}
    known = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    applied = MigrationRecorder(connection).applied_migrations()
    return any(app in rooms and (app, name) not in known for app, name in applied)


def another_version_message(connection: BaseDatabaseWrapper) -> str:
    """What to tell whoever starts this version on such a database, and how they begin beside it."""
    found = f"The database {connection.settings_dict['NAME']} was made by another version of Précis"
    if connection.vendor == "sqlite":
        begin = f"To begin beside it, use another folder for the data: PRECIS_DATA_DIR={settings.DATA_DIR}-new make run"
    else:
        begin = "To begin beside it, name a new database in DATABASE_URL and a new folder in PRECIS_DATA_DIR"
    return (
        f"{found}, which this version cannot read. Nothing has been changed.\n{begin}\n"
        f"Releases in {store('releases').place('')} come in by: manage.py import_release FOLDER"
    )


@register(Tags.database)
def check_database_version(databases: Sequence[str] | None = None, **_: Any) -> list[Error]:
    """Keep `manage.py migrate` from mixing the tables of two versions."""
    opened = [connections[alias] for alias in databases or ()]
    return [Error(another_version_message(each), id="common.E001") for each in opened if is_of_another_version(each)]

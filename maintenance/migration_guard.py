"""A database of another version: recognized before anything is written to it."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.checks import Error, Tags, register
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from common.stores import store

Key = tuple[str, str]  # a room and the name of a migration


def is_of_another_version(connection: BaseDatabaseWrapper) -> bool:
    """Whether migrations of ours were applied that this version does not have: their tables cannot be brought up."""
    rooms = {app.label for app in apps.get_app_configs() if Path(app.path).parent == settings.BASE_DIR}
    known = _known()
    applied = joined(MigrationRecorder(connection).applied_migrations())
    return any(app in rooms and (app, name) not in known for app, name in applied)


def joined(migrations: Iterable[Key]) -> frozenset[Key]:
    """Return the migrations by this version's names: one that joins earlier ones stands for them, if all are there."""
    found = set(migrations)
    for key, migration in _known().items():
        replaced = set(migration.replaces)
        if replaced and (key in found or replaced <= found):
            found = (found - replaced) | {key}
    return frozenset(found)


def another_version_message(connection: BaseDatabaseWrapper) -> str:
    """What to tell whoever starts this version on such a database, and how they begin beside it."""
    name = connection.settings_dict["NAME"]
    if halfway := _halfway(connection):
        room, last = halfway.app_label, halfway.replaces[-1][1]
        return (
            f"The database {name} was made by a version of Précis that this one cannot go on from: it has only some of "
            f"the migrations that are now {room}.{halfway.name}. Nothing has been changed.\n"
            f"Run manage.py migrate with the last version that has {room}/migrations/{last}.py, then with this one."
        )
    found = f"The database {name} was made by another version of Précis"
    if connection.vendor == "sqlite":
        begin = f"To begin beside it, use another folder for the data: PRECIS_DATA_DIR={settings.DATA_DIR}-new make run"
    else:
        begin = "To begin beside it, name a new database in DATABASE_URL and a new folder in PRECIS_DATA_DIR"
    return (
        f"{found}, which this version cannot read. Nothing has been changed.\n{begin}\n"
        f"Releases in {store('releases').place('')} come in by: manage.py import_release FOLDER"
    )


def _halfway(connection: BaseDatabaseWrapper) -> Migration | None:
    """Return a migration that joins earlier ones of which the database has some, but not all."""
    left = joined(MigrationRecorder(connection).applied_migrations())
    return next((each for each in _known().values() if left.intersection(each.replaces)), None)


def _known() -> Mapping[Key, Migration]:
    return MigrationLoader(None, ignore_no_migrations=True).disk_migrations or {}


@register(Tags.database)
def check_database_version(databases: Sequence[str] | None = None, **_: Any) -> list[Error]:
    """Keep `manage.py migrate` from mixing the tables of two versions."""
    opened = [connections[alias] for alias in databases or ()]
    return [Error(another_version_message(each), id="common.E001") for each in opened if is_of_another_version(each)]

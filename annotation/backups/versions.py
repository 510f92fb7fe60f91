"""Which version of the tables an archive has, and how a database comes to it."""

import tomllib
from collections.abc import Iterable

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.exceptions import InvalidMigrationPlan
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from annotation.backups.refusal import BackupRefusal
from common.migration_guard import joined

Migrations = frozenset[tuple[str, str]]
APART = "The backup names migrations that do not belong together."


def product_version() -> str:
    """Return the version of Précis, which is run from its clone and is not installed."""
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def migrations_applied() -> Migrations:
    return joined(MigrationRecorder(connection).applied_migrations())


def migrations_known() -> Migrations:
    return frozenset(MigrationExecutor(connection).loader.disk_migrations or ())


def current_check() -> None:
    """Refuse to back up a database of another version than the code."""
    applied, known = migrations_applied(), migrations_known()
    if missing := known - applied:
        raise BackupRefusal(
            f"The database lacks migrations of this version ({_named(missing)}). Run: manage.py migrate"
        )
    if other := applied - known:
        raise BackupRefusal(f"The database is of another version ({_named(other)}). Back it up with that version.")


def version_check(product: str, migrations: Migrations) -> None:
    """Refuse an archive whose tables this version cannot have."""
    if unknown := migrations - migrations_known():
        raise BackupRefusal(
            f"The backup was made by a newer or another version of Précis ({product}): this one has no migration "
            f"{_named(unknown)}. Restore it with that version."
        )
    applied = migrations_applied()
    if newer := applied - migrations:
        raise BackupRefusal(
            f"The backup was made by an earlier version of Précis ({product}), and this database already has newer "
            f"tables ({_named(newer)}). Restore it into a database without tables; they are then brought up to date."
        )


def migrate_to(migrations: Migrations) -> None:
    """Give a database that is not newer the tables of these migrations."""
    if migrations_applied() == migrations:
        return
    executor = MigrationExecutor(connection)
    graph = executor.loader.graph
    leaves = [key for key in migrations if not any(child in migrations for child in _children(graph, key))]
    try:
        executor.migrate(sorted(leaves))
    except InvalidMigrationPlan as error:
        raise BackupRefusal(APART) from error
    if migrations_applied() != migrations:
        raise BackupRefusal(APART)


def migrate_forward() -> None:
    """Bring restored tables up to this version."""
    call_command("migrate", interactive=False, verbosity=0)


def _children(graph: "object", key: tuple[str, str]) -> Iterable[tuple[str, str]]:
    """Return the migrations of the same app that come right after one."""
    return [child.key for child in graph.node_map[key].children if child.key[0] == key[0]]  # type: ignore[attr-defined]


def _named(migrations: Iterable[tuple[str, str]]) -> str:
    names = sorted(f"{app} {name}" for app, name in migrations)
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")

"""What stands where in an archive; docs/backup.md describes it for others.

backup.json                   the format, the version, the migrations and the tables with their columns
settings.json                 the environment, without secrets
tables/TABLE/000001.jsonl     rows, each a line with a list, in the order of their keys
files/STORAGE/NAME            the files
manifest.json                 the checksums of everything
manifest.sha256               the checksum of manifest.json
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.management import call_command
from django.db import connection
from django.db.migrations.exceptions import InvalidMigrationPlan
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from maintenance.backups import BackupRefusal, Damaged
from maintenance.backups.files import Name, Stored
from maintenance.backups.tables import Table
from maintenance.migration_guard import joined

Migrations = frozenset[tuple[str, str]]
APART = "The backup names migrations that do not belong together."


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
    applied = migrations_applied()
    if not applied and migrations == migrations_known():
        migrate_forward()  # which makes the tables of a new database at once
        return
    if applied == migrations:
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


FORMAT, FORMAT_VERSION = "precis-backup", 1
HEAD, SETTINGS, MANIFEST, MANIFEST_SHA256 = "backup.json", "settings.json", "manifest.json", "manifest.sha256"
MAX_HEAD, MAX_MANIFEST = 2**24, 2**28
PART_BYTES = 4 * 2**20  # of rows; a longer row is a part of its own
MAX_ROW = 2**30


@dataclass(frozen=True)
class Head:
    product: str
    created_at: datetime
    database: str
    migrations: frozenset[tuple[str, str]]
    tables: tuple[Table, ...]
    last_keys: dict[str, int]

    def as_bytes(self) -> bytes:
        return json_bytes(
            {
                "format": FORMAT,
                "format_version": FORMAT_VERSION,
                "product": self.product,
                "created_at": self.created_at.isoformat(),
                "database": self.database,
                "migrations": sorted(self.migrations),
                "tables": [{**table.as_json(), "last_key": self.last_keys[table.name]} for table in self.tables],
            }
        )

    @classmethod
    def of_bytes(cls, content: bytes) -> "Head":
        found = json_of(content, HEAD)
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise Damaged("This is not a backup of Précis.")
        if found.get("format_version") != FORMAT_VERSION:
            raise BackupRefusal(
                f"The backup has format {found.get('format_version')}, made by Précis {found.get('product')}; this "
                f"version reads format {FORMAT_VERSION}. Restore it with the version that made it."
            )
        try:
            return cls(
                product=str(found["product"]),
                created_at=datetime.fromisoformat(found["created_at"]),
                database=str(found["database"]),
                migrations=frozenset((str(app), str(name)) for app, name in found["migrations"]),
                tables=tuple(Table.of_json(each) for each in found["tables"]),
                last_keys={str(each["name"]): int(each["last_key"]) for each in found["tables"]},
            )
        except (KeyError, TypeError, ValueError) as error:
            raise Damaged(f"{HEAD} of the archive cannot be understood ({error}).") from error


@dataclass(frozen=True)
class TableSums:
    """Of one table: its rows, the checksum of its lines, and of what they say on either database."""

    rows: int
    sha256: str
    content_sha256: str


@dataclass(frozen=True)
class Manifest:
    head_sha256: str
    settings_sha256: str
    tables: dict[str, TableSums]
    files: dict[Name, Stored]
    problems: tuple[str, ...]

    def as_bytes(self) -> bytes:
        return json_bytes(
            {
                HEAD: self.head_sha256,
                SETTINGS: self.settings_sha256,
                "tables": {name: vars(sums) for name, sums in self.tables.items()},
                "files": {f"{storage}/{name}": vars(each) for (storage, name), each in self.files.items()},
                "problems": self.problems,
            }
        )

    def is_same(self, content: bytes) -> bool:
        """Whether an archive's manifest says what was found in it."""
        found = json_of(content, MANIFEST)
        own = json_of(self.as_bytes(), MANIFEST)
        return bool({**own, "problems": 0} == {**found, "problems": 0}) if isinstance(found, dict) else False

    def difference(self, content: bytes) -> str:
        """Return the first thing that differs from an archive's manifest."""
        said, own = json_of(content, MANIFEST), json_of(self.as_bytes(), MANIFEST)
        for part in ("tables", "files"):
            theirs = said.get(part) if isinstance(said, dict) else None
            for name in sorted(own[part].keys() | (theirs or {}).keys()):
                if own[part].get(name) != (theirs or {}).get(name):
                    return str(name)
        return "its head or its settings"


def json_bytes(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"


def json_of(content: bytes, name: str) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise Damaged(f"{name} of the archive is not JSON.") from error

"""The database of version 0.2.0 that tests migrate: its rows, and how they get into a database of any kind.

Made by scripts/upgrade_data.py with the code of that version.
"""

import base64
import gzip
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))

from upgrade_data import ALL_SPLITS, VERSION, rows_digest

from maintenance.upgrade import ROOMS_SINCE

__all__ = ["ALL_SPLITS", "VERSION", "rows_digest"]

FOLDER = Path(__file__).parent
# The migrations that version 0.2.0 had. Those of Django's own apps are the same.
AT_0_2_0 = [
    (room, "0001_initial") for room in ("common", "crowd", "compressions", "ratings", "corpus", "agreement", "scoring")
]


@dataclass(frozen=True)
class OldRow:
    """A row as version 0.2.0 dumped it: its model, its primary key, and its values by the names of fields."""

    model: str
    pk: Any
    fields: dict[str, Any]


@cache
def old_rows() -> tuple[OldRow, ...]:
    lines = gzip.decompress((FOLDER / f"precis-{VERSION}.jsonl.gz").read_bytes()).decode().splitlines()
    return tuple(OldRow(**json.loads(line)) for line in lines)


def old_releases() -> dict[str, dict[str, str]]:
    """The checksum of each file of each release, by the release's name."""
    found: dict[str, dict[str, str]] = json.loads((FOLDER / f"releases-{VERSION}.json").read_text(encoding="utf-8"))
    return found


def old_targets() -> list[tuple[str, str]]:
    """The migrations of version 0.2.0, with all those of Django's own apps."""
    loader = MigrationLoader(connection)
    rooms = {room for room, _ in AT_0_2_0} | ROOMS_SINCE
    return [*AT_0_2_0, *(leaf for leaf in loader.graph.leaf_nodes() if leaf[0] not in rooms)]


def old_database_make() -> None:
    """Create the tables of version 0.2.0 in the empty default database, and fill them."""
    state = MigrationExecutor(connection).migrate(old_targets())
    state.clear_delayed_apps_cache()
    with transaction.atomic():
        for model, rows in grouped(state.apps):
            model._base_manager.bulk_create([instance for instance, _ in rows], batch_size=200)
            for instance, many in rows:
                for name, keys in many.items():
                    getattr(instance, name).set(keys)
        connection.check_constraints()
    used = [model for model, _ in grouped(state.apps)]
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), used):
            cursor.execute(statement)


def grouped(apps: Any) -> Iterator[tuple[type[models.Model], list[tuple[models.Model, dict[str, list[Any]]]]]]:
    by_model: dict[str, list[OldRow]] = {}
    for row in old_rows():
        by_model.setdefault(row.model, []).append(row)
    for label, rows in by_model.items():
        model = apps.get_model(label)
        yield model, [instance_of(model, row) for row in rows]


def instance_of(model: type[models.Model], row: OldRow) -> tuple[models.Model, dict[str, list[Any]]]:
    """An instance that is not saved, and the keys of its relations to many."""
    instance, many = model(pk=row.pk), {}
    for name, value in row.fields.items():
        field: Any = model._meta.get_field(name)
        field.auto_now_add = False  # or the row would be as old as the test
        if field.many_to_many:
            many[name] = value
        else:
            setattr(instance, field.attname, python_value(field, value))
    return instance, many


def python_value(field: Any, value: Any) -> Any:
    """A dumped value as the field has it in Python."""
    if value is not None and isinstance(field, models.BinaryField):
        return base64.b64decode(value)
    if isinstance(field, models.JSONField):
        return value
    return (field.target_field if isinstance(field, models.ForeignKey) else field).to_python(value)

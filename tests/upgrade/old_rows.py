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


LATE_ROOMS = [("edit_operations", "0001_initial"), ("evaluation", "0001_initial")]
NAMED = dict.fromkeys(("judgement", "part_kind", "metric", "other", "group", "reason"), "")
ROW = {
    **NAMED,
    "table": "made up",
    "part": "release",
    "figure": "share",
    "value": 0.5,
    "low": None,
    "high": None,
    "n": 1,
}
COMPUTED = {"rows": [ROW], "figures": {"a": [1]}, "finished_at": "2026-11-23T12:00Z"}


def late_reports_make() -> None:
    """Migrate to the commits after 0.2.0 that kept reports of two more rooms, and store a report of each there."""
    state = MigrationExecutor(connection).migrate(LATE_ROOMS)
    state.clear_delayed_apps_cache()
    new = {name: state.apps.get_model(name)._base_manager.create for name in LATE_MODELS}
    release = state.apps.get_model("corpus.release")._base_manager.earliest("pk")
    shared = {
        "release": release,
        "parameters": {"draws": 7, "means": "sources", "smaller_is_better": []},
        "release_checksum": "c",
        "report_version": 1,
    }
    pins = {"signature": "an aligner", "last_correction": 3, "last_output": None}
    open_one = new["edit_operations.operationsreport"](**shared, **pins, digest="open", word_pairs="old\telderly\n")
    operations = new["edit_operations.operationsreport"](**shared, **pins, **COMPUTED, digest="operations", texts=4)
    slices = {"number": 0, "begin": 0, "stop": 1}
    new["edit_operations.operationspart"](report=operations, sources=[], attempts=1, **slices)
    runs = {"score_runs": [{"id": 1, "digest": "d"}], "last_model_rating": 5, "last_translation": None}
    evaluation = new["evaluation.evaluationreport"](**shared, **runs, **COMPUTED, digest="evaluation")
    new["evaluation.evaluationpart"](report=evaluation, metric="LR-1", rows=[{"other": "A-B"}])
    for report in (open_one, operations):
        asked = {"kind": "operations_report", "parameters": {"report": report.pk}}
        new["common.job"](campaign_id=release.campaign_id, lease_ends_at="2026-11-23T12:00Z", **asked)


LATE_MODELS = (
    *("edit_operations.operationsreport", "edit_operations.operationspart"),
    *("evaluation.evaluationreport", "evaluation.evaluationpart", "common.job"),
)


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

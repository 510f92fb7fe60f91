"""Which migrations may run while the earlier version serves, and which since the last release need a pause."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, migrations, models
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ProjectState

from maintenance.upgrade import AT_LAST_RELEASE, NOTES, ROOMS_SINCE, Step, steps_of
from tests.flows.test_docs import ROOT


def steps_since_the_last_release() -> list[Step]:
    loader = MigrationLoader(None, ignore_no_migrations=True)
    leaves = loader.graph.leaf_nodes()
    ours = {*AT_LAST_RELEASE, *ROOMS_SINCE}
    released = [*AT_LAST_RELEASE.items(), *(leaf for leaf in leaves if leaf[0] not in ours)]
    known = {key for each in released for key in loader.graph.forwards_plan(each)}
    plan: dict[tuple[str, str], Migration] = {}
    for leaf in leaves:
        plan |= {key: loader.graph.nodes[key] for key in loader.graph.forwards_plan(leaf) if key not in known}
    return list(steps_of(list(plan.values()), loader.project_state(released)))


def test_every_migration_that_needs_a_pause_says_what_it_is_for_and_no_other_does() -> None:
    """Write it so that it needs none, or add a line to maintenance/upgrade.py."""
    needing = {
        f"{step.migration}: {step.does}: {step.reason}" for step in steps_since_the_last_release() if step.reason
    }
    assert {line for line in needing if line.partition(":")[0] not in NOTES} == set()
    assert NOTES.keys() - {line.partition(":")[0] for line in needing} == set()


def test_the_upgrade_notes_count_the_migrations_that_the_plan_lists() -> None:
    page = (ROOT / "docs" / "upgrading.md").read_text(encoding="utf-8")
    section = " ".join(page.partition("## From 0.2 to 0.3")[2].partition("\n## ")[0].split())
    pending = {step.migration for step in steps_since_the_last_release()}
    assert f"needs a pause: `upgrade_plan` lists {len(pending)} migrations, of which {len(NOTES)} change" in section


# The classes


def base() -> ProjectState:
    state = ProjectState()
    size = models.IntegerField(help_text="in bytes")
    fields: list[tuple[str, models.Field[Any, Any]]] = [("id", models.BigAutoField(primary_key=True)), ("size", size)]
    for name in ("Item", "Campaign"):
        migrations.CreateModel(name, fields).state_forwards("crowd", state)
    return state


def reason(*operations: Operation) -> str:
    migration = type("M", (Migration,), {"operations": list(operations)})("0099_test", "crowd")
    return next((step.reason for step in steps_of([migration], base()) if step.reason), "")


CHECK = models.CheckConstraint(condition=models.Q(size__gte=0), name="size_is_not_negative")
NUMBER = models.Index(fields=["size"], name="by_size")


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddField("item", "note", models.TextField(null=True)),
        migrations.AddField("item", "note", models.TextField(default="", db_default="")),
        migrations.AddField("campaign", "number", models.IntegerField(null=True, db_index=True)),
        migrations.AlterField("item", "size", models.IntegerField(help_text="in characters")),
        migrations.AlterField("item", "size", models.IntegerField(default=3)),
        migrations.CreateModel("New", [("id", models.BigAutoField(primary_key=True))]),
        migrations.AddIndex("campaign", NUMBER),
        migrations.SeparateDatabaseAndState(state_operations=[migrations.RemoveField("item", "size")]),
    ],
    ids=lambda operation: operation.describe(),
)
def test_what_only_adds_needs_no_pause(operation: Operation) -> None:
    assert reason(operation) == ""


@pytest.mark.parametrize(
    ("operation", "why"),
    [
        (migrations.AddField("item", "note", models.TextField(default="")), "may not be empty"),
        (migrations.AddField("item", "number", models.IntegerField(null=True, db_index=True)), "index of the column"),
        (migrations.AlterField("item", "size", models.SmallIntegerField()), "changed under a lock"),
        (migrations.AlterField("item", "size", models.IntegerField(null=True)), "changed under a lock"),
        (migrations.RemoveField("item", "size"), "still reads and writes"),
        (migrations.RenameField("item", "size", "length"), "old name"),
        (migrations.DeleteModel("Item"), "still uses the table"),
        (migrations.RenameModel("Item", "Piece"), "old name"),
        (migrations.AddConstraint("item", CHECK), "does not keep the constraint"),
        (migrations.AddIndex("item", NUMBER), "AddIndexConcurrently"),
        (migrations.RunPython(migrations.RunPython.noop), "changes rows"),
        (migrations.RunSQL("SELECT 1"), "changes rows"),
        (
            migrations.SeparateDatabaseAndState(database_operations=[migrations.RemoveField("item", "size")]),
            "still reads and writes",
        ),
    ],
)
def test_what_the_earlier_version_cannot_serve_on_needs_one(operation: Operation, why: str) -> None:
    assert why in reason(operation)


def test_a_table_that_is_new_itself_needs_none_for_what_is_added_to_it() -> None:
    new = migrations.CreateModel(
        "New", [("id", models.BigAutoField(primary_key=True)), ("size", models.IntegerField())]
    )
    assert reason(new, migrations.AddConstraint("new", CHECK), migrations.AddIndex("new", NUMBER)) == ""


# The command


def told() -> tuple[str, int]:
    output = StringIO()
    try:
        call_command("upgrade_plan", stdout=output)
    except SystemExit as end:
        return output.getvalue(), int(str(end.code))
    return output.getvalue(), 0


@pytest.mark.django_db
@pytest.mark.both_databases
def test_the_plan_says_which_pending_migrations_are_safe() -> None:
    assert told() == ("No migrations are pending.\n", 0)
    applied = MigrationRecorder(connection).migration_qs
    applied.filter(app="common").exclude(name="0001_initial").delete()
    said, code = told()
    assert (code, "safe   common.0002_since_0_2_0" in said) == (0, True)
    assert "migrate first, then deploy" in said
    applied.filter(app="scoring").exclude(name="0001_initial").delete()
    said, code = told()
    assert code == 1
    assert "PAUSE  scoring.0002_since_0_2_0" in said
    assert "score_part_done_has_file on model scorepart: the earlier version does not keep the constraint" in said
    assert "1 migrations need a pause. Stop the web server" in said


@pytest.mark.django_db
def test_there_is_no_plan_for_a_database_of_a_later_version() -> None:
    MigrationRecorder(connection).record_applied("crowd", "0999_of_tomorrow")
    with pytest.raises(CommandError, match="another version"):
        call_command("upgrade_plan")

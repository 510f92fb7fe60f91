"""What a migration does to an earlier version that serves meanwhile, and why some need a pause.

A test finds migrations that need a line in the notes and have none (maintenance/tests/test_upgrade.py). Prefer those
that need no pause: add columns that may be empty or have a `db_default`, fill them with a job, and remove what is not
used any more one release later. After a release, the notes begin anew.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations
from django.db.migrations import Migration
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models.fields import NOT_PROVIDED

LAST_RELEASE = "0.2.0"
# The last migration of each room in that release.
AT_LAST_RELEASE = dict.fromkeys(
    ("agreement", "common", "compressions", "corpus", "crowd", "ratings", "scoring"), "0001_initial"
)
# Rooms that came later. Their migrations stand on later ones of other rooms, so they are no part of that release.
ROOMS_SINCE = {"edit_operations", "evaluation", "protocols", "reports", "systems"}

# Version 0.2.0 cannot serve on what these leave: they came about before upgrades without a pause were looked after.
NOTES: dict[str, str] = {
    "agreement.0002_since_0_2_0": "Reports say which version of the report computed them.",
    "agreement.0003_into_reports": "Reports of three rooms are kept in one table.",
    "compressions.0002_since_0_2_0": "Texts can be retired and corrected, drafts are weighed, flags get kinds, and the "
    "time at work is computed from each edit log; takes longest.",
    "corpus.0002_since_0_2_0": "Releases name the folder of their files, and say which texts were retired.",
    "crowd.0002_since_0_2_0": "Campaigns have states, pay, a language and versions of their settings, staff their "
    "roles, links their studies, visits their browsers. Ends all sessions of staff: everyone logs in once more.",
    "crowd.0003_last_work": "The list of campaigns finds when work last came in by an index.",
    "crowd.0005_paid_as_they_worked": "Visits say when they finished and whether they were paid, links have a "
    "code for who skips most texts, and campaigns a partial pay, a fee and a budget.",
    "crowd.0006_failed_pay": "Campaigns say what a test pays that was not passed.",
    "crowd.0009_judgement_tasks": "Campaigns can have a judgement task with material of its own, and "
    "editors who make one sentence of two; items are counted by an index.",
    "edit_operations.0002_into_reports": "Reports of three rooms are kept in one table.",
    "evaluation.0002_into_reports": "Reports of three rooms are kept in one table.",
    "ratings.0002_since_0_2_0": "Ratings know the settings that they were made under, qualities have standard errors, "
    "attempts at the test remember their questions, and questions can be deleted.",
    "ratings.0005_ratings_of_outputs": "An imported rating may name the output that it is of, beside its text.",
    "reports.0002_from_three_rooms": "Reports of three rooms are kept in one table.",
    "scoring.0002_since_0_2_0": "Scores name their files, and parts count who has claimed them.",
}


# Tables with a row for each piece of work, on which an index takes long to build or a check long to validate.
LARGE = {
    *(("crowd", name) for name in ("item", "assignment", "itemconflict", "auditentry")),
    *(("compressions", name) for name in ("source", "target", "compression", "draft", "systemoutput", "pair")),
    *(("ratings", name) for name in ("rating", "score", "ratingversion")),
}
ONLY_ADD = (
    migrations.CreateModel,
    migrations.RemoveIndex,
    migrations.RemoveConstraint,
    migrations.AlterModelOptions,
    migrations.AlterModelManagers,
    migrations.RenameIndex,
    AddIndexConcurrently,
    RemoveIndexConcurrently,
)
WRITES_WAIT = "writes wait while the index is built (AddIndexConcurrently does not block them)"
BREAK = {
    migrations.AddConstraint: "the earlier version does not keep the constraint, and all rows are checked while work "
    "waits",
    migrations.RemoveField: "the earlier version still reads and writes the column",
    migrations.DeleteModel: "the earlier version still uses the table",
    migrations.RenameField: "the earlier version knows the column by its old name",
    migrations.RenameModel: "the earlier version knows the table by its old name",
    migrations.AlterModelTable: "the earlier version knows the table by its old name",
    migrations.RunPython: "it changes rows, and what the earlier version writes meanwhile is not changed",
    migrations.RunSQL: "it changes rows, and what the earlier version writes meanwhile is not changed",
}


@dataclass(frozen=True)
class Step:
    """One operation of a migration, and why it needs a pause; an empty reason means that it needs none."""

    migration: str
    does: str
    reason: str


def steps_of(plan: Sequence[Migration], state: ProjectState) -> Iterator[Step]:
    """Yield what the migrations do, one after another, to a database in this state. The state is changed."""
    made: set[tuple[str, str]] = set()
    for each in plan:
        for operation in each.operations:
            reason = reason_of(operation, each.app_label, state, made)
            yield Step(f"{each.app_label}.{each.name}", operation.describe(), reason)
            if isinstance(operation, migrations.CreateModel):
                made.add((each.app_label, operation.name_lower))
            operation.state_forwards(each.app_label, state)


def reason_of(operation: Operation, room: str, state: ProjectState, made: set[tuple[str, str]]) -> str:
    """Return why an operation needs a pause; empty if the earlier version can serve on."""
    if isinstance(operation, migrations.SeparateDatabaseAndState):
        found = (reason_of(each, room, state, made) for each in operation.database_operations)
        return next((reason for reason in found if reason), "")
    model = (room, str(getattr(operation, "model_name", "")).lower())
    if model in made or isinstance(operation, ONLY_ADD) or _changes_names_only(operation):
        return ""
    return _reason(operation, state, model)


def _reason(operation: Operation, state: ProjectState, model: tuple[str, str]) -> str:
    if isinstance(operation, migrations.AddField):
        return _of_new_column(operation.field, model)
    if isinstance(operation, migrations.AlterField):
        return _of_changed_column(operation, state, model)
    if isinstance(operation, migrations.AddIndex):
        return WRITES_WAIT if model in LARGE else ""
    return next((why for kind, why in BREAK.items() if isinstance(operation, kind)), "it is of a kind not known here")


def _changes_names_only(operation: Operation) -> bool:
    """Whether an operation is only about what Python says, such as the message of a constraint."""
    return type(operation).__name__ == "AlterConstraint"


def _of_new_column(field: Any, model: tuple[str, str]) -> str:
    if field.many_to_many:
        return ""
    if not field.null and field.db_default is NOT_PROVIDED:
        return "the earlier version does not fill the column, which may not be empty (db_default would)"
    if model in LARGE and (field.db_index or field.unique):
        return "writes wait while the index of the column is built"
    return ""


def _of_changed_column(operation: migrations.AlterField, state: ProjectState, model: tuple[str, str]) -> str:
    if _as_stored(state.models[model].fields[operation.name]) == _as_stored(operation.field):
        return ""
    return "the column is changed under a lock, and the earlier version may not fit the new one"


def _as_stored(field: Any) -> tuple[object, ...]:
    """Return what the database knows of a field: not its labels, its choices or the default that Python fills in."""
    _name, kind, arguments, options = field.deconstruct()
    unknown = {"default", *field.non_db_attrs}
    return kind, arguments, {name: value for name, value in options.items() if name not in unknown}

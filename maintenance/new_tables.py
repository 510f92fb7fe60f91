"""The tables of a new database, made at once: as all migrations would leave them, without what they do to rows.

To run the migrations one by one takes a minute where this takes seconds, since Django draws up all models anew at each
step. `tests/upgrade` compares the tables of both ways.
"""

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.operations import RunPython, RunSQL
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model


def has_no_tables(connection: BaseDatabaseWrapper) -> bool:
    with connection.cursor() as cursor:
        return not connection.introspection.table_names(cursor)


def tables_make(connection: BaseDatabaseWrapper) -> None:
    """Make all tables, or none if that fails, and note all migrations as applied.

    What migrations do beside, such as to make triggers, is done too, unless it is marked as `elidable`: that is for the
    rows of an earlier version.
    """
    executor = MigrationExecutor(connection)
    leaves = executor.loader.graph.leaf_nodes()
    state = executor.loader.project_state(leaves)
    models: list[type[Model]] = [MigrationRecorder(connection).Migration, *state.apps.get_models()]
    with connection.schema_editor() as editor:
        for model in models:
            if model._meta.can_migrate(connection):
                editor.create_model(model)
        for migration, _ in executor.migration_plan(leaves):
            for operation in migration.operations:
                if isinstance(operation, (RunPython, RunSQL)) and not operation.elidable:
                    operation.database_forwards(migration.app_label, editor, state, state)
        executor.migrate(leaves, fake=True)

"""Whether the tables are those of this version."""

from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from annotation.doctor.registry import Finding, Look, check, fine, wrong
from common.migration_guard import is_of_another_version


@check(seconds=20, asks_database=True)
def pending_migrations(_look: Look) -> Finding:
    if is_of_another_version(connection):
        return wrong(
            "The database was made by another version of Précis, and has migrations that this one does not know. "
            "Run the version that made it, or restore a backup of this version's database."
        )
    executor = MigrationExecutor(connection)
    pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if pending:
        return wrong(
            f"Migrations are pending: {len(pending)}. Make a backup, see manage.py upgrade_plan for what each needs, "
            "and run manage.py migrate."
        )
    return fine("All migrations are applied.")

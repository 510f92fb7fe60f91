"""Django's `migrate`, which makes the tables of a new database at once, and on PostgreSQL never waits long for a lock.

A migration that waits for a lock behind a long query makes everyone else wait behind itself. So it gives up after some
seconds, lets the others go on, and is tried again. Migrations are transactions, so what was begun is taken back.
"""

import time
from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands.migrate import Command as Migrate
from django.db import OperationalError, connections

from maintenance.new_tables import has_no_tables, tables_make

LOCK_SECONDS = 3
PAUSE_SECONDS = 5.0
ATTEMPTS = 60
OTHER_TASKS = {"app_label", "migration_name", "fake", "fake_initial", "plan", "check_unapplied", "prune"}
LOCK_NOT_AVAILABLE = "55P03"


class Command(Migrate):
    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        if not OTHER_TASKS.intersection(key for key, value in options.items() if value) and has_no_tables(connection):
            if not options["skip_checks"]:
                self.check(databases=[connection.alias])
            tables_make(connection)
            if options["verbosity"]:
                self.stdout.write("Made the tables of a new database.")
        if connection.vendor != "postgresql":
            super().handle(*args, **options)
            return
        for attempt in range(1, ATTEMPTS + 1):
            with connection.cursor() as cursor:
                cursor.execute(f"SET lock_timeout = '{LOCK_SECONDS}s'")
            try:
                super().handle(*args, **options)
            except OperationalError as error:
                if not is_for_a_lock(error):
                    raise
                self.stderr.write(
                    f"A migration has waited {LOCK_SECONDS} seconds for a table in use, and has let others go first. "
                    f"Trying again in {PAUSE_SECONDS:.0f} seconds ({attempt} of {ATTEMPTS})."
                )
                time.sleep(PAUSE_SECONDS)
            else:
                return
            finally:
                if connection.connection is not None and not connection.needs_rollback:
                    with connection.cursor() as cursor:
                        cursor.execute("RESET lock_timeout")
        raise CommandError(
            "Others kept a table in use for too long. Stop the workers, end long queries (pg_stat_activity), and run "
            "manage.py migrate again: it continues where it stopped."
        )


def is_for_a_lock(error: OperationalError) -> bool:
    return getattr(error.__cause__, "sqlstate", None) == LOCK_NOT_AVAILABLE

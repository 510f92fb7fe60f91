"""Say which pending migrations may run while the earlier version serves, and which need a pause."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from maintenance.migration_guard import another_version_message, is_of_another_version
from maintenance.upgrade import NOTES, Step, steps_of


class Command(BaseCommand):
    help = "List the pending migrations; the exit code is 1 if one needs a pause. Changes nothing."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--steps", action="store_true", help="also list every operation")

    def handle(self, *_args: Any, **options: Any) -> None:
        if is_of_another_version(connection):
            raise CommandError(another_version_message(connection))
        steps = pending_steps()
        if not steps:
            self.stdout.write("No migrations are pending.")
            return
        needing = {step.migration for step in steps if step.reason}
        for name in dict.fromkeys(step.migration for step in steps):
            self._say(name, [step for step in steps if step.migration == name], all_steps=options["steps"])
        self.stdout.write("")
        if needing:
            self.stdout.write(
                f"{len(needing)} migrations need a pause. Stop the web server and the workers, make a backup, run "
                "manage.py migrate, and start the new version."
            )
            sys.exit(1)
        self.stdout.write("All may run while the earlier version serves: migrate first, then deploy the new version.")

    def _say(self, name: str, steps: list[Step], *, all_steps: bool) -> None:
        reasons = dict.fromkeys(step.reason for step in steps if step.reason)
        self.stdout.write(f"{'PAUSE' if reasons else 'safe':6} {name}")
        if reasons and name in NOTES:
            self.stdout.write(f"       {NOTES[name]}")
        for step in steps:
            if step.reason or all_steps:
                self.stdout.write(f"       - {step.does}{': ' if step.reason else ''}{step.reason}")


def pending_steps() -> list[Step]:
    executor = MigrationExecutor(connection)
    graph = executor.loader.graph
    plan = [migration for migration, _backwards in executor.migration_plan(graph.leaf_nodes())]
    applied = [key for key in executor.loader.applied_migrations if key in graph.nodes]
    state = executor.loader.project_state(applied) if applied else executor.loader.project_state([])
    return list(steps_of(plan, state))

"""Back up the database, all files and the settings into one file."""

import signal
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from common.errors import FilesAway
from maintenance.backups import BackupRefusal
from maintenance.backups.making import backup_make
from maintenance.backups.nightly import nightly_backup
from maintenance.backups.tables import unknown_tables


class Command(BaseCommand):
    help = "Back up the database, all files and the settings without secrets into one file, while people work."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "where", nargs="?", type=Path, help="a folder, or the new file (default: the folder PRECIS_BACKUP_DIR)"
        )
        parser.add_argument(
            "--nightly", action="store_true", help="also check the backup, note how it went, and remove old ones"
        )

    def handle(self, **options: Any) -> None:
        # Whatever ends the process ends it in order, so that nothing half written is left.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
        try:
            if options["nightly"]:
                self.nightly(options["where"])
            else:
                self.once(options["where"] or settings.BACKUP_DIR, options["verbosity"])
        except (BackupRefusal, FilesAway) as refusal:
            raise CommandError(str(refusal)) from refusal

    def once(self, where: Path | None, verbosity: int) -> None:
        if where is None:
            raise CommandError("Say where the backup goes: a folder or a new file, or set PRECIS_BACKUP_DIR.")
        made = backup_make(where, self.stdout.write if verbosity > 1 else lambda _text: None)
        self.warn_of(
            [*made.manifest.problems, *(f"{name} is not a table of Précis" for name in unknown_tables(connection))]
        )
        rows = sum(table.rows for table in made.manifest.tables.values())
        self.stdout.write(
            f"{made.path}: {made.size} bytes with {len(made.manifest.tables)} tables, {rows} rows and "
            f"{len(made.manifest.files)} files."
        )
        self.stdout.write(f"Check it: manage.py check_backup {made.path}")

    def nightly(self, where: Path | None) -> None:
        if where is not None or settings.BACKUP_DIR is None:
            raise CommandError("Nightly backups go to the folder PRECIS_BACKUP_DIR: set it, and name no other.")
        state = nightly_backup()
        if state is None:
            self.stdout.write("Another backup is already being made.")
            return
        self.warn_of([*state.problems, *([state.error] if state.error else [])])
        if not state.is_in_order:
            raise CommandError("The backup is not complete and verified.")
        self.stdout.write(f"{state.archive}: {state.size} bytes, {state.verified}.")

    def warn_of(self, problems: list[str]) -> None:
        for problem in problems:
            self.stderr.write(f"Not as it should be: {problem}")

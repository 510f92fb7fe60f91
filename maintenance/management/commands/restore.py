"""Restore a backup into an empty place."""

import contextlib
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError

from common.errors import FilesAway
from maintenance.backups import BackupRefusal
from maintenance.backups.encryption import opened
from maintenance.backups.loading import archive_restore, empty_check, room_check
from maintenance.backups.manifest import Head, Manifest, version_check
from maintenance.backups.reading import Nobody, archive_read

FROM_PIPE = Path("-")


class Command(BaseCommand):
    help = "Restore a backup into an empty database and empty folders, and compare everything."
    # A database without tables is what it is for.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("archive", type=Path, help="the file, or - for a plain archive from a pipe")
        parser.add_argument(
            "--identity", type=Path, help="file with the secret key of age (default: none, for a plain archive or gpg)"
        )
        parser.add_argument("--dry-run", action="store_true", help="read and check everything, and change nothing")

    def handle(self, **options: Any) -> None:
        archive, identity = options["archive"], options["identity"]

        @contextlib.contextmanager
        def opening() -> Iterator[BinaryIO]:
            if archive == FROM_PIPE:
                yield sys.stdin.buffer
                return
            with opened(archive, identity) as source:
                yield source

        try:
            if archive != FROM_PIPE or options["dry_run"]:
                self.read(opening)
            if options["dry_run"]:
                self.stdout.write("It can be restored here. Nothing has been changed.")
                return
            restored = archive_restore(opening, self.stdout.write)
        except (BackupRefusal, FilesAway) as refusal:
            raise CommandError(str(refusal)) from refusal
        self.warn_of(restored.manifest)
        self.stdout.write(
            f"Restored and compared: {described(restored.head, restored.manifest)}. Sessions are not in a backup: "
            "staff log in again."
        )

    def read(self, opening: Any) -> None:
        """Go through the whole archive before anything is changed."""
        empty_check()
        with opening() as source:
            head, manifest = archive_read(source, Nobody())
        version_check(head.product, head.migrations)
        room_check(manifest)
        self.stdout.write(f"In order: {described(head, manifest)}.")

    def warn_of(self, manifest: Manifest) -> None:
        for problem in manifest.problems:
            self.stderr.write(f"Not as it should be, already when the backup was made: {problem}")


def described(head: Head, manifest: Manifest) -> str:
    rows = sum(table.rows for table in manifest.tables.values())
    return (
        f"the backup of {head.created_at:%Y-%m-%d %H:%M} UTC by Précis {head.product} on {head.database}, with "
        f"{len(manifest.tables)} tables, {rows} rows and {len(manifest.files)} files"
    )

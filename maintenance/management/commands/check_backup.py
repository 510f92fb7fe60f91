"""Check a backup by restoring it beside the installation."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.errors import FilesAway
from maintenance.backups import BackupRefusal
from maintenance.backups.checking import archive_check


class Command(BaseCommand):
    help = "Restore a backup into a temporary database and folder, compare everything, and remove them again."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("archive", type=Path, help="the file of the backup")
        parser.add_argument(
            "--identity", type=Path, help="file with the secret key of age (default: none, for a plain archive or gpg)"
        )

    def handle(self, **options: Any) -> None:
        try:
            self.stdout.write(archive_check(options["archive"], options["identity"]))
        except (BackupRefusal, FilesAway) as refusal:
            raise CommandError(str(refusal)) from refusal

"""Write a campaign's settings to a file."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from crowd.commands import campaign_named
from dashboard.campaign_files.writing import campaign_file


class Command(BaseCommand):
    help = "Write all settings, questions, links and the quality rule of a campaign to a YAML file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument("--output", type=Path, help="the file to write (default: print it)")

    def handle(self, *_args: Any, **options: Any) -> None:
        content = campaign_file(campaign_named(options["campaign"]))
        if options["output"] is None:
            self._print(content)
            return
        try:
            options["output"].write_bytes(content)
        except OSError as error:
            raise CommandError(f"{options['output']} cannot be written: {error.strerror}.") from error
        self.stdout.write(f"{options['output']} has been written.")

    def _print(self, content: bytes) -> None:
        """Print the bytes as they are, whatever the encoding of the terminal."""
        if self.stdout._out is sys.stdout and hasattr(sys.stdout, "buffer"):
            sys.stdout.buffer.write(content)
        else:
            self.stdout.write(content.decode(), ending="")

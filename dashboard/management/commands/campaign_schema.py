"""Write the JSON Schema of files of campaigns."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from dashboard.campaign_files.fields import schema_text


class Command(BaseCommand):
    help = "Print the JSON Schema of the files that export_campaign writes and create_campaign reads."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--output", type=Path, help="the file to write (default: print it)")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["output"]:
            options["output"].write_text(schema_text(), encoding="utf-8")
        else:
            self.stdout.write(schema_text(), ending="")

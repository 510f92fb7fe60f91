"""Import the outputs of automatic systems for a campaign's sources."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from common.commands import file_content, progress_bar, why_nothing_added
from common.errors import Refused
from corpus.services.outputs import outputs_import
from crowd.commands import campaign_named, only_campaign


class Command(BaseCommand):
    help = (
        "Import outputs of systems, one per source and system, from JSONL, CSV or TSV with id and text, or from "
        "RawData. Without a system, the file has a column system and may have the outputs of several."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("system", nargs="?", help="name of the system (default: the column system of the file)")
        parser.add_argument("file", type=Path, help="file of outputs")
        parser.add_argument("--campaign", help="the campaign's short name (default: the only campaign)")

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        # Otherwise a system before an option takes the place of the file, and the file after it is refused.
        parser.parse_args = parser.parse_intermixed_args  # type: ignore[method-assign]
        return parser

    def handle(self, *_args: Any, **options: Any) -> None:
        file = options["file"]
        campaign = campaign_named(options["campaign"]) if options["campaign"] else only_campaign()
        content = file_content(file)
        try:
            with progress_bar("lines") as progress:
                report = outputs_import(
                    campaign=campaign,
                    system=options["system"],
                    file_name=file.name,
                    content=content,
                    progress=progress,
                )
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        for line, reason in report.problems:
            self.stderr.write(f"{file.name}, line {line}: refused: {reason}")
        if report.refused > len(report.problems):
            self.stderr.write(f"{file.name}: and {report.refused - len(report.problems)} more lines refused")
        self.stdout.write(report.outcome)
        counts = {"added": report.added, "known": report.unchanged, "refused": report.refused}
        if reason := why_nothing_added(file.name, **counts):
            self.stderr.write(reason)

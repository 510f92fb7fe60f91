"""Import a file of source texts into a campaign."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.commands import file_content, progress_bar, why_nothing_added
from common.errors import Refused
from compressions.services.imports import source_import
from crowd.commands import campaign_named


class Command(BaseCommand):
    help = "Import source texts from a JSONL, CSV or TSV file with id, text and optionally genre, paragraph, sentences."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument("file", type=Path, help="JSONL, CSV or TSV file, one text per line")
        parser.add_argument("--strict", action="store_true", help="refuse the whole file if a row cannot be used")

    def handle(self, *_args: Any, **options: Any) -> None:
        campaign, file = campaign_named(options["campaign"]), options["file"]
        content = file_content(file)
        try:
            with progress_bar("texts") as progress:
                report = source_import(
                    campaign=campaign,
                    file_name=file.name,
                    content=content,
                    strict=options["strict"],
                    progress=progress,
                )
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        for line, reason in report.problems:
            self.stderr.write(f"{file.name}, line {line}: refused: {reason}")
        for line, change in report.warnings:
            self.stderr.write(f"{file.name}, line {line}: {change}")
        if report.refused > len(report.problems):
            self.stderr.write(f"{file.name}: and {report.refused - len(report.problems)} more rows refused")
        self.stdout.write(report.outcome)
        counts = {"added": report.added, "known": report.unchanged, "refused": report.refused}
        if reason := why_nothing_added(file.name, **counts):
            self.stderr.write(reason)

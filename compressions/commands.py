"""What the management commands that import a file have in common."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.commands import file_content, progress_bar, why_nothing_added
from common.errors import Refused
from common.jobs import Progress
from compressions.models import FileImport
from compressions.other_tools import TOOLS, ToolTable, left_out_words, pairs, tool_table
from compressions.readers import with_columns
from crowd.commands import campaign_named, only_campaign
from crowd.models import Campaign


class ImportCommand(BaseCommand):
    """Import a file into a campaign, and say what becomes of its lines."""

    unit = lines = "lines"
    file_help: str

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help=self.file_help)
        parser.add_argument("--campaign", help="the campaign's short name (default: the only campaign)")
        self.add_column_arguments(parser)

    @staticmethod
    def add_column_arguments(parser: ArgumentParser) -> None:
        parser.add_argument(
            "--column",
            action="append",
            default=[],
            metavar="NAME=COLUMN",
            help="take a column of a CSV or TSV file for one that is wanted, such as text=mt (default: as they are)",
        )
        parser.add_argument(
            "--fill",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="add a column with one value in all lines of a CSV or TSV file, such as rater=anna (default: none)",
        )
        parser.add_argument(
            "--from",
            dest="tool",
            choices=sorted(TOOLS),
            help="the file is an export of this tool, read as a table with the columns of its items, a column for each "
            "question, and item and person (default: it is a table)",
        )

    def file_import(
        self, campaign: Campaign, file_name: str, content: bytes, progress: Progress, options: dict[str, Any]
    ) -> FileImport:
        raise NotImplementedError

    def table(
        self, file_name: str, content: bytes, columns: dict[str, str], values: dict[str, str], _options: dict[str, Any]
    ) -> bytes:
        """Return a file with the columns that are wanted."""
        return with_columns(file_name, content, columns=columns, values=values)

    def handle(self, *_args: Any, **options: Any) -> None:
        file = options["file"]
        campaign = campaign_named(options["campaign"]) if options["campaign"] else only_campaign()
        content = file_content(file)
        try:
            columns, values = (pairs(options.get(name, [])) for name in ("column", "fill"))
            name = file.name
            if options.get("tool"):
                table = tool_table(options["tool"], name, content, with_items=self.unit == "texts")
                name, content = f"{name}.csv", table.as_csv()
                say_left_out(self, table)
            content = self.table(name, content, columns, values, options)
            with progress_bar(self.unit) as progress:
                report = self.file_import(campaign, name, content, progress, options)
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        for line, reason in report.problems:
            self.stderr.write(f"{file.name}, line {line}: refused: {reason}")
        for line, change in report.warnings:
            self.stderr.write(f"{file.name}, line {line}: {change}" if line else f"{file.name}: {change}")
        if report.refused > len(report.problems):
            self.stderr.write(f"{file.name}: and {report.refused - len(report.problems)} more {self.lines} refused")
        self.stdout.write(report.outcome)
        counts = {"added": report.added, "known": report.unchanged, "refused": report.refused}
        if reason := why_nothing_added(file.name, **counts):
            self.stderr.write(reason)


def say_left_out(command: BaseCommand, table: ToolTable) -> None:
    for reason, times in table.left_out.items():
        command.stderr.write(left_out_words(reason, times))

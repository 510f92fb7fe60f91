"""Import a file of source texts into a campaign."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from common.jobs import Progress
from compressions.commands import ImportCommand
from compressions.models import SourceImport
from compressions.services.imports import source_import
from crowd.models import Campaign


class Command(ImportCommand):
    help = (
        "Import source texts from a JSONL, CSV or TSV file with id, text and optionally genre, paragraph, sentences, "
        "nuggets."
    )
    unit, lines = "texts", "rows"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument("file", type=Path, help="JSONL, CSV or TSV file, one text per line")
        self.add_column_arguments(parser)
        parser.add_argument("--strict", action="store_true", help="refuse the whole file if a row cannot be used")

    def file_import(
        self, campaign: Campaign, file_name: str, content: bytes, progress: Progress, options: dict[str, Any]
    ) -> SourceImport:
        return source_import(
            campaign=campaign, file_name=file_name, content=content, strict=options["strict"], progress=progress
        )

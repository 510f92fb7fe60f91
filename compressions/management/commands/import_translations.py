"""Import translations of a campaign's texts."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.commands import file_content, progress_bar, why_nothing_added
from common.errors import Refused
from compressions.services.translations import translations_import
from crowd.commands import campaign_named, only_campaign


class Command(BaseCommand):
    help = (
        "Import translations of sources, compressions and outputs from JSONL, CSV or TSV with id, kind (source, "
        "reference or output), text or system, language, made_by and translated."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="file of translations")
        parser.add_argument("--campaign", help="the campaign's short name (default: the only campaign)")

    def handle(self, *_args: Any, **options: Any) -> None:
        file = options["file"]
        campaign = campaign_named(options["campaign"]) if options["campaign"] else only_campaign()
        content = file_content(file)
        try:
            with progress_bar("translations") as progress:
                report = translations_import(campaign=campaign, file_name=file.name, content=content, progress=progress)
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

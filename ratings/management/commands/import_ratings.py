"""Import ratings by models, or by people who rated elsewhere."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.commands import file_content, progress_bar, why_nothing_added
from common.errors import Refused
from crowd.commands import campaign_named, only_campaign
from ratings.models import ImportPool
from ratings.services.rating_imports import file_ratings_import


class Command(BaseCommand):
    help = (
        "Import ratings from JSONL, CSV or TSV: id of the source, text or system, rater, and a column for each scale. "
        "Ratings by models never count among people's."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="file of ratings")
        parser.add_argument(
            "--pool",
            choices=ImportPool.values,
            default=ImportPool.MODEL.value,
            help="who gave the ratings: models, or people of the crowd, or experts (default: model)",
        )
        parser.add_argument("--campaign", help="the campaign's short name (default: the only campaign)")

    def handle(self, *_args: Any, **options: Any) -> None:
        file = options["file"]
        campaign = campaign_named(options["campaign"]) if options["campaign"] else only_campaign()
        content = file_content(file)
        try:
            with progress_bar("lines") as progress:
                report = file_ratings_import(
                    campaign=campaign,
                    pool=ImportPool(options["pool"]),
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

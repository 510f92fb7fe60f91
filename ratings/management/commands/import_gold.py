"""Import gold questions from a file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.commands import file_content, why_nothing_added
from common.errors import Refused
from crowd.commands import campaign_named
from ratings.example_files import Kind, examples_read
from ratings.services.gold import gold_add


class Command(BaseCommand):
    help = "Add the gold questions of a JSONL, CSV or TSV file to the work of a campaign's raters."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument("file", type=Path, help="JSONL, CSV or TSV file, one question per line")

    def handle(self, *_args: Any, **options: Any) -> None:
        campaign, file = campaign_named(options["campaign"]), options["file"]
        try:
            examples = examples_read(file.name, file_content(file), campaign, Kind.GOLD)
            added = gold_add(campaign=campaign, examples=examples)
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        known = len(examples) - added
        self.stdout.write(f"{added} gold questions added to {campaign.name}, {known} known before.")
        if reason := why_nothing_added(file.name, added=added, known=known, refused=0):
            self.stderr.write(reason)

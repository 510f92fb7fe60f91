"""Import the qualification test of a campaign's raters."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.commands import file_content
from common.errors import Refused
from crowd.commands import campaign_named
from ratings.example_files import Kind, examples_read
from ratings.selectors.qualification import live_items
from ratings.services.qualification import qualification_items_add, qualification_items_replace


class Command(BaseCommand):
    help = "Replace a campaign's qualification test with the questions of a JSONL, CSV or TSV file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument("file", type=Path, help="JSONL, CSV or TSV file, one question per line")
        parser.add_argument("--add", action="store_true", help="add the questions to the test instead of replacing it")

    def handle(self, *_args: Any, **options: Any) -> None:
        campaign, file = campaign_named(options["campaign"]), options["file"]
        store = qualification_items_add if options["add"] else qualification_items_replace
        try:
            store(campaign=campaign, examples=examples_read(file.name, file_content(file), campaign, Kind.TEST))
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"The test of {campaign.name} has {live_items(campaign).count()} questions.")

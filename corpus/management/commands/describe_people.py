"""Say who took part in a campaign, by a platform's own export, in words for the data statement of a release."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.commands import file_content
from common.errors import Refused
from corpus.demographics import people_described
from crowd.commands import campaign_named


class Command(BaseCommand):
    help = (
        "Count a campaign's participants by what a platform says of them, such as Prolific's demographic export, in "
        "groups of five or more, and print a sentence for the question who the participants are. Nothing is kept."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument("file", type=Path, help="CSV file with a line for each person")
        parser.add_argument(
            "--id", default="Participant id", help="the column with the platform's id (default: Participant id)"
        )
        parser.add_argument(
            "--column",
            action="append",
            required=True,
            help="a column to count, such as Sex or Age, which is counted in tens; may be repeated (no default)",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        file = options["file"]
        try:
            described = people_described(
                campaign_named(options["campaign"]),
                file.name,
                file_content(file),
                id_column=options["id"],
                columns=options["column"],
            )
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(str(described))

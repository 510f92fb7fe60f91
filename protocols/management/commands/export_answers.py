"""Write the answers to a campaign's judgement task in the format of another program."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.errors import Refused
from crowd.commands import campaign_named
from protocols.exports import answers_export, export_keys


class Command(BaseCommand):
    help = (
        "Write what people answered to a campaign's judgement task, as a table or in the format of another program. "
        "What the format has no place for is reported on standard error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name")
        words = "(default: the first of the task, a CSV table)"
        parser.add_argument("--format", choices=export_keys(), default="", help=words)

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            _form, found = answers_export(campaign_named(options["campaign"]), options["format"])
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        for line in found.lines:
            self.stdout.write(line, ending="")
        for sentence in found.lost:
            self.stderr.write(sentence)

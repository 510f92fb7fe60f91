"""Make the pieces of work of a judgement task whose lines of material are not work themselves."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.errors import Refused
from crowd.commands import campaign_named
from protocols.task import study_task


class Command(BaseCommand):
    help = (
        "Make the pieces of work of a quiz study from its texts, questions and summaries. Once they are made, give "
        "markers the short answers that they do not have yet. Where the settings of the task name a campaign whose "
        "editors make one sentence of two, take in what they wrote."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument("--fill-in", action="store_true", help="make programs' summaries that are missing, by MMR")

    def handle(self, *_args: Any, **options: Any) -> None:
        campaign = campaign_named(options["campaign"])
        try:
            self.stdout.write(study_task(campaign.rating_task).pieces_make(campaign, fill_in=options["fill_in"]))
        except Refused as refusal:
            raise CommandError("\n".join(getattr(refusal, "faults", [str(refusal)]))) from refusal

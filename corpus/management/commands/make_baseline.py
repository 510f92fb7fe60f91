"""Make the outputs of a baseline system for a campaign's paragraphs."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.commands import progress_bar
from common.errors import Refused
from corpus.services.outputs import LSA, lsa_outputs_make
from crowd.commands import campaign_named, only_campaign


class Command(BaseCommand):
    help = (
        "Add the baseline that keeps the best sentence of each paragraph, by latent semantic analysis, as the system "
        f"{LSA}."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("baseline", choices=["lsa"], help="the baseline")
        parser.add_argument("--campaign", help="the campaign's short name (default: the only campaign)")

    def handle(self, *_args: Any, **options: Any) -> None:
        campaign = campaign_named(options["campaign"]) if options["campaign"] else only_campaign()
        try:
            with progress_bar("outputs") as progress:
                made = lsa_outputs_make(campaign=campaign, progress=progress)
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        if made.report is not None:
            for _line, reason in made.report.problems:
                self.stderr.write(f"{LSA}: refused: {reason}")
            self.stdout.write(made.report.outcome)
        if not made.paragraphs:
            self.stderr.write("Nothing was added: the campaign has no texts of two sentences.")
        elif made.without:
            self.stderr.write(
                f"{made.without} of {made.paragraphs} paragraphs have no sentence that is short enough for the "
                f"campaign's limit of {campaign.keep_percent}%."
            )

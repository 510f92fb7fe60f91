"""Draw paragraphs to be compressed sentence by sentence as well."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from compressions.selectors.paragraphs import why_none_is_suitable
from compressions.services.paragraphs import paragraphs_divide
from crowd.commands import campaign_named


class Command(BaseCommand):
    help = "Draw paragraphs of two sentences whose sentences are also compressed on their own, by other editors."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument("count", type=int, help="how many paragraphs")
        parser.add_argument("--seed", type=int, default=1, help="seed of the draw (default: 1)")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["count"] < 1:
            raise CommandError("count must be at least 1")
        campaign = campaign_named(options["campaign"])
        division = paragraphs_divide(campaign=campaign, count=options["count"], seed=options["seed"])
        self.stdout.write(f"{division.divided} of {division.suitable} suitable paragraphs divided.")
        if not division.divided:
            for sentence in why_none_is_suitable(campaign):
                self.stderr.write(sentence)

"""Apply the quality rule to a campaign."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from crowd.commands import campaign_named
from measures.quality import Order, RuleParameters
from ratings.jobs import describe
from ratings.services.quality import quality_apply

ORDERS = {"raters": Order.RATERS_FIRST, "editors": Order.EDITORS_FIRST}


class Command(BaseCommand):
    help = "Judge editors and raters, and decide whom releases leave out. Nothing is deleted."

    def add_arguments(self, parser: ArgumentParser) -> None:
        defaults = RuleParameters()
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument("--share", type=float, default=defaults.share, help="share of workers left out")
        parser.add_argument(
            "--min-items", type=int, default=defaults.min_items, help="who has fewer items is not judged"
        )
        parser.add_argument("--first", choices=sorted(ORDERS), default="raters", help="who is judged first")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            parameters = RuleParameters(options["share"], options["min_items"], ORDERS[options["first"]])
        except ValueError as error:
            raise CommandError(str(error)) from error
        run = quality_apply(campaign=campaign_named(options["campaign"]), parameters=parameters)
        self.stdout.write(describe(run))

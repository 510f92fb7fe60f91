"""Draw texts for experts to rate."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.errors import Refused
from compressions.genres import genre_label
from crowd.commands import campaign_named
from ratings.services.experts import expert_sample_draw

# Upper limits that fit the columns of the tables.
MAX_NUMBER = {"size": 1_000_000, "experts": 100, "seed": 2**31 - 1}


class Command(BaseCommand):
    help = "Draw texts rated by the crowd, stratified by genre and crowd score, for experts to rate."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument("size", type=int, help="number of texts")
        parser.add_argument("--experts", type=int, default=2, help="number of experts per text (default: 2)")
        parser.add_argument("--seed", type=int, default=2016, help="seed of the draw (default: 2016)")

    def handle(self, *_args: Any, **options: Any) -> None:
        for name, most in MAX_NUMBER.items():
            if options[name] > most:
                raise CommandError(f"{name if name == 'size' else f'--{name}'} must be at most {most:,}")
        if options["seed"] < 0:
            raise CommandError("--seed must not be negative")
        try:
            sample = expert_sample_draw(
                campaign=campaign_named(options["campaign"]),
                size=options["size"],
                seed=options["seed"],
                experts=options["experts"],
            )
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        if sample.size < options["size"]:
            self.stderr.write(f"There are no more than {sample.size} texts with ratings that experts do not have yet.")
        for genre, band, available, drawn in sample.strata:
            self.stdout.write(f"{genre_label(genre)}, {band} score: {drawn} of {available}")
        self.stdout.write(f"{sample.size} texts for {sample.experts} experts each.")

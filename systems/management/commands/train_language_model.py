"""Train a language model on the texts of a campaign and on files."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.errors import Refused
from crowd.commands import campaign_named, only_campaign
from systems.programs.lm.arpa import arpa_lines
from systems.programs.lm.trigrams import perplexity
from systems.services.resources import language_model_train, words_of_file


class Command(BaseCommand):
    help = "Train a language model of trigrams (modified Kneser-Ney) and write it as an ARPA file, for run_system."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="where to write it")
        parser.add_argument("--campaign", help="the campaign's short name (default: the only campaign)")
        parser.add_argument(
            "--text",
            action="append",
            default=[],
            metavar="FILE",
            help="train on the lines of this file, too, a sentence each; may be repeated (default: none)",
        )
        parser.add_argument(
            "--measure", metavar="FILE", help="say how much the lines of this file surprise the model (default: none)"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        campaign = campaign_named(options["campaign"]) if options["campaign"] else only_campaign()
        try:
            held_out = words_of_file(options["measure"], campaign.language) if options["measure"] else None
            model = language_model_train(campaign=campaign, texts=options["text"])
            with options["file"].open("w", encoding="utf-8") as stream:
                stream.writelines(f"{line}\n" for line in arpa_lines(model))
        except (Refused, OSError) as fault:
            raise CommandError(str(fault)) from fault
        self.stdout.write(f"{len(model.vocabulary):,} words, {len(model.trigrams.keys):,} trigrams.")
        if any(model.used_fallback):
            self.stdout.write("The text is too small to tell how much to discount; the usual discounts stand in.")
        if held_out is not None:
            found = perplexity(model, held_out)
            self.stdout.write(f"Perplexity {found.value:,.1f}, {100 * found.unknown:.1f}% of the words unknown.")

"""Run a system on the texts of a campaign."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.commands import progress_bar
from common.errors import Refused
from crowd.commands import campaign_named, only_campaign
from systems.programs.registry import SYSTEMS
from systems.programs.texts import Status
from systems.services import Given, system_run


class Command(BaseCommand):
    help = "Compress the texts of a campaign by a system, and add its outputs. " + "; ".join(
        f"{name}: {system.title}" for name, system in SYSTEMS.items()
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("system", choices=list(SYSTEMS), help="the system")
        parser.add_argument("--campaign", help="the campaign's short name (default: the only campaign)")
        parser.add_argument("--name", help="what its outputs are called (default: the system's name)")
        parser.add_argument("--seed", type=int, default=2016, help="seed of what is drawn (default: 2016)")

        parser.add_argument(
            "--parser",
            default="",
            help="drop, lm, ilp: a spaCy pipeline with Universal Dependencies (default: that of PRECIS_SPACY_MODEL)",
        )
        model = parser.add_mutually_exclusive_group()
        model.add_argument(
            "--language-model",
            default="",
            metavar="FILE",
            help="lm, ilp: trigrams, as ARPA (default: trained on the texts)",
        )
        model.add_argument(
            "--text",
            action="append",
            default=[],
            metavar="FILE",
            help="lm, ilp: train the language model on the lines of this file, too; may be repeated (default: none)",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        campaign = campaign_named(options["campaign"]) if options["campaign"] else only_campaign()
        name = options["name"] or options["system"]
        try:
            with progress_bar("outputs") as progress:
                run = system_run(
                    campaign=campaign,
                    name=options["system"],
                    system_name=name,
                    seed=options["seed"],
                    given=Given(options["parser"], options["language_model"], options["text"]),
                    progress=progress,
                )
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        if run.report is not None:
            for _line, reason in run.report.problems:
                self.stderr.write(f"{name}: refused: {reason}")
            self.stdout.write(run.report.outcome)
        if relaxed := run.statuses[Status.RELAXED]:
            words = "break a rule of the system" if SYSTEMS[options["system"]].is_parsing else "are shorter than wanted"
            self.stdout.write(f"{relaxed} outputs {words}, since nothing else was found.")
        if unproved := run.statuses[Status.UNPROVED]:
            self.stdout.write(f"{unproved} outputs may not be the best ones: the search was cut short.")
        if run.without:
            self.stderr.write(
                f"{run.without} texts have no output: nothing that {options['system']} would keep is short enough "
                f"for the campaign's limit of {campaign.keep_percent}%."
            )

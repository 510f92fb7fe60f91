"""Run a system on the texts of a campaign."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.commands import progress_bar
from common.errors import Refused
from crowd.commands import campaign_named, only_campaign
from systems.programs.registry import SYSTEMS
from systems.programs.texts import Status
from systems.services import system_run


class Command(BaseCommand):
    help = "Compress the texts of a campaign by a system, and add its outputs. " + "; ".join(
        f"{name}: {system.title}" for name, system in SYSTEMS.items()
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("system", choices=list(SYSTEMS), help="the system")
        parser.add_argument("--campaign", help="the campaign's short name (default: the only campaign)")
        parser.add_argument("--name", help="what its outputs are called (default: the system's name)")
        parser.add_argument("--seed", type=int, default=2016, help="seed of what is drawn (default: 2016)")

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
                    progress=progress,
                )
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        if run.report is not None:
            for _line, reason in run.report.problems:
                self.stderr.write(f"{name}: refused: {reason}")
            self.stdout.write(run.report.outcome)
        if shorter := run.statuses[Status.RELAXED]:
            self.stdout.write(f"{shorter} outputs are shorter than systems should make them: sentences are never cut.")
        if run.without:
            self.stderr.write(
                f"{run.without} texts have no output: nothing that {options['system']} would keep is short enough "
                f"for the campaign's limit of {campaign.keep_percent}%."
            )

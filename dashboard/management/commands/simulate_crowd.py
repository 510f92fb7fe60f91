"""Simulate a crowd working in a campaign."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.commands import progress_bar
from common.errors import Refused
from crowd.commands import campaign_named
from crowd.models import Campaign
from dashboard.simulation.crowd import crowd_simulate, simulated_people
from dashboard.simulation.writers import WRITER_KINDS


class Command(BaseCommand):
    help = "Simulate test participants working in a campaign, through the same services as the pages."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument("--editors", type=int, default=40, help="how many editors (default: 40)")
        parser.add_argument("--raters", type=int, default=25, help="how many raters (default: 25)")
        parser.add_argument("--seed", type=int, default=7, help="other numbers make other participants (default: 7)")
        parser.add_argument(
            "--writer",
            action="append",
            default=[],
            choices=WRITER_KINDS,
            metavar="KIND",
            help="how editors write, such as “dictates” or “retyped”; may be repeated, and then they take turns "
            f"(default: careful editors). The kinds: {', '.join(WRITER_KINDS)}",
        )
        parser.add_argument(
            "--for-release",
            action="store_true",
            help="not as test participants, whose work no release holds, but as in the demonstration",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        campaign = campaign_named(options["campaign"])
        for name in ("editors", "raters", "seed"):
            if options[name] < 0:
                raise CommandError(f"--{name} must not be negative")
        if not options["for_release"] and simulated_people(campaign, options["seed"]).filter(is_test=False).exists():
            raise CommandError(
                f"The simulated participants of seed {options['seed']} work in {campaign.slug} already, as others than "
                "test participants. Choose another --seed, or --for-release to let them go on."
            )
        try:
            with progress_bar("people") as progress:
                report = crowd_simulate(
                    campaign=campaign,
                    editors=options["editors"],
                    raters=options["raters"],
                    seed=options["seed"],
                    writers=[WRITER_KINDS[name] for name in options["writer"]],
                    progress=progress,
                    as_tests=not options["for_release"],
                )
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        given = "answers" if campaign.task.has_material else "ratings"
        self.stdout.write(
            f"{report.compressions} compressions and {report.ratings} {given}; "
            f"{report.failed_qualification} raters failed the qualification."
        )
        if not report.compressions + report.ratings:
            self.stderr.write(_why_nothing(campaign, options))


def _why_nothing(campaign: Campaign, options: dict[str, Any]) -> str:
    if not options["editors"] + options["raters"]:
        return "Nothing was done: --editors and --raters are 0."
    if campaign.task.has_material and not campaign.items.exists():
        return f"Nothing was done: {campaign.slug} has no work. Import material first (manage.py import_material)."
    if not campaign.task.has_material and not campaign.sources.exists():
        return f"Nothing was done: {campaign.slug} has no texts. Import some with manage.py import_sources."
    return (
        f"Nothing was done: {campaign.slug} has no text left for these participants. Every text has the compressions "
        "and ratings that it wants, or they have worked here before: another --seed makes others."
    )

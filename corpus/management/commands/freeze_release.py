"""Freeze the next release of a campaign."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus.jobs import describe
from corpus.services.release import DEFAULT_SEED, release_build, release_create
from crowd.commands import campaign_named, progress_bar
from crowd.errors import Refused


class Command(BaseCommand):
    help = "Freeze the next release of a campaign: pin its decisions, draw the splits, write the files."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument("--seed", type=int, default=DEFAULT_SEED, help="seed of the splits")

    def handle(self, *_args: Any, **options: Any) -> None:
        if not 0 <= options["seed"] < 2**31:
            raise CommandError("--seed must lie between 0 and 2147483647")
        try:
            release = release_create(campaign=campaign_named(options["campaign"]), seed=options["seed"])
            with progress_bar("files") as progress:
                release_build(release=release, progress=progress)
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"{describe(release)}\n{release.folder}\nSHA-256 of its manifest: {release.checksum}")

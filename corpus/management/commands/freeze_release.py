"""Freeze the next release of a campaign."""

import json
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.commands import progress_bar
from common.errors import Refused
from common.stores import store
from corpus.jobs import describe
from corpus.models import Release
from corpus.release.data_statement import QUESTIONS
from corpus.release.options import DEFAULT_SEED, DEFAULT_SHARES, ReleaseOptions
from corpus.services.building import release_build
from corpus.services.release import release_create
from crowd.commands import campaign_named

MOST_BYTES = 1_000_000  # of a file with what is said of the corpus


class Command(BaseCommand):
    help = "Freeze the next release of a campaign: pin the quality decisions, draw the splits, write the files."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument(
            "--seed", type=int, default=DEFAULT_SEED, help=f"seed of the splits (default: {DEFAULT_SEED})"
        )
        splits = parser.add_mutually_exclusive_group()
        splits.add_argument(
            "--shares", type=_split_parser(float), help=f"proportions (default: {_words(DEFAULT_SHARES)})"
        )
        splits.add_argument(
            "--sizes",
            type=_split_parser(int),
            help="numbers of sources, such as valid=448,test=785; the rest is train (default: by --shares)",
        )
        parser.add_argument(
            "--min-ratings",
            type=int,
            default=1,
            help="minimum ratings per compression (default: 1); 0 also keeps compressions without any, as references",
        )
        parser.add_argument(
            "--min-compressions",
            type=int,
            default=1,
            help="minimum compressions per source (default: 1); 0 also keeps sources that have none, but a rated "
            "output of a system",
        )
        parser.add_argument(
            "--exact-times",
            action="store_true",
            help="publish edits with their times to the millisecond, by which a typist can be recognised, and when the "
            "page was left (default: times are rounded to a tenth of a second)",
        )
        parser.add_argument(
            "--statement",
            type=_statement,
            metavar="FILE",
            help=f"JSON with what you say of the corpus: {', '.join(each.key for each in QUESTIONS)} (default: "
            "what was said of the last release)",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        if not 0 <= options["seed"] < 2**31:
            raise CommandError("--seed must lie between 0 and 2147483647")
        try:
            release_options = ReleaseOptions(
                seed=options["seed"],
                shares=options["shares"] or dict(DEFAULT_SHARES),
                sizes=options["sizes"],
                min_ratings=options["min_ratings"],
                min_compressions=options["min_compressions"],
                exact_times=options["exact_times"],
            )
            release = release_create(
                campaign=campaign_named(options["campaign"]), options=release_options, statement=options["statement"]
            )
            with progress_bar("sources") as progress:
                release_build(release=release, progress=progress)
        except (Refused, ValueError) as refusal:
            raise CommandError(str(refusal)) from refusal
        if options["shares"] or options["sizes"] or options["seed"] != DEFAULT_SEED:
            self._say_if_splits_were_given(release)
        place = store("releases").place(release.folder)
        self.stdout.write(f"{describe(release)}\n{place}\nSHA-256 of its manifest: {release.checksum}")

    def _say_if_splits_were_given(self, release: Release) -> None:
        """Sources of an imported release keep its splits, whatever is asked for."""
        given = release.campaign.sources.exclude(split="").count()
        if given:
            self.stderr.write(
                f"{given} of {release.campaign.sources.count()} sources keep the splits that the imported files have "
                "them in: seed, shares and sizes have no effect on these."
            )


def _statement(name: str) -> dict[str, Any]:
    try:
        with Path(name).open("rb") as stream:
            found = json.loads(stream.read(MOST_BYTES))
    except (OSError, ValueError, RecursionError) as error:
        raise ArgumentTypeError(f"{name}: {error}") from error
    if not isinstance(found, dict):
        raise ArgumentTypeError(f"{name} is not one JSON object")
    return found


def _words(shares: Mapping[str, float]) -> str:
    return ",".join(f"{name}={share:g}" for name, share in shares.items())


def _split_parser(kind: Callable[[str], float]) -> Callable[[str], dict[str, float]]:
    def parse(text: str) -> dict[str, float]:
        try:
            named = [(name.strip(), kind(value)) for name, value in (part.split("=") for part in text.split(","))]
        except ValueError as error:
            raise ArgumentTypeError(f"{text!r} is not of the form valid=448,test=785") from error
        if len(dict(named)) < len(named):
            raise ArgumentTypeError(f"{text!r} names a split twice")
        return dict(named)

    return parse

"""Print all systems of a release in one table."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.console import CSV, TABLE, Section, add_format, csv_or_json, form_of, print_sections
from corpus.commands import release_named
from corpus.models import Release
from evaluation.systems_compared import systems_compared


class Command(BaseCommand):
    help = (
        "Print all systems of a release beside people: ratings, metrics, how much they keep, what they did to the "
        "words, how their outputs came about."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", help="the release's name, as in demo-v1")
        add_format(parser, CSV)

    def handle(self, *_args: Any, **options: Any) -> None:
        release = release_named(options["release"])
        if release.state != Release.State.READY:
            raise CommandError(f"{release.name} is not ready.")
        try:
            rows = [line.row() for line in systems_compared(release).lines]
        except FileNotFoundError as error:
            raise CommandError(f"The files of {release.name} are lost.") from error
        columns = list(dict.fromkeys(name for row in rows for name in row))
        form = form_of(self, options, CSV)
        if form == TABLE:
            cells = [[row.get(name) for name in columns] for row in rows]
            print_sections(self, [Section(f"Systems in {release.name}", columns, cells)], options)
        else:
            self.stdout.write(csv_or_json(form, columns, rows, release=release.name), ending="")

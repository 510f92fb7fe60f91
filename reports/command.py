"""What all commands share that compute a report on a release and print it."""

from abc import ABC, abstractmethod
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from django.core.management.base import BaseCommand, CommandError

from common.console import CSV, TABLE, Section, add_format, form_of, print_sections
from common.errors import Refused
from corpus.commands import release_named
from corpus.models import Release

Report = TypeVar("Report")


class ReportCommand(BaseCommand, ABC, Generic[Report]):
    """A kind of report adds its parameters, how it is computed, and what it is written as.

    `tables` are the sections that a terminal shows, by the names of the command's options, and `first` those that it
    shows unless it is told otherwise.
    """

    formats: ClassVar[Sequence[str]] = ("csv", "json", "latex")
    tables: ClassVar[Mapping[str, Callable[[Any], Section]]]
    first: ClassVar[Sequence[str]]

    @abstractmethod
    def add_parameters(self, parser: ArgumentParser) -> None:
        """Add an option for each parameter."""

    @abstractmethod
    def compute(self, release: Release, options: Mapping[str, Any]) -> Report:
        """Return the report, computed; raise ValueError or Refused if it cannot be."""

    @abstractmethod
    def file(self, form: str, report: Report) -> Iterable[str]:
        """Return a file of the report, piece by piece."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", help="the release's name, as in demo-v1")
        self.add_parameters(parser)
        add_format(parser, CSV, *self.formats)
        shown = parser.add_mutually_exclusive_group()
        shown.add_argument("--all", action="store_true", help="show the tables of all sections")
        shown.add_argument(
            "--section",
            action="append",
            choices=list(self.tables),
            help=f"show the table of this section; may be repeated (default: {', '.join(self.first)})",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        release = release_named(options["release"])
        try:
            report = self.compute(release, options)
        except (ValueError, Refused) as error:
            raise CommandError(str(error)) from error
        form = form_of(self, options, CSV)
        if form == TABLE:
            self._print_tables(report, options)
        else:
            for piece in self.file(form, report):
                self.stdout.write(piece, ending="")

    def _print_tables(self, report: Report, options: Mapping[str, Any]) -> None:
        names = list(self.tables) if options["all"] else options["section"] or self.first
        left = [name for name in self.tables if name not in names]
        more = f"More: --all, or --section {', '.join(left)}. " if left else ""
        end = f"{more}Everything, with all digits: --format csv or --format json."
        print_sections(self, [self.tables[name](report) for name in names], options, end)

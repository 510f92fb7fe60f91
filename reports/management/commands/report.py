"""Compute a report, of any kind, and print it."""

from argparse import SUPPRESS, ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.commands import progress_bar
from common.console import CSV, TABLE, add_format, form_of, print_sections
from common.errors import Refused
from corpus.commands import release_named
from crowd.commands import campaign_named
from reports.downloads import report_as
from reports.kinds import ReportKind, report_kinds
from reports.models import Report
from reports.parameters import add_options
from reports.services import report_complete, report_get_or_create


class Command(BaseCommand):
    help = "Compute a report on a release, or on the answers to a campaign's judgement task, and print it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "on", help="the release's name, as in demo-v1; for reports on a judgement task the campaign's short name"
        )
        kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True, help="what the report is about")
        for kind in report_kinds().values():
            _add_kind(kinds.add_parser(kind.key, help=kind.help, description=kind.help), kind)

    def handle(self, *_args: Any, **options: Any) -> None:
        kind = report_kinds()[options["kind"]]
        on = campaign_named(options["on"]) if kind.is_on_campaign else release_named(options["on"])
        try:
            parameters, attached = kind.parameters.of(options), kind.attached_in(options)
            report = report_get_or_create(kind=kind, on=on, parameters=parameters, attached=attached)
            with progress_bar("steps") as progress:
                report = report_complete(report=report, progress=progress)
        except (ValueError, Refused) as error:
            raise CommandError(str(error)) from error
        form = form_of(self, options, CSV)
        if form == TABLE:
            self._print_tables(kind, report, options)
        else:
            for piece in report_as(form, report):
                self.stdout.write(piece, ending="")

    def _print_tables(self, kind: ReportKind, report: Report, options: Mapping[str, Any]) -> None:
        names = list(kind.sections) if options["all"] else options["section"] or kind.first_sections
        left = [name for name in kind.sections if name not in names]
        more = f"More: --all, or --section {', '.join(left)}. " if left else ""
        for words in kind.preface(report):
            self.stdout.write(words)
        end = f"{more}Everything, with all digits: --format csv or --format json."
        print_sections(self, [kind.sections[name](report) for name in names], options, end)


def _add_kind(parser: ArgumentParser, kind: ReportKind) -> None:
    for flag in ("--no-color", "--force-color", "--traceback"):  # of every command, wherever they are typed
        parser.add_argument(flag, action="store_true", default=SUPPRESS, help=SUPPRESS)
    add_options(parser, kind.parameters)
    kind.add_options(parser)
    add_format(parser, CSV, "latex")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--all", action="store_true", help="show the tables of all sections")
    shown.add_argument(
        "--section",
        action="append",
        choices=list(kind.sections),
        help=f"show the table of this section; may be repeated (default: {', '.join(kind.first_sections)})",
    )

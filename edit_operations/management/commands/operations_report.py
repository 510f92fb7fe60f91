"""Print the report on the editing operations of a release."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any, get_args

from django.core.management.base import BaseCommand, CommandError

from common.commands import file_content, progress_bar
from common.console import CSV, TABLE, add_format, form_of, print_sections
from common.errors import Refused
from corpus.commands import release_named
from edit_operations.downloads import FORMATS, report_as
from edit_operations.models import OperationsReport
from edit_operations.parameters import Apart, Means, OperationsParameters, Substitute
from edit_operations.services.reports import report_complete, report_get_or_create
from edit_operations.tables import FIRST, SECTIONS, operations_sections
from edit_operations.word_pairs import NO_PAIRS, PairList, read_pair_list

CHOICES = {
    "substitute": (get_args(Substitute), "what Table 5 counts as a substitution"),
    "means": (get_args(Means), "over what the cells of Table 5 are means"),
    "apart": (get_args(Apart), "how Table 6 averages the sentences of a paragraph"),
}
NUMBERS = {"draws": "bootstrap draws of sources", "seed": "seed of the draws"}


class Command(BaseCommand):
    help = "Align the texts of a release with their sources and print what was done to them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        defaults = OperationsParameters()
        parser.add_argument("release", help="the release's name, as in demo-v1")
        parser.add_argument(
            "--word-pairs",
            type=Path,
            metavar="FILE",
            help="pairs of words that may replace each other: word, tab, word (default: none)",
        )
        parser.add_argument(
            "--vectors",
            action="store_true",
            help="use the word vectors of the pipeline that PRECIS_SPACY_MODEL names (default: no)",
        )
        for name, (choices, words) in CHOICES.items():
            default = getattr(defaults, name)
            parser.add_argument(f"--{name}", choices=choices, default=default, help=f"{words} (default: {default})")
        for name, words in NUMBERS.items():
            default = getattr(defaults, name)
            parser.add_argument(f"--{name}", type=int, default=default, help=f"{words} (default: {default:,})")
        add_format(parser, CSV, *FORMATS)
        shown = parser.add_mutually_exclusive_group()
        shown.add_argument("--all", action="store_true", help="show the tables of all sections")
        shown.add_argument(
            "--section",
            action="append",
            choices=list(SECTIONS),
            help=f"show the table of this section; may be repeated (default: {', '.join(FIRST)})",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        release = release_named(options["release"])
        try:
            given = {name: options[name] for name in (*CHOICES, *NUMBERS, "vectors")}
            report = report_get_or_create(
                release=release, parameters=OperationsParameters(**given), pairs=_pairs(options["word_pairs"])
            )
            with progress_bar("parts") as progress:
                report = report_complete(report=report, progress=progress)
        except (ValueError, Refused) as error:
            raise CommandError(str(error)) from error
        form = form_of(self, options, CSV)
        if form == TABLE:
            self._print_tables(report, options)
        else:
            self.stdout.write(report_as(form, report), ending="")

    def _print_tables(self, report: OperationsReport, options: dict[str, Any]) -> None:
        names = list(SECTIONS) if options["all"] else options["section"] or FIRST
        left = [name for name in SECTIONS if name not in names]
        more = f"More: --all, or --section {', '.join(left)}. " if left else ""
        end = f"{more}Everything, with all digits: --format csv or --format json."
        print_sections(self, operations_sections(report, names), options, end)


def _pairs(path: Path | None) -> PairList:
    return NO_PAIRS if path is None else read_pair_list(file_content(path), path.name)

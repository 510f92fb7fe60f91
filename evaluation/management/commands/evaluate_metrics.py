"""Print the report on the metrics of a release against its ratings."""

from argparse import ArgumentParser
from typing import Any, get_args

from django.core.management.base import BaseCommand, CommandError

from common.commands import progress_bar
from common.console import CSV, TABLE, add_format, form_of, print_sections
from common.errors import Refused
from corpus.commands import release_named
from evaluation.downloads import FORMATS, report_as
from evaluation.models import EvaluationReport
from evaluation.parameters import EvaluationParameters, Pool
from evaluation.services.reports import report_compute, report_get_or_create
from evaluation.tables import FIRST, SECTIONS, evaluation_sections
from measures.meta_evaluation import Missing, OverPairs

CHOICES = {
    "pool": (get_args(Pool), "whose ratings count"),
    "missing": (get_args(Missing), "compare two systems on the inputs that both have, or on those that all have"),
    "over_pairs": (get_args(OverPairs), "how correlations with the pairs of systems become one number"),
}
NUMBERS: dict[str, tuple[type, str]] = {
    "alpha": (float, "level of the tests"),
    "share": (float, "share of the pairs on which a metric must be better to dominate another"),
    "min_inputs": (int, "pairs of systems with fewer inputs are left out of the agreement about significance"),
    "min_raters": (int, "raters that an output needs in the alternative annotator test"),
    "min_items": (int, "outputs that a rater needs to be tested there"),
    "draws": (int, "draws of resampling and permutation"),
    "seed": (int, "seed of all draws"),
}


class Command(BaseCommand):
    help = "Compute what the metrics of a release are worth, by its ratings, and print it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        defaults = EvaluationParameters()
        parser.add_argument("release", help="the release's name, as in demo-v1")
        for name, (choices, words) in CHOICES.items():
            default = getattr(defaults, name)
            flag = f"--{name.replace('_', '-')}"
            parser.add_argument(flag, choices=choices, default=default, help=f"{words} (default: {default})")
        for name, (kind, words) in NUMBERS.items():
            default = getattr(defaults, name)
            flag = f"--{name.replace('_', '-')}"
            parser.add_argument(flag, type=kind, default=default, help=f"{words} (default: {default:,})")
        parser.add_argument(
            "--epsilon", type=float, help="cost of a rater in the alternative annotator test (default: by the pool)"
        )
        parser.add_argument(
            "--smaller-is-better",
            action="append",
            default=[],
            metavar="METRIC",
            help="a metric whose small scores are good; may be repeated (default: none, large scores are good)",
        )
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
        given = {name: options[name] for name in (*CHOICES, *NUMBERS, "epsilon")}
        negated = tuple(options["smaller_is_better"])
        try:
            parameters = EvaluationParameters(**given, smaller_is_better=negated)
            report = report_get_or_create(release=release, parameters=parameters)
            with progress_bar("sections") as progress:
                report_compute(report=report, progress=progress)
        except (ValueError, Refused) as error:
            raise CommandError(str(error)) from error
        form = form_of(self, options, CSV)
        if form == TABLE:
            self._print_tables(report, options)
        else:
            for piece in report_as(form, report):
                self.stdout.write(piece, ending="")

    def _print_tables(self, report: EvaluationReport, options: dict[str, Any]) -> None:
        names = list(SECTIONS) if options["all"] else options["section"] or FIRST
        left = [name for name in SECTIONS if name not in names]
        more = f"More: --all, or --section {', '.join(left)}. " if left else ""
        end = f"{more}Everything, with all digits: --format csv or --format json."
        print_sections(self, evaluation_sections(report, names), options, end)

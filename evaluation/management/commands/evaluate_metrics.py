"""Print the report on the metrics of a release against its ratings."""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any, get_args

from common.commands import progress_bar
from corpus.models import Release
from evaluation.downloads import report_as
from evaluation.models import EvaluationReport
from evaluation.parameters import EvaluationParameters, Pool
from evaluation.services.reports import report_compute, report_get_or_create
from evaluation.tables import FIRST, SECTIONS
from measures.meta_evaluation import Missing, OverPairs
from reports.command import ReportCommand

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


class Command(ReportCommand[EvaluationReport]):
    help = "Compute what the metrics of a release are worth, by its ratings, and print it."
    tables, first = SECTIONS, FIRST

    def add_parameters(self, parser: ArgumentParser) -> None:
        defaults = EvaluationParameters()
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

    def compute(self, release: Release, options: Mapping[str, Any]) -> EvaluationReport:
        given = {name: options[name] for name in (*CHOICES, *NUMBERS, "epsilon")}
        negated = tuple(options["smaller_is_better"])
        parameters = EvaluationParameters(**given, smaller_is_better=negated)
        report = report_get_or_create(release=release, parameters=parameters)
        with progress_bar("sections") as progress:
            report_compute(report=report, progress=progress)
        return report

    def file(self, form: str, report: EvaluationReport) -> Iterable[str]:
        return report_as(form, report)

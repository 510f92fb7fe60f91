"""Print the report on the editing operations of a release."""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, get_args

from common.commands import file_content, progress_bar
from corpus.models import Release
from edit_operations.downloads import report_as
from edit_operations.models import OperationsReport
from edit_operations.parameters import Apart, Means, OperationsParameters, Substitute
from edit_operations.services.reports import report_complete, report_get_or_create
from edit_operations.tables import FIRST, SECTIONS
from edit_operations.word_pairs import NO_PAIRS, PairList, read_pair_list
from reports.command import ReportCommand

CHOICES = {
    "substitute": (get_args(Substitute), "what Table 5 counts as a substitution"),
    "means": (get_args(Means), "over what the cells of Table 5 are means"),
    "apart": (get_args(Apart), "how Table 6 averages the sentences of a paragraph"),
}
NUMBERS = {"draws": "bootstrap draws of sources", "seed": "seed of the draws"}


class Command(ReportCommand[OperationsReport]):
    help = "Align the texts of a release with their sources and print what was done to them."
    tables, first = SECTIONS, FIRST

    def add_parameters(self, parser: ArgumentParser) -> None:
        defaults = OperationsParameters()
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

    def compute(self, release: Release, options: Mapping[str, Any]) -> OperationsReport:
        given = {name: options[name] for name in (*CHOICES, *NUMBERS, "vectors")}
        pairs = _pairs(options["word_pairs"])
        report = report_get_or_create(release=release, parameters=OperationsParameters(**given), pairs=pairs)
        with progress_bar("parts") as progress:
            return report_complete(report=report, progress=progress)

    def file(self, form: str, report: OperationsReport) -> Iterable[str]:
        return [report_as(form, report)]


def _pairs(path: Path | None) -> PairList:
    return NO_PAIRS if path is None else read_pair_list(file_content(path), path.name)

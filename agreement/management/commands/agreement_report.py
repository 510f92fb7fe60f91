"""Print the agreement report of a release."""

import time
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any, get_args

from agreement.downloads import report_as
from agreement.models import AgreementResult
from agreement.parameters import ReportParameters
from agreement.selectors import running_job
from agreement.services import agreement_compute, report_get_or_create
from agreement.tables import FIRST, SECTIONS
from common.commands import progress_bar
from corpus.models import Release
from measures.agreement.cohen import Weights
from measures.agreement.mean_rounding import Rounding
from reports.command import ReportCommand

POLL_SECONDS = 0.5


class Command(ReportCommand[AgreementResult]):
    help = "Compute the agreement between the raters of a release and print the report."
    tables, first = SECTIONS, FIRST

    def add_parameters(self, parser: ArgumentParser) -> None:
        defaults = ReportParameters()
        parser.add_argument(
            "--draws", type=int, default=defaults.draws, help=f"simulated pairs of raters (default: {defaults.draws:,})"
        )
        parser.add_argument(
            "--seed", type=int, default=defaults.seed, help=f"seed of the simulation (default: {defaults.seed})"
        )
        parser.add_argument(
            "--weights",
            choices=get_args(Weights),
            default=defaults.weights,
            help=f"weights of kappa (default: {defaults.weights})",
        )
        parser.add_argument(
            "--replications",
            type=int,
            default=defaults.replications,
            help=f"bootstrap replications of the paper's intervals of experts (default: {defaults.replications:,})",
        )
        parser.add_argument(
            "--rounding",
            choices=[each.value for each in Rounding],
            default=defaults.rounding.value,
            help=f"how a mean half-way between two points is rounded (default: {defaults.rounding.value})",
        )

    def compute(self, release: Release, options: Mapping[str, Any]) -> AgreementResult:
        parameters = ReportParameters(
            draws=options["draws"],
            seed=options["seed"],
            rounding=Rounding(options["rounding"]),
            weights=options["weights"],
            replications=options["replications"],
        )
        result = report_get_or_create(release=release, parameters=parameters)
        with progress_bar("steps") as progress:
            while job := running_job(result):  # requested on the page: wait for that result instead of computing twice
                progress(job.done, job.total)
                time.sleep(POLL_SECONDS)
            result.refresh_from_db()
            agreement_compute(result=result, progress=progress)
        return result

    def file(self, form: str, report: AgreementResult) -> Iterable[str]:
        return [report_as(form, report)]

"""Print the agreement report of a release."""

import time
from argparse import ArgumentParser
from typing import Any, get_args

from django.core.management.base import BaseCommand, CommandError

from agreement.downloads import FORMATS, report_as
from agreement.parameters import ReportParameters
from agreement.selectors import running_job
from agreement.services import agreement_compute, report_get_or_create
from common.commands import progress_bar
from common.errors import Refused
from corpus.commands import release_named
from measures.agreement.cohen import Weights
from measures.agreement.mean_rounding import Rounding

POLL_SECONDS = 0.5


class Command(BaseCommand):
    help = "Compute the agreement between the raters of a release and print the report."

    def add_arguments(self, parser: ArgumentParser) -> None:
        defaults = ReportParameters()
        parser.add_argument("release", help="the release's name, as in demo-v1")
        parser.add_argument("--draws", type=int, default=defaults.draws, help="simulated pairs of raters")
        parser.add_argument("--seed", type=int, default=defaults.seed)
        parser.add_argument("--weights", choices=get_args(Weights), default=defaults.weights, help="weights of kappa")
        parser.add_argument(
            "--replications",
            type=int,
            default=defaults.replications,
            help="bootstrap replications of the paper's intervals of experts",
        )
        parser.add_argument("--format", choices=FORMATS, default="csv")
        parser.add_argument(
            "--rounding",
            choices=[each.value for each in Rounding],
            default=defaults.rounding.value,
            help="rounding of means half-way between two points",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        release = release_named(options["release"])
        try:
            parameters = ReportParameters(
                draws=options["draws"],
                seed=options["seed"],
                rounding=Rounding(options["rounding"]),
                weights=options["weights"],
                replications=options["replications"],
            )
            result = report_get_or_create(release=release, parameters=parameters)
        except (ValueError, Refused) as error:
            raise CommandError(str(error)) from error
        with progress_bar("steps") as progress:
            while job := running_job(result):  # requested on the page: wait for that result instead of computing twice
                progress(job.done, job.total)
                time.sleep(POLL_SECONDS)
            result.refresh_from_db()
            agreement_compute(result=result, progress=progress)
        self.stdout.write(report_as(options["format"], result), ending="")

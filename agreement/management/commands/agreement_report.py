"""Print the agreement report of a release."""

import time
from argparse import ArgumentParser
from typing import Any, get_args

from django.core.management.base import BaseCommand, CommandError

from agreement.downloads import FORMATS, report_as
from agreement.models import AgreementResult
from agreement.parameters import ReportParameters
from agreement.selectors import running_job
from agreement.services import agreement_compute, report_get_or_create
from agreement.tables import FIRST, SECTIONS, agreement_sections
from common.commands import progress_bar
from common.console import CSV, TABLE, add_format, form_of, print_sections
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
        form = form_of(self, options, CSV)
        if form == TABLE:
            self._print_tables(result, options)
        else:
            self.stdout.write(report_as(form, result), ending="")

    def _print_tables(self, result: AgreementResult, options: dict[str, Any]) -> None:
        names = list(SECTIONS) if options["all"] else options["section"] or FIRST
        left = [name for name in SECTIONS if name not in names]
        more = f"More: --all, or --section {', '.join(left)}. " if left else ""
        end = f"{more}Everything, with all digits: --format csv or --format json."
        print_sections(self, agreement_sections(result, names), options, end)

"""Load the demonstration campaign, if it is not there yet, and print its links and login."""

from argparse import ArgumentParser
from importlib.util import find_spec
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from agreement.kind import KIND as AGREEMENT
from agreement.parameters import AgreementParameters
from common.commands import progress_bar
from common.private_files import local_secret
from corpus.services.building import release_build
from corpus.services.release import release_create
from crowd.models import Campaign
from crowd.selectors.progress import links_of_campaign
from dashboard.simulation.crowd import crowd_simulate, experts_simulate
from dashboard.simulation.demo import EXPERTS, SIMULATED, SLUG, USER, demo_campaign, demo_staff
from dashboard.simulation.demo_errors import demo_errors_load
from dashboard.simulation.demo_quiz import demo_quiz_load
from evaluation.kind import KIND as EVALUATION
from evaluation.parameters import EvaluationParameters
from measures.quality_control.worker_filter import FilterParameters
from ratings.services.quality import quality_apply
from reports.services import report_complete, report_get_or_create
from scoring.services.runs import score_run_get_or_create, scores_complete
from scoring.settings import ScoreSettings


class Command(BaseCommand):
    help = "Load the demonstration campaign if it is not there, and print its links and the staff login."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--base-url",
            default="http://127.0.0.1:8000",
            help="address at which the app is served (default: http://127.0.0.1:8000)",
        )
        parser.add_argument("--no-crowd", action="store_true", help="do not simulate a crowd working in the campaign")

    def handle(self, *_args: Any, **options: Any) -> None:
        if settings.PUBLIC:
            raise CommandError("The demonstration is for a local installation: its password lies in a file.")
        password = local_secret(settings.DATA_DIR / "demo_password", random_bytes=9)
        owner = demo_staff(password)
        campaign = Campaign.objects.filter(slug=SLUG).first()
        if campaign is None:
            self.stdout.write("Loading the demonstration ...")
            with transaction.atomic():
                campaign = demo_campaign(owner)
            if not options["no_crowd"]:
                self._simulate_crowd(campaign, owner)
        else:
            self.stderr.write("The demonstration is there already, so nothing was loaded.")
        self._announce(campaign, options["base_url"].rstrip("/"), password)

    def _simulate_crowd(self, campaign: Campaign, owner: User) -> None:
        """Simulate a crowd and experts, apply the worker filter, and build a release with its scores and reports."""
        with progress_bar("people") as progress:
            crowd_simulate(
                campaign=campaign,
                editors=SIMULATED["editors"],
                raters=SIMULATED["raters"],
                seed=SIMULATED["seed"],
                progress=progress,
            )
        with progress_bar("people") as progress:
            demo_errors_load(owner=owner, progress=progress)
        with progress_bar("people") as progress:
            demo_quiz_load(owner=owner, progress=progress)
        experts_simulate(campaign=campaign, **EXPERTS, seed=SIMULATED["seed"], editors=SIMULATED["editors"])
        quality_apply(campaign=campaign, parameters=FilterParameters())
        release = release_create(campaign=campaign)
        with progress_bar("steps") as progress:
            release_build(release=release, progress=progress)
            report = report_get_or_create(kind=AGREEMENT, on=release, parameters=AgreementParameters())
            report_complete(report=report, progress=progress)
        if find_spec("pyarrow") is None:
            self.stderr.write("Without the extra parquet there are no scores, and no evaluation of metrics.")
            return
        with progress_bar("outputs") as progress:
            scores_complete(run=score_run_get_or_create(release=release, settings=ScoreSettings()), progress=progress)
        with progress_bar("steps") as progress:
            report = report_get_or_create(kind=EVALUATION, on=release, parameters=EvaluationParameters())
            report_complete(report=report, progress=progress)

    def _announce(self, campaign: Campaign, base_url: str, password: str) -> None:
        self.stdout.write("")
        for link in links_of_campaign(campaign):
            self.stdout.write(f"  {link.get_round_display() + ':':14} {base_url}{link.get_absolute_url()}")
        self.stdout.write(f"  {'Staff:':14} {base_url}/campaigns/{campaign.slug}/")
        self.stdout.write(f"  {'':14} user {USER}, password {password}")
        self.stdout.write("")

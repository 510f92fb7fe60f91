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
from crowd.models import Campaign
from crowd.selectors.progress import links_of_campaign
from dashboard.simulation.demo import SLUG, USER, demo_campaign, demo_staff
from dashboard.simulation.demo_quiz import DRAWS, demo_quiz_load
from dashboard.simulation.demo_study import demo_study
from dashboard.simulation.demo_tasks import TASKS, demo_answers_load, demo_task_load
from edit_operations.kind import KIND as OPERATIONS
from edit_operations.parameters import OperationsParameters
from evaluation.kind import KIND as EVALUATION
from evaluation.parameters import EvaluationParameters
from protocols.comparison.parameters import ComparisonParameters
from protocols.comparison.report import KIND as COMPARISON
from protocols.quiz.parameters import QuizParameters
from protocols.quiz.report import KIND as QUIZ
from reports.kinds import ReportKind, report_kinds
from reports.models import Basis
from reports.parameters import ReportParameters
from reports.services import report_complete, report_get_or_create, report_request
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
        parser.add_argument(
            "--reports-later", action="store_true", help="leave reports and earlier releases to a worker"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        if settings.PUBLIC:
            raise CommandError("The demonstration is for a local installation: its password lies in a file.")
        self.reports_later = options["reports_later"]
        password = local_secret(settings.DATA_DIR / "demo_password", random_bytes=9)
        owner = demo_staff(password)
        campaign = Campaign.objects.filter(slug=SLUG).first()
        if campaign is None:
            self.stdout.write("Loading the demonstration ...")
            with transaction.atomic():
                campaign = demo_campaign(owner)
            if not options["no_crowd"]:
                self._study(campaign, owner)
                self._judgement_tasks(owner)
        else:
            self.stderr.write("The demonstration is there already, so nothing was loaded.")
        self._announce(campaign, options["base_url"].rstrip("/"), password)

    def _study(self, campaign: Campaign, owner: User) -> None:
        with progress_bar("people") as progress:
            release = demo_study(campaign=campaign, owner=owner, progress=progress, later=self.reports_later)
        self._report(AGREEMENT, release, AgreementParameters(), owner)
        self._report(OPERATIONS, release, OperationsParameters(), owner)
        if find_spec("pyarrow") is None:
            self.stderr.write("Without the extra parquet there are no scores, and no evaluation of metrics.")
            return
        with progress_bar("outputs") as progress:
            scores_complete(run=score_run_get_or_create(release=release, settings=ScoreSettings()), progress=progress)
        self._report(EVALUATION, release, EvaluationParameters(), owner)

    def _judgement_tasks(self, owner: User) -> None:
        with progress_bar("people") as progress:
            done = {task: demo_task_load(task, owner=owner, progress=progress) for task in TASKS}
            answers = demo_answers_load(owner=owner, progress=progress)
            quiz = demo_quiz_load(owner=owner, progress=progress)
        for task, campaign in done.items():
            kind = report_kinds()[campaign.rating_task]
            self._report(kind, campaign, kind.parameters.of(task.report), owner)
        self._report(COMPARISON, answers, ComparisonParameters(), owner)
        self._report(QUIZ, quiz, QuizParameters(draws=DRAWS), owner)

    def _report(self, kind: ReportKind, on: Basis, parameters: ReportParameters, owner: User) -> None:
        if self.reports_later:
            report_request(kind=kind, on=on, parameters=parameters, user=owner)
            return
        with progress_bar("steps") as progress:
            report_complete(report=report_get_or_create(kind=kind, on=on, parameters=parameters), progress=progress)

    def _announce(self, campaign: Campaign, base_url: str, password: str) -> None:
        self.stdout.write("")
        for link in links_of_campaign(campaign).filter(is_active=True):
            self.stdout.write(f"  {link.get_round_display() + ':':14} {base_url}{link.get_absolute_url()}")
        self.stdout.write(f"  {'Staff:':14} {base_url}/campaigns/{campaign.slug}/")
        self.stdout.write(f"  {'':14} user {USER}, password {password}")
        self.stdout.write("")

"""A campaign in which everything exists that an address can name, with a browser for every role."""

import json
from dataclasses import replace
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from agreement.kind import KIND as AGREEMENT
from agreement.parameters import AgreementParameters
from common.clock import database_now
from compressions.models import Compression, Source, SourceImport, Start, SystemOutput, TranslationImport
from compressions.selectors.sources import source_of_assignment
from compressions.services.drafts import DraftSave, draft_save
from compressions.services.imports import source_import_request
from compressions.services.translations import translations_import
from corpus.models import OutputImport, Release
from corpus.services.outputs import outputs_import
from crowd.models import Assignment, Campaign, Enrolment, Membership, Remark, Role, Round, Worker
from crowd.services.browsers import browser_request_create
from crowd.services.claims import assignment_claim
from crowd.services.invitations import invitation_create
from crowd.services.members import member_set
from crowd.services.remarks import problem_report
from edit_operations.kind import KIND as OPERATIONS
from edit_operations.parameters import OperationsParameters
from evaluation.kind import KIND as EVALUATION
from evaluation.parameters import EvaluationParameters
from measures.quality_control.worker_filter import FilterParameters
from ratings.example_check import ExampleText
from ratings.models import ImportPool, ModelRater, RatingImport
from ratings.services.gold import gold_create
from ratings.services.qualification import qualification_items_replace
from ratings.services.quality import quality_apply
from ratings.services.rating_imports import file_ratings_import
from reports.services import report_complete, report_get_or_create
from scoring.services.runs import score_run_get_or_create, scores_compute
from scoring.settings import ScoreSettings
from systems.models import TrainedSystem
from systems.services.runs import RunRequest, system_run
from tests.support import factories
from tests.support.factories import (
    EDIT,
    EXAMPLE,
    RATE,
    freeze,
    judged_campaign,
    link_of,
    make_staff,
    open_link,
    rate_next,
    silent,
    worker_client,
)
from tests.support.webhooks import make_webhook

ANONYMOUS, WORKER, STRANGER = "anonymous", "worker", "another worker"
DRAFT_PAGE = "a1"
STAFF, OTHER_STAFF, ADMINISTRATOR = "staff", "staff of another campaign", "administrator"
MANAGER, VIEWER, EXPERT = "manager", "viewer", "expert"
ROLES = (ANONYMOUS, WORKER, STRANGER, STAFF, OTHER_STAFF, ADMINISTRATOR, MANAGER, VIEWER, EXPERT)
QUICK = AgreementParameters(draws=5, replications=5)
FEW_METRICS = ScoreSettings(metrics=("LR-1+Recall+MULT-ALL",))


class World:
    """Two campaigns with work done and work to do, releases, an import, a job, an agreement report, examples."""

    def __init__(self, **texts: Any) -> None:
        self.texts = texts
        self.owner, self.other_owner = make_staff(), make_staff()
        self.campaign, self.other = self.campaign_of(self.owner, 4), self.campaign_of(self.other_owner, 2)
        self.run = quality_apply(campaign=self.campaign, parameters=FilterParameters())
        self.outputs = self.has_system(self.campaign)
        self.translations = self.has_translations(self.campaign)
        self.rating_file = self.has_model(self.campaign)
        self.model = ModelRater.objects.get(campaign=self.campaign)
        self.release = freeze(self.campaign)
        scores_compute(run=score_run_get_or_create(release=self.release, settings=FEW_METRICS), progress=silent)
        self.system_run = system_run(request=self.first_words, progress=silent)
        self.trained = self.has_trained(self.release)
        for kind, parameters in (
            (AGREEMENT, QUICK),
            (OPERATIONS, OperationsParameters(draws=5)),
            (EVALUATION, EvaluationParameters(draws=5)),
        ):
            report = report_get_or_create(kind=kind, on=self.release, parameters=parameters)
            report_complete(report=report, progress=silent)
        self.wanted = self.file_of(self.campaign)
        self.source = Source.objects.filter(campaign=self.campaign).latest("pk")
        self.compression = Compression.objects.filter(source__campaign=self.campaign).latest("pk")
        self.workers = {
            (role, each): worker_client(self.campaign, each, role)
            for role in (WORKER, STRANGER)
            for each in (EDIT, RATE)
        }
        self.has_judged(WORKER)
        self.has_drafted(WORKER)
        problem_report(
            enrolment=self.enrolment(WORKER, EDIT), assignment_id=self.task(WORKER, EDIT).pk, reason="broken", text=""
        )
        self.remark = Remark.objects.get(assignment__worker__campaign=self.campaign)
        # Practice alone: a test would stand between the workers and their tasks. Gold comes after those are chosen.
        qualification_items_replace(campaign=self.campaign, examples=[replace(self.example, is_practice=True)])
        self.practice = self.campaign.qualification_items.get()
        self.gold = gold_create(campaign=self.campaign, example=self.example)
        self.signed_link = open_link(campaign=self.campaign, work_round=EDIT, platform_key="prolific")
        asking = browser_request_create(enrolment=self.enrolment(WORKER, RATE), link=self.signed_link, browser="0" * 64)
        assert asking is not None
        self.asking = asking
        self.members = {name: self.member(name) for name in (MANAGER, VIEWER, EXPERT)}
        self.invitation_token = invitation_create(campaign=self.campaign, role=Role.MANAGER, days=1, user=self.owner)
        self.webhook = make_webhook(self.campaign)
        self.accounts = {
            STAFF: self.signed_in(self.owner),
            OTHER_STAFF: self.signed_in(self.other_owner),
            ADMINISTRATOR: self.signed_in(make_staff(administrator=True)),
            **{name: self.signed_in(member.user) for name, member in self.members.items()},
        }

    def member(self, role: str) -> Membership:
        return member_set(campaign=self.campaign, member=make_staff(), role=role, user=self.owner)

    def campaign_of(self, owner: User, sources: int) -> Campaign:
        return judged_campaign(
            sources=sources,
            owner=owner,
            editors_per_source=9,
            raters_per_compression=9,
            editor_tasks=99,
            rater_tasks=99,
            **self.texts,
        )

    @staticmethod
    def file_of(campaign: Campaign) -> SourceImport:
        owner = campaign.staff.get()
        return source_import_request(campaign=campaign, file_name="a.csv", content=b"", strict=False, user=owner)

    @staticmethod
    def has_system(campaign: Campaign) -> OutputImport:
        """A system that has repeated a person, so that nobody has more to judge."""
        text = Compression.objects.filter(source__campaign=campaign).select_related("source").earliest("pk")
        row = json.dumps({"id": text.source.source_id, "text": text.text}).encode()
        report = outputs_import(campaign=campaign, system="Echo", file_name="o.jsonl", content=row)
        assert report.added == 1
        return report

    @property
    def first_words(self) -> RunRequest:
        return RunRequest(campaign=self.campaign, kind="first", name="First", seed=1, is_for_raters=False)

    @staticmethod
    def has_trained(release: Release) -> TrainedSystem:
        """A model that is there and can be looked at; nothing here has learnt it."""
        made = {"made_from": {"pairs_of_release": 4}, "curve": [{"loss": 2.0}, {"loss": 1.0}], "folder": "none"}
        return TrainedSystem.objects.create(
            release=release, kind="ilp", name="ILP", seed=1, split="train", finished_at=database_now(), **made
        )

    @staticmethod
    def has_translations(campaign: Campaign) -> TranslationImport:
        row = {"kind": "source", "language": "fr", "made_by": "Ann", "translated": "Deux hommes."}
        content = json.dumps({"id": campaign.sources.earliest("pk").source_id, **row}).encode()
        return translations_import(campaign=campaign, file_name="fr.jsonl", content=content)

    @staticmethod
    def has_model(campaign: Campaign) -> RatingImport:
        """A model that has rated what the system wrote."""
        output = SystemOutput.objects.select_related("source", "system").get(system__campaign=campaign)
        row = {"id": output.source.source_id, "system": output.system.name, "rater": "a model", "meaning": 2.5}
        content = json.dumps(row).encode()
        report = file_ratings_import(campaign=campaign, pool=ImportPool.MODEL, file_name="r.jsonl", content=content)
        assert report.added == 1
        return report

    @property
    def example(self) -> ExampleText:
        text = factories.SENTENCE.format(number=99)
        return replace(EXAMPLE, source=text, compression=text, why=text)

    def has_judged(self, role: str) -> None:
        """Let a worker judge the text that they hold, and take the next."""
        enrolment = self.enrolment(role, RATE)
        assert rate_next(enrolment)
        assert assignment_claim(enrolment=enrolment)

    def has_drafted(self, role: str) -> None:
        """Save a draft of the text that a worker holds."""
        assignment = self.task(role, EDIT)
        save = DraftSave(DRAFT_PAGE, 1, Start.SOURCE, [])
        draft_save(assignment=assignment, source=source_of_assignment(assignment), save=save)

    def signed_in(self, user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    def client(self, role: str, work_round: Round = EDIT) -> Client:
        """The browser of a role; a worker is in one round at a time."""
        if role == ANONYMOUS:
            return Client()
        return self.accounts.get(role) or self.workers[role, work_round]

    def task(self, role: str, work_round: str) -> Assignment:
        """The task that a worker holds."""
        return Assignment.objects.get(
            worker__external_id=role, worker__campaign=self.campaign, round=work_round, state=Assignment.State.LEASED
        )

    def enrolment(self, role: str, work_round: str) -> Enrolment:
        enrolments = Enrolment.objects.select_related("worker", "link__campaign")
        return enrolments.get(worker__external_id=role, worker__campaign=self.campaign, round=work_round)

    @property
    def person(self) -> Worker:
        """A worker whose number nobody of the other campaign has."""
        return self.enrolment(WORKER, RATE).worker

    @property
    def token(self) -> str:
        return link_of(self.campaign, EDIT).token

"""Delete a campaign with all of its rows and files. Only the audit log keeps that it existed.

Rows go table by table, in an order that no foreign key forbids, in slices that are short transactions. So others can
write in between, and a deletion that was cut off is simply done again.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext as _

from common.errors import Refused
from common.job_attempts import NO_JOB, Attempt
from common.jobs import Progress, job_enqueue
from common.models import Job
from common.stores.unnamed_paths import path_give_up
from compressions.models import (
    AlignmentCorrection,
    Compression,
    Decoy,
    Draft,
    LabelledSessions,
    LabelledText,
    Pair,
    Source,
    SourceImport,
    System,
    SystemOutput,
    Target,
    TextFeatures,
    TranslatedText,
    TranslationImport,
    VisitRules,
)
from corpus.models import ErasureToComplete, OutputImport, Release, ReleaseFile, release_parent
from crowd.models import (
    ArmDraw,
    Assignment,
    BrowserRequest,
    Campaign,
    CampaignState,
    Enrolment,
    Exclusion,
    ImportedScale,
    Item,
    ItemConflict,
    JoinLink,
    ListView,
    Notice,
    PastVisit,
    Remark,
    SettingsVersion,
    Webhook,
    WebhookDelivery,
    WebhookEvent,
    Worker,
    WorkerBrowser,
)
from crowd.selectors.campaigns import DELETE_JOB
from crowd.services.audit import audit_record
from protocols.models import (
    DesignRow,
    MarkedAnswer,
    Material,
    MaterialImport,
    PageVisit,
    PracticeAnswer,
    Response,
    ResponseVersion,
    Sound,
    TaskArm,
    TaskDraft,
    TaskItem,
)
from protocols.quiz.sounds import STORAGE as SOUNDS
from protocols.quiz.sounds import sound_folder
from ratings.models import (
    ExpertItem,
    ExpertSample,
    GoldItem,
    ImportedScore,
    Inclusion,
    ModelRater,
    ModelRating,
    QualificationAttempt,
    QualificationItem,
    QualificationSitting,
    QualityDecision,
    QualityRule,
    QualityRun,
    Rating,
    RatingImport,
    RatingVersion,
    Score,
)
from reports.models import Report, ReportPart, ReportRows
from scoring.models import ScorePart, ScoreRun
from systems.files import STORAGE, campaign_folder, unfinished_remove
from systems.models import SystemRun, TrainedSystem

SLICE = 1000
UNFINISHED = (Job.State.QUEUED, Job.State.RUNNING)


def _at(path: str) -> Callable[[Campaign], Q]:
    return lambda campaign: Q(**{path: campaign})


def _of_ratings(before: str) -> Callable[[Campaign], Q]:
    """Return ratings by what they are about: imported ones have no worker."""
    subjects = ("target__source__campaign", "pair__first__source__campaign", "gold__item__campaign")
    return lambda campaign: (
        Q(**{before + subjects[0]: campaign})
        | Q(**{before + subjects[1]: campaign})
        | Q(**{before + subjects[2]: campaign})
    )


def _of_reports(before: str) -> Callable[[Campaign], Q]:
    return lambda campaign: Q(**{f"{before}release__campaign": campaign}) | Q(**{f"{before}campaign": campaign})


# What refers to others comes before them.
TABLES: tuple[tuple[type[Model], Callable[[Campaign], Q]], ...] = (
    (ReportRows, _of_reports("report__")),
    (ReportPart, _of_reports("report__")),
    (Report, _of_reports("")),
    (ScorePart, _at("run__release__campaign")),
    (ScoreRun, _at("release__campaign")),
    (SystemRun, _at("campaign")),
    (TrainedSystem, _at("release__campaign")),
    (ReleaseFile, _at("release__campaign")),
    (Release, _at("campaign")),
    (QualityDecision, _at("run__campaign")),
    (QualityRun, _at("campaign")),
    (QualityRule, _at("campaign")),
    (Score, _of_ratings("rating__")),
    (ImportedScore, _of_ratings("rating__")),
    (ImportedScale, _at("campaign")),
    (RatingVersion, _of_ratings("rating__")),
    (Rating, _of_ratings("")),
    (GoldItem, _at("item__campaign")),
    (ExpertItem, _at("sample__campaign")),
    (ExpertSample, _at("campaign")),
    (ArmDraw, _at("campaign")),
    (QualificationSitting, _at("enrolment__worker__campaign")),
    (QualificationAttempt, _at("enrolment__worker__campaign")),
    (QualificationItem, _at("campaign")),
    (Draft, _at("assignment__worker__campaign")),
    (VisitRules, _at("worker__campaign")),
    (TextFeatures, _at("compression__source__campaign")),
    (LabelledText, _at("compression__source__campaign")),
    (LabelledSessions, lambda campaign: Q(campaign=campaign) | Q(sandbox=campaign)),
    (Compression, _at("source__campaign")),
    (SystemOutput, _at("system__campaign")),
    (Decoy, _at("source__campaign")),
    (System, _at("campaign")),
    (Pair, _at("first__source__campaign")),
    (AlignmentCorrection, _at("target__source__campaign")),
    (TranslatedText, _at("campaign")),
    (ModelRating, _at("target__source__campaign")),
    (ModelRater, _at("campaign")),
    (Target, _at("source__campaign")),
    (Source, lambda campaign: Q(campaign=campaign, paragraph__isnull=False)),
    (Source, _at("campaign")),
    (SourceImport, _at("campaign")),
    (OutputImport, _at("campaign")),
    (TranslationImport, _at("campaign")),
    (RatingImport, _at("campaign")),
    (MarkedAnswer, _at("response__assignment__worker__campaign")),
    (ResponseVersion, _at("response__assignment__worker__campaign")),
    (Response, _at("assignment__worker__campaign")),
    (PracticeAnswer, _at("enrolment__worker__campaign")),
    (DesignRow, _at("campaign")),
    (PageVisit, _at("assignment__worker__campaign")),
    (TaskArm, _at("assignment__worker__campaign")),
    (TaskDraft, _at("assignment__worker__campaign")),
    (TaskItem, _at("item__campaign")),
    (Material, _at("campaign")),
    (MaterialImport, _at("campaign")),
    (Sound, _at("campaign")),
    (Remark, _at("assignment__worker__campaign")),
    (Assignment, _at("worker__campaign")),
    (ItemConflict, _at("item__campaign")),
    (Item, _at("campaign")),
    (BrowserRequest, _at("enrolment__worker__campaign")),
    (PastVisit, _at("enrolment__worker__campaign")),
    (WorkerBrowser, _at("worker__campaign")),
    (Enrolment, _at("worker__campaign")),
    (Exclusion, _at("worker__campaign")),
    (Inclusion, _at("worker__campaign")),
    (Worker, _at("campaign")),
    (JoinLink, _at("campaign")),
    (Notice, _at("campaign")),
    (ListView, _at("campaign")),
    (WebhookDelivery, _at("webhook__campaign")),
    (WebhookEvent, _at("campaign")),
    (Webhook, _at("campaign")),
)


@dataclass(frozen=True)
class Deleted:
    """What is told of a deleted campaign, which can no longer be asked."""

    name: str
    rows: int


@transaction.atomic
def campaign_deletion_request(*, campaign: Campaign, typed_name: str, user: User) -> Job:
    """Archive a campaign and enqueue its deletion, if its short name was typed; asked twice, it is one deletion."""
    if typed_name.strip() != campaign.slug:
        raise Refused(_("Type the campaign’s short name, %(name)s.") % {"name": campaign.slug})
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    unfinished = Job.objects.filter(campaign=campaign, state__in=UNFINISHED)
    if known := unfinished.filter(kind=DELETE_JOB).first():
        return known
    if unfinished.exists():
        raise Refused(_("A job of this campaign is waiting or running. Wait until it has finished."))
    Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.ARCHIVED)
    audit_record(campaign=campaign, user=user, action="deletion requested")
    return job_enqueue(campaign_id=campaign.pk, kind=DELETE_JOB, parameters={}, user=user)


def campaign_delete(
    *, campaign: Campaign, user: User | None, progress: Progress | None = None, attempt: Attempt = NO_JOB
) -> Deleted:
    """Delete a campaign. A sandbox leaves no trace, not even in the audit log."""
    rows = 0
    for sandbox in Campaign.objects.filter(sandbox_of=campaign):
        campaign_delete(campaign=sandbox, user=None, attempt=attempt)
    _scores_delete(campaign, attempt)
    _corrections_unlink(campaign, attempt)
    for number, (model, condition) in enumerate(TABLES):
        rows += _rows_delete(model._default_manager.filter(condition(campaign)), attempt)
        if progress is not None:
            progress(number, len(TABLES))
    _last_rows_delete(campaign, user, attempt)
    unfinished_remove(campaign.pk)
    return Deleted(campaign.name, rows)


@transaction.atomic
def _corrections_unlink(campaign: Campaign, attempt: Attempt) -> None:
    """Let sources go in any order, whichever corrects which."""
    attempt.fence()
    Source.objects.filter(campaign=campaign).exclude(corrects=None).update(corrects=None)


def _rows_delete(rows: QuerySet[Model], attempt: Attempt) -> int:
    deleted = 0
    while ids := list(rows.values_list("pk", flat=True)[:SLICE]):
        with transaction.atomic():
            attempt.fence()
            rows.model._default_manager.filter(pk__in=ids).only("pk").delete()
        deleted += len(ids)
    return deleted


@transaction.atomic
def _last_rows_delete(campaign: Campaign, user: User | None, attempt: Attempt) -> None:
    """Delete the campaign's own row and the few that go with it; then the files that no row names any more."""
    attempt.fence()
    if campaign.sandbox_of_id is None:
        audit_record(campaign=campaign, user=user, action="campaign deleted", subject=campaign.name)
        ErasureToComplete.objects.create()
    unset = dict.fromkeys(("settings_version", "editor_guidelines_changed", "rater_guidelines_changed"))
    Campaign.objects.filter(pk=campaign.pk).update(**unset)
    SettingsVersion.objects.filter(campaign=campaign).delete()
    Campaign.objects.filter(pk=campaign.pk).delete()
    path_give_up("releases", release_parent(campaign.pk))
    path_give_up(STORAGE, campaign_folder(campaign.pk))
    path_give_up(SOUNDS, sound_folder(campaign.pk))


@transaction.atomic
def _scores_delete(campaign: Campaign, attempt: Attempt) -> None:
    """Give up the files of scores while there are rows that say which they are; a later attempt would not know."""
    attempt.fence()
    for run in ScoreRun.objects.filter(release__campaign=campaign).only("pk"):
        path_give_up("scores", run.folder)

"""Query models and runs, and read the outputs of runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy

from common.models import Job
from common.words import Words
from corpus.models import Release
from crowd.models import Campaign
from systems.files import folder_of
from systems.models import MODEL_JOBS, RUN_JOBS, SystemRun, TrainedSystem
from systems.programs.texts import NO_OUTPUT, Status
from systems.services.runs import OUTPUTS_FILE, outputs_in

SHOWN = 50
STATUS_WORDS: dict[str, Words] = {
    Status.MADE: gettext_lazy("The system made it by all of its rules."),
    Status.RELAXED: gettext_lazy("It breaks a rule of the system, or is shorter than wanted: nothing else was found."),
    Status.UNPROVED: gettext_lazy("It may not be the best one: the search was cut short."),
    Status.FALLBACK: gettext_lazy("The system found none, so the first words of the text stand in."),
    Status.EXTERNAL: gettext_lazy("Another program made it."),
    NO_OUTPUT: gettext_lazy("Not even the first word is short enough."),
}
MARKED_SHARE = 0.05
"""A system with a larger share of fallbacks is marked."""


def ready_releases(campaign: Campaign) -> QuerySet[Release]:
    ready = Release.objects.filter(campaign=campaign, state=Release.State.READY)
    return ready.select_related("campaign").order_by("-version")


def models_of(campaign: Campaign) -> QuerySet[TrainedSystem]:
    """Return a campaign's models, the newest first, without the files that they learn from."""
    models = TrainedSystem.objects.filter(release__campaign=campaign).defer("pairs")
    return models.select_related("release__campaign").order_by("-pk")


def finished_models(campaign: Campaign) -> QuerySet[TrainedSystem]:
    return models_of(campaign).filter(finished_at__isnull=False)


def runs_of(campaign: Campaign) -> QuerySet[SystemRun]:
    """Return a campaign's runs, the newest first."""
    runs = SystemRun.objects.filter(campaign=campaign).defer("outputs__content")
    return runs.select_related("campaign", "release__campaign", "model__release__campaign", "outputs").order_by("-pk")


@dataclass(frozen=True)
class Made:
    """A model or a run with the job that tells its state, if it is not finished."""

    row: Any
    job: Job | None


def models_with_jobs(campaign: Campaign) -> list[Made]:
    return _with_jobs(list(models_of(campaign)[:SHOWN]), MODEL_JOBS.telling_of_each, campaign)


def runs_with_jobs(campaign: Campaign) -> list[Made]:
    return _with_jobs(list(runs_of(campaign)[:SHOWN]), RUN_JOBS.telling_of_each, campaign)


def _with_jobs(rows: Sequence[Any], telling: Any, campaign: Campaign) -> list[Made]:
    jobs = telling([row.pk for row in rows if row.finished_at is None], campaign_id=campaign.pk)
    return [Made(row, jobs.get(row.pk)) for row in rows]


@dataclass(frozen=True)
class StatusCount:
    """How many texts of a run came to a status."""

    status: str
    number: int
    share: float

    @property
    def words(self) -> Words:
        return STATUS_WORDS[self.status]


def status_counts(run: SystemRun) -> list[StatusCount]:
    """Return how often each status came about, in the order of `Status`."""
    known = [*(str(status) for status in Status), NO_OUTPUT]
    return [
        StatusCount(status, run.statuses[status], run.statuses[status] / run.texts)
        for status in known
        if status in run.statuses
    ]


def is_marked(run: SystemRun) -> bool:
    """Say whether too many of a run's outputs are no work of its system."""
    return run.texts > 0 and run.statuses.get(Status.FALLBACK, 0) > MARKED_SHARE * run.texts


def run_outputs(run: SystemRun) -> list[dict[str, Any]]:
    """Return the outputs of a finished run as its file has them."""
    with folder_of(run) as folder:
        return list(outputs_in(folder / OUTPUTS_FILE))

"""What has happened in a campaign that others want to be told: by mail (`notices.py`) or by webhooks."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from common.models import Job
from crowd.models import Campaign, Round
from crowd.selectors.progress import RoundProgress, progress_of_rounds


@dataclass(frozen=True)
class CompleteRound:
    """A round in which all is done."""

    work_round: Round
    wanted: int

    @property
    def key(self) -> str:
        """One whose total grows afterwards is news again when that is done, too."""
        return f"{self.work_round.value}:{self.wanted}"


def complete_rounds(campaign: Campaign) -> Iterator[CompleteRound]:
    """Yield the rounds in which all is done. That of raters is not as long as editors write more to rate."""
    found = progress_of_rounds([campaign.pk])
    edited = found.get((campaign.pk, Round.EDIT.value), RoundProgress())
    for each in Round:
        progress = found.get((campaign.pk, each.value), RoundProgress())
        is_growing = each == Round.RATE and edited.wanted > 0 and not edited.is_complete
        if progress.is_complete and not is_growing:
            yield CompleteRound(each, progress.wanted)


def failed_jobs(campaign: Campaign, since: datetime) -> QuerySet[Job]:
    """Return the jobs that have failed from a moment on."""
    return Job.objects.filter(campaign=campaign, state=Job.State.FAILED, finished_at__gte=since).order_by("pk")

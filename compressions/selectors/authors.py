"""Queries for the authorship of texts."""

from django.db.models import Exists, OuterRef, QuerySet

from compressions.models import Compression, SystemOutput, Target
from crowd.models import Campaign, Round, Worker
from crowd.selectors.exclusions import excluded_workers


def texts_of_excluded_only(campaign: Campaign) -> QuerySet[Target]:
    """Return the texts written only by excluded people, and by no system; these do not count."""
    excluded = excluded_workers(campaign, Round.EDIT)
    written = Compression.objects.filter(target=OuterRef("pk"))
    by_others = written.exclude(worker__in=excluded)
    by_systems = SystemOutput.objects.filter(target=OuterRef("pk"))
    texts = Target.objects.filter(Exists(written), source__campaign=campaign)
    return texts.exclude(Exists(by_others)).exclude(Exists(by_systems))


def texts_only_by(worker: Worker) -> QuerySet[Target]:
    """Return the texts that a worker wrote and nobody else did, nor any system."""
    others = Compression.objects.filter(target=OuterRef("pk")).exclude(worker=worker)
    by_systems = SystemOutput.objects.filter(target=OuterRef("pk"))
    own = Target.objects.filter(compressions__worker=worker).distinct()
    return own.exclude(Exists(others)).exclude(Exists(by_systems))

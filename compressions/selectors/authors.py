"""Queries for the authorship of texts."""

from django.db.models import Exists, OuterRef, QuerySet

from compressions.models import Compression, SystemOutput, Target
from crowd.models import Campaign, Round, Worker
from crowd.selectors.members import excluded_workers


def texts_of_excluded_only(campaign: Campaign) -> QuerySet[Target]:
    """Return the texts written by excluded people, and by nobody else who counts nor any system; these do not count."""
    excluded = excluded_workers(campaign, Round.EDIT)
    written = Compression.objects.filter(target=OuterRef("pk"))
    by_others = written.exclude(worker__in=excluded).exclude(worker__is_test=True)
    by_systems = SystemOutput.objects.filter(target=OuterRef("pk"))
    texts = Target.objects.filter(Exists(written.filter(worker__in=excluded)), source__campaign=campaign)
    return texts.exclude(Exists(by_others)).exclude(Exists(by_systems))


def texts_only_of_tests(campaign: Campaign) -> QuerySet[Target]:
    """Return the texts that only test participants wrote, and no system."""
    written = Compression.objects.filter(target=OuterRef("pk"))
    by_systems = SystemOutput.objects.filter(target=OuterRef("pk"))
    own = Target.objects.filter(Exists(written.filter(worker__is_test=True)), source__campaign=campaign)
    return own.exclude(Exists(written.filter(worker__is_test=False))).exclude(Exists(by_systems))


def texts_only_by(worker: Worker) -> QuerySet[Target]:
    """Return the texts that a worker wrote and nobody else did, nor any system."""
    others = Compression.objects.filter(target=OuterRef("pk")).exclude(worker=worker)
    by_systems = SystemOutput.objects.filter(target=OuterRef("pk"))
    own = Target.objects.filter(compressions__worker=worker).distinct()
    return own.exclude(Exists(others)).exclude(Exists(by_systems))

"""Reading who wrote what."""

from django.db.models import Exists, OuterRef, QuerySet

from compressions.models import Compression, SystemOutput, Target
from crowd.models import Campaign, Round
from crowd.selectors.exclusions import excluded_workers


def texts_of_excluded_only(campaign: Campaign) -> QuerySet[Target]:
    """Texts that nobody but excluded people wrote, and no system: they count no more."""
    excluded = excluded_workers(campaign, Round.EDIT)
    written = Compression.objects.filter(target=OuterRef("pk"))
    by_others = written.exclude(worker__in=excluded)
    by_systems = SystemOutput.objects.filter(target=OuterRef("pk"))
    texts = Target.objects.filter(Exists(written), source__campaign=campaign)
    return texts.exclude(Exists(by_others)).exclude(Exists(by_systems))

"""Count compressions by the settings they were written under."""

from collections.abc import Mapping

from django.db.models import Count, QuerySet

from compressions.models import Compression
from crowd.models import Campaign
from crowd.selectors.members import workers_of_tests


def compressions_by_settings(campaign: Campaign) -> Mapping[int | None, int]:
    """Return the number of compressions by the id of their settings version; None where it is not recorded.

    Those of test participants do not count.
    """
    # Nearly all have a version, and are counted from its index alone.
    recorded = _by_version(Compression.objects.filter(settings_version__campaign=campaign))
    tests = _by_version(Compression.objects.filter(worker__in=workers_of_tests(campaign)))
    without = Compression.objects.filter(settings_version=None)  # chosen first: SQLite would begin with all texts
    unrecorded = Compression.objects.filter(source__campaign=campaign, pk__in=without.values("pk")).count()
    return {version: number - tests.get(version, 0) for version, number in recorded.items()} | {None: unrecorded}


def _by_version(compressions: QuerySet[Compression]) -> Mapping[int | None, int]:
    return dict(compressions.values_list("settings_version_id").annotate(n=Count("*")).order_by())

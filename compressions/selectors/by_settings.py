"""Count compressions by the settings they were written under."""

from collections.abc import Mapping

from django.db.models import Count

from compressions.models import Compression
from crowd.models import Campaign


def compressions_by_settings(campaign: Campaign) -> Mapping[int | None, int]:
    """Return the number of compressions by the id of their settings version; None where it is not recorded."""
    # Nearly all have a version, and are counted from its index alone.
    recorded = Compression.objects.filter(settings_version__campaign=campaign).values_list("settings_version_id")
    without = Compression.objects.filter(settings_version=None)  # chosen first: SQLite would begin with all texts
    unrecorded = Compression.objects.filter(source__campaign=campaign, pk__in=without.values("pk")).count()
    return dict(recorded.annotate(n=Count("*")).order_by()) | {None: unrecorded}

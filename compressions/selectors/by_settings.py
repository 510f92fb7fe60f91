"""Count compressions by the settings they were written under."""

from collections.abc import Mapping

from django.db.models import Count

from compressions.models import Compression
from crowd.models import Campaign


def compressions_by_settings(campaign: Campaign) -> Mapping[int | None, int]:
    """Return the number of compressions by the id of their settings version; None where it is not recorded."""
    written = Compression.objects.filter(source__campaign=campaign)
    return dict(written.values_list("settings_version_id").annotate(Count("pk")))

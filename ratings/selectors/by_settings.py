"""Count ratings by the settings they were given under."""

from collections.abc import Mapping

from django.db.models import Count, Q

from crowd.models import Campaign
from ratings.models import Rating


def ratings_by_settings(campaign: Campaign) -> Mapping[int | None, int]:
    """Return the number of ratings by the id of their settings version; None where it is not recorded."""
    of_texts = Q(target__source__campaign=campaign) | Q(pair__first__source__campaign=campaign)
    return dict(Rating.objects.filter(of_texts).values_list("settings_version_id").annotate(Count("pk")))

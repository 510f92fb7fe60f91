"""The tour with which the demonstration opens."""

from django.conf import settings

from corpus.models import Release
from crowd.models import Campaign
from dashboard.simulation.demo import SLUG, USER


def tour_release(campaign: Campaign) -> int | None:
    """Return the version of the release that the tour leads to; None where a campaign is not the demonstration."""
    if settings.PUBLIC or campaign.slug != SLUG:
        return None
    ready = Release.objects.filter(
        campaign=campaign, state=Release.State.READY, campaign__memberships__user__username=USER
    )
    return ready.order_by("-version").values_list("version", flat=True).first()

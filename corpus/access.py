"""Finding the release that an address names."""

from django.shortcuts import get_object_or_404

from corpus.models import Release
from corpus.selectors import releases_of_campaign
from crowd.models import Campaign


def release_or_404(campaign: Campaign, version: int, *prefetched: str) -> Release:
    """Return a release of a campaign; anything else is a 404."""
    return get_object_or_404(releases_of_campaign(campaign).prefetch_related(*prefetched), version=version)

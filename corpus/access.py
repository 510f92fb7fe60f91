"""Finding the release or the file that an address names."""

from django.shortcuts import get_object_or_404

from corpus.models import Release, ReleaseFile
from corpus.selectors import releases_of_campaign
from crowd.models import Campaign


def release_or_404(campaign: Campaign, version: int, *prefetched: str) -> Release:
    """Return a release of a campaign; anything else is a 404."""
    return get_object_or_404(releases_of_campaign(campaign).prefetch_related(*prefetched), version=version)


def release_file_or_404(campaign: Campaign, version: int, name: str) -> ReleaseFile:
    """Return a file of a finished release. Its name is looked up in the database, never on disk."""
    return get_object_or_404(
        ReleaseFile.objects.select_related("release__campaign"),
        release__campaign=campaign,
        release__version=version,
        release__state=Release.State.READY,
        name=name,
    )

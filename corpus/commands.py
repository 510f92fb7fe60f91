"""Helpers of management commands about releases."""

import re

from django.core.management.base import CommandError

from corpus.models import Release


def release_named(name: str) -> Release:
    """Return the release called `<campaign>-v<version>`, or raise CommandError."""
    match = re.fullmatch(r"(?P<slug>[-\w]+)-v(?P<version>\d{1,9})", name)
    found = (
        match
        and Release.objects.select_related("campaign")
        .filter(campaign__slug=match["slug"], version=int(match["version"]))
        .first()
    )
    if not found:
        known = ", ".join(release.name for release in Release.objects.select_related("campaign")) or "none"
        raise CommandError(f"There is no release {name!r}. Releases: {known}.")
    return found

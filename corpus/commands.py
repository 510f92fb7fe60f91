"""Helpers of management commands about releases."""

import re

from common.commands import not_found
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
        known = (release.name for release in Release.objects.select_related("campaign").order_by("pk"))
        raise not_found("release", "Releases", name, known)
    return found

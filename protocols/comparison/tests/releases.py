"""A release of answers by two systems with a known difference, as pages and programs meet it."""

from collections.abc import Sequence

from django.contrib.auth.models import User

from corpus.models import Release
from corpus.release.records import ReleasedSource
from protocols.comparison.tests.planted import planted_sources
from tests.support.reports import released


def compared_release(sources: Sequence[ReleasedSource] | None = None, *, owner: User | None = None) -> Release:
    """A release on two scales of five points; without `sources` with a planted difference."""
    return released(
        planted_sources(1, questions=20, scales=("content", "coherence")) if sources is None else sources,
        scales=("Content", "Coherence"),
        owner=owner,
        points=5,
    )

"""Time that a test moves by hand."""

import importlib
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

# Each holds its own name of the one clock.
READERS = (
    "crowd.services.claims",
    "crowd.services.entry",
    "crowd.services.exclusions",
    "crowd.services.jobs",
    "crowd.selectors.campaigns",
    "crowd.selectors.work",
    "ratings.selectors.qualification",
    "ratings.services.qualification",
    "ratings.services.rating",
)


class Clock:
    """Stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = timezone.now()

    def __call__(self) -> datetime:
        return self.now

    def advance(self, *, minutes: float) -> None:
        self.now += timedelta(minutes=minutes)

    def read_by(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """From now on the services read this clock."""
        for reader in READERS:
            monkeypatch.setattr(importlib.import_module(reader), "database_now", self)

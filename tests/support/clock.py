"""Time that a test moves by hand."""

from datetime import datetime, timedelta

from django.utils import timezone


class Clock:
    """Stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = timezone.now()

    def __call__(self) -> datetime:
        return self.now

    def to_next_hour(self) -> None:
        """Go to where windows of a minute, a quarter and an hour begin, so that none ends in a test by chance."""
        self.now = self.now.replace(minute=0, second=1, microsecond=0) + timedelta(hours=1)

    def advance(self, *, minutes: float) -> None:
        self.now += timedelta(minutes=minutes)

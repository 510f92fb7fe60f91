"""Time that a test moves by hand."""

from datetime import datetime, timedelta

from django.utils import timezone


class Clock:
    """Stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = timezone.now()

    def __call__(self) -> datetime:
        return self.now

    def advance(self, *, minutes: float) -> None:
        self.now += timedelta(minutes=minutes)

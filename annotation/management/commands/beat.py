"""Do the periodic work of an installation in one process, instead of in each of its workers."""

import signal
from threading import Event
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from annotation.beat import beat

STOPPING = (signal.SIGINT, signal.SIGTERM)


class Command(BaseCommand):
    help = "Do the periodic work, such as nightly backups, until stopped. Run one of these, with PRECIS_BEAT=1 for all."

    def handle(self, *_args: Any, **_options: Any) -> None:
        if not settings.BEAT_APART:
            raise CommandError("Set PRECIS_BEAT=1, here and for the workers, which otherwise do this work themselves.")
        stopping = Event()
        for each in STOPPING:
            signal.signal(each, lambda _number, _frame: stopping.set())
        beat(stopping, settings.BEAT_FILE)

"""Do the periodic work of an installation in one process, instead of in each of its workers."""

import signal
from collections.abc import Sequence
from pathlib import Path
from threading import Event, Thread
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from common.periodic import Task, maintain, periodic_tasks

# How often the file is touched that says that this process is alive; a check may allow for several times this.
ALIVE_SECONDS = 15.0

Periodic = Sequence[tuple[float, Task]]


def beat(stopping: Event, alive: Path, periodic: Periodic) -> None:
    """Do each task now and periodically, until told to stop; then let those that have begun finish.

    Each has a thread of its own, so that a long one, such as a backup, does not delay the others.
    """
    threads = [Thread(target=_repeat, args=(task, seconds, stopping), name=task.__name__) for seconds, task in periodic]
    for thread in threads:
        thread.start()
    while all(thread.is_alive() for thread in threads):
        alive.touch()
        if stopping.wait(ALIVE_SECONDS):
            break
    stopping.set()
    for thread in threads:
        thread.join()
    alive.unlink(missing_ok=True)


def _repeat(task: Task, seconds: float, stopping: Event) -> None:
    while True:
        maintain(task)
        connection.close()  # of this thread: most tasks are idle for minutes
        if stopping.wait(seconds):
            return


STOPPING = (signal.SIGINT, signal.SIGTERM)


class Command(BaseCommand):
    help = "Do the periodic work, such as nightly backups, until stopped. Run one of these, with PRECIS_BEAT=1 for all."

    def handle(self, *_args: Any, **_options: Any) -> None:
        if not settings.BEAT_APART:
            raise CommandError("Set PRECIS_BEAT=1, here and for the workers, which otherwise do this work themselves.")
        stopping = Event()
        for each in STOPPING:
            signal.signal(each, lambda _number, _frame: stopping.set())
        beat(stopping, settings.BEAT_FILE, periodic_tasks())

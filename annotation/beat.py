"""The periodic work in a process of its own, where workers are many and some of the work should be done once."""

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event, Thread

from django.db import connection

from annotation.maintenance import PERIODIC, maintain

# How often the file is touched that says that this process is alive; a check may allow for several times this.
ALIVE_SECONDS = 15.0

Periodic = Sequence[tuple[float, Callable[[], object]]]


def beat(stopping: Event, alive: Path, periodic: Periodic = PERIODIC) -> None:
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


def _repeat(task: Callable[[], object], seconds: float, stopping: Event) -> None:
    while True:
        maintain(task)
        connection.close()  # of this thread: most tasks are idle for minutes
        if stopping.wait(seconds):
            return

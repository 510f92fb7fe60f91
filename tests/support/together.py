"""Several acts at the same moment, each in a thread with a database connection of its own."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from django.db import connection

T = TypeVar("T")
PATIENCE_SECONDS = 60
# In this database: others on the same server belong to other processes of the tests.
LOCKS_WAITED_FOR = """
    SELECT count(*), pg_sleep(0.01) FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE NOT granted AND datname = current_database()
"""


def together(acts: Iterable[Callable[[], T]]) -> list[T]:
    """Do all acts at once; their results in order. The first error is raised."""
    chosen = list(acts)
    barrier = Barrier(len(chosen))

    def run(act: Callable[[], T]) -> T:
        try:
            connection.ensure_connection()
            barrier.wait(PATIENCE_SECONDS)
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(chosen)) as pool:
        return list(pool.map(run, chosen))

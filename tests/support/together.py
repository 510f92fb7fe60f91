"""Several acts at the same moment, each in a thread with a database connection of its own."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from typing import Any, TypeVar

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


def after_somebody_waits(act: Callable[..., None], reached: Event) -> Callable[..., None]:
    """An act that is put off until another transaction waits for this one."""

    def put_off(*of: Any, **arguments: Any) -> None:
        reached.set()
        with connection.cursor() as cursor:
            for _ in range(100 * PATIENCE_SECONDS):
                cursor.execute(LOCKS_WAITED_FOR)
                if cursor.fetchone()[0]:
                    break
            else:
                raise AssertionError("nobody came to wait")
        act(*of, **arguments)

    return put_off

"""One attempt at a job: its right to write, and the heartbeat that keeps its lease.

A worker may be stopped for longer than its lease, and go on when another one has long taken over. The number of the
attempt is the fencing token: whatever a job writes, be it a row, a state or the name of a folder, is written in a
transaction that begins with `Attempt.fence`.
"""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Self

from django.db import Error, connection
from django.db.models import QuerySet
from django.db.transaction import TransactionManagementError

from common.clock import database_now
from common.models import Job

logger = logging.getLogger(__name__)

LEASE = timedelta(minutes=2)
HEARTBEAT_SECONDS = 30.0


class LostLease(Exception):
    """Another attempt has taken the job over, or it was given up: this attempt must not write any more."""


@dataclass(frozen=True)
class Attempt:
    """An attempt at a job; without a job, it is the work of a command, which nobody takes over."""

    job_id: int = 0
    number: int = 0

    @classmethod
    def of(cls, job: Job | None) -> Self:
        """Return the attempt that a job was claimed for; without a job, that of a command."""
        return cls(job.pk, job.attempts) if job else cls()

    def fence(self) -> None:
        """Raise LostLease unless this attempt still has the job, and keep it from being taken over in this transaction.

        Raises
        ------
        TransactionManagementError
            Outside a transaction, where the job could be taken over between the check and the write.
        """
        if not self.job_id:
            return
        if not connection.in_atomic_block:
            raise TransactionManagementError("a fence holds only until the end of a transaction")
        if not self._owned().select_for_update(no_key=True).exists():
            raise LostLease(f"job {self.job_id} is no longer the work of attempt {self.number}")

    def renew(self, **fields: Any) -> bool:
        """Renew the lease and set fields of the job; return whether the attempt still has it."""
        return self._owned().update(lease_ends_at=database_now() + LEASE, **fields) == 1

    def finish(self, state: str, message: str) -> bool:
        """Set the final state of the job; return whether the attempt still had it."""
        return self._owned().update(state=state, message=message, finished_at=database_now()) == 1

    def _owned(self) -> QuerySet[Job]:
        return Job.objects.filter(pk=self.job_id, attempts=self.number, state=Job.State.RUNNING)


NO_JOB = Attempt()


@contextmanager
def heartbeat(attempt: Attempt) -> Iterator[None]:
    """Keep the lease of an attempt while this process works, however long a single step takes."""
    stop = threading.Event()
    thread = threading.Thread(target=_beat, args=(attempt, stop), name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(5.0)


def _beat(attempt: Attempt, stop: threading.Event) -> None:
    while not stop.wait(HEARTBEAT_SECONDS):
        try:
            if not attempt.renew():
                return
        except Error as error:  # the next beat may find the database again
            logger.warning("the lease of job %s could not be renewed: %s", attempt.job_id, error)
        finally:
            connection.close()

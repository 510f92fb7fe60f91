"""What is written to a storage before a row names it, so that nothing is left there that nobody knows of.

An attempt announces a path of its own (`path_of_attempt`), writes its files there, and takes the announcement back in
the transaction that makes a row name the path (`OwnPath.name_it`). If it never comes to that, it removes its files; for
attempts that were killed, or while a storage was out of reach, a worker does so (`unnamed_paths_remove`).
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from django.db import DatabaseError, InterfaceError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from common.clock import database_now
from common.errors import FilesAway
from common.job_attempts import Attempt, LostLease
from common.models import Job, UnnamedPath
from common.stores import store

logger = logging.getLogger(__name__)

# A command has no lease; and a process that was stopped may go on writing for a while when its files are removed.
KEPT_FOR = timedelta(days=1)


@dataclass
class OwnPath:
    """A path that one attempt has for itself."""

    row: UnnamedPath
    is_named: bool = False

    def name_it(self) -> None:
        """Call this in the transaction whose row names the path from now on; raise LostLease if it was given up."""
        deleted, _rows = UnnamedPath.objects.filter(pk=self.row.pk, is_given_up=False).delete()
        if not deleted:
            raise LostLease(f"{self.row} was given up")
        self.is_named = True


@contextmanager
def path_of_attempt(storage: str, path: str, attempt: Attempt) -> Iterator[OwnPath]:
    """Announce a path; if no row names it at the end, remove what is there."""
    own = OwnPath(
        UnnamedPath.objects.create(
            storage=storage,
            path=path,
            job=Job.objects.filter(pk=attempt.job_id).first(),
            attempt=attempt.number,
            begun_at=database_now(),
        )
    )
    try:
        yield own
    finally:
        with suppress(DatabaseError, InterfaceError, FilesAway):  # then a worker removes it
            given_up = UnnamedPath.objects.filter(pk=own.row.pk).update(is_given_up=True)
            if given_up or not own.is_named:
                _remove(own.row)


def path_give_up(storage: str, path: str) -> None:
    """Remove a path once the transaction commits in which the last row that named it goes."""
    given_up = {"is_given_up": True, "begun_at": database_now()}
    row, _is_new = UnnamedPath.objects.update_or_create(storage=storage, path=path, defaults=given_up)
    transaction.on_commit(partial(_try_to_remove, row))


def unnamed_paths_remove() -> int:
    """Remove what attempts have left that are over, and what could not be removed before; return how many paths."""
    long_ago = database_now() - KEPT_FOR
    _of_ended_attempts().filter(Q(job__isnull=False) | Q(begun_at__lt=long_ago)).update(is_given_up=True)
    given_up = UnnamedPath.objects.filter(is_given_up=True)
    for row in given_up:
        store(row.storage).remove(row.path)
    removed, _rows = given_up.filter(begun_at__lt=long_ago).delete()
    return removed


def _of_ended_attempts() -> QuerySet[UnnamedPath]:
    at_work = Job.objects.filter(pk=OuterRef("job"), state=Job.State.RUNNING, attempts=OuterRef("attempt"))
    return UnnamedPath.objects.filter(~Exists(at_work), is_given_up=False)


def _try_to_remove(row: UnnamedPath) -> None:
    try:
        _remove(row)
    except FilesAway:
        logger.warning("%s is removed later: its storage does not answer", row)


def _remove(row: UnnamedPath) -> None:
    store(row.storage).remove(row.path)
    UnnamedPath.objects.filter(pk=row.pk).delete()

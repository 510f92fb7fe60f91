"""The condition of an installation: questions with a short answer, for health checks, metrics and administrators.

None of them raises an error because the thing it asks about has failed, and none waits for it without a bound, except
for the database, whose connection is that of the caller.
"""

import os
import queue
import shutil
import threading
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Generic, TypeVar

from django.conf import settings
from django.core.files.storage import FileSystemStorage, Storage, storages
from django.db import Error, connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Case, F, Max, Min, Q, When
from kombu import Connection

from common.clock import database_now
from common.models import Job, PeriodicRun
from common.periodic import periodic_tasks
from crowd.models import Notice, WebhookDelivery
from crowd.models.notices import MAX_ATTEMPTS

T = TypeVar("T")
OVERDUE_SECONDS = 20.0
PERIODIC_SECONDS = 300.0
"""How long a task may miss its second turn: some are due every few seconds, and noted once a minute."""


class KeptAnswer(Generic[T]):
    """Works an answer out in one thread at a time; meanwhile others get the one before, if there is one.

    If working it out takes longer than `OVERDUE_SECONDS`, others get what `overdue` returns, where that is given.
    """

    def __init__(self, work_out: Callable[[], T], seconds: float, overdue: Callable[[], T] | None = None) -> None:
        self.work_out = work_out
        self.seconds = seconds
        self.overdue = overdue
        self._lock = threading.Lock()
        self._answer: tuple[float, T] | None = None

    def get(self) -> T:
        kept = self._answer
        if kept is not None and time.monotonic() - kept[0] < self.seconds:
            return kept[1]
        if not self._lock.acquire(blocking=kept is None):
            return self._before(kept)  # type: ignore[arg-type]  # somebody else works it out
        try:
            if self._answer is kept:  # nobody has while this thread waited
                self._answer = (time.monotonic(), self.work_out())
            return self._answer[1]  # type: ignore[index]
        finally:
            self._lock.release()

    def _before(self, kept: tuple[float, T]) -> T:
        is_overdue = time.monotonic() - kept[0] > self.seconds + OVERDUE_SECONDS
        return self.overdue() if is_overdue and self.overdue is not None else kept[1]

    def forget(self) -> None:
        self._answer = None


STORAGE_SECONDS = 5.0
# A name that nothing has: an object store answers for it as it would for any other.
NO_FILE = "precis-health-check"
_lock = threading.Lock()
_unanswered: set[str] = set()


def database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return False
    return True


def broker_answers(timeout_seconds: float = 2.0) -> bool:
    """Whether jobs can be announced: the broker takes a connection, or its folders can be written to."""
    options: dict[str, str] = getattr(settings, "CELERY_BROKER_TRANSPORT_OPTIONS", {})
    if settings.CELERY_BROKER_URL.startswith("filesystem:"):
        return all(_is_writable(Path(options[name])) for name in ("data_folder_in", "data_folder_out"))
    return _succeeds("broker", lambda: _connect_to_broker(timeout_seconds), timeout_seconds)


def free_bytes(path: Path) -> int:
    """Return how much this account may still write to the disk of a folder."""
    return shutil.disk_usage(path).free


def oldest_waiting_job_seconds() -> float | None:
    """Return how long a job has waited for a worker: since it was asked for, or since its last worker was lost."""
    now = database_now()
    waiting = Job.objects.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING]).filter(  # as their index has it
        Q(state=Job.State.QUEUED) | Q(lease_ends_at__lt=now)
    )
    since = Case(When(state=Job.State.QUEUED, then=F("created_at")), default=F("lease_ends_at"))
    oldest = waiting.aggregate(oldest=Min(since))["oldest"]
    return None if oldest is None else max(0.0, (now - oldest).total_seconds())


def periodic_work_seconds() -> float | None:
    """Return how long ago any periodic work was done; None if none ever was."""
    return _seconds_since(PeriodicRun.objects.aggregate(at=Max("done_at"))["at"])


def late_periodic_work() -> dict[str, float] | None:
    """Return the periodic tasks that are late, with the seconds since they were done; None if nothing is known yet.

    A task that never was done counts from the last upgrade: whatever does them begins with each of them.
    """
    done = dict(PeriodicRun.objects.values_list("name", "done_at"))
    upgraded_at = MigrationRecorder.Migration.objects.aggregate(at=Max("applied"))["at"]
    now, late = database_now(), {}
    for seconds, task in periodic_tasks():
        ago = (now - done.get(task.__name__, upgraded_at)).total_seconds()
        if ago > 2 * seconds + PERIODIC_SECONDS:
            late[task.__name__] = ago
    return late if done or late else None


def oldest_waiting_mail_seconds() -> float | None:
    """Return how long a mail about a campaign has waited; None if none waits that will still be tried."""
    waiting = Notice.objects.filter(sent_at=None, attempts__lt=MAX_ATTEMPTS)
    return _seconds_since(waiting.aggregate(at=Min("created_at"))["at"])


def oldest_waiting_webhook_seconds() -> float | None:
    """Return how long a call of a webhook has been due; None if none is."""
    now = database_now()
    due = WebhookDelivery.objects.filter(state=WebhookDelivery.State.WAITING, next_try_at__lte=now)
    return _seconds_since(due.aggregate(at=Min("next_try_at"))["at"])


def _seconds_since(moment: datetime | None) -> float | None:
    return None if moment is None else max(0.0, (database_now() - moment).total_seconds())


def storage_answers(alias: str, timeout_seconds: float = STORAGE_SECONDS) -> bool:
    """Whether files can be kept in a storage of the settings: its folder can be written to, or its bucket answers."""
    storage = storages[alias]
    if isinstance(storage, FileSystemStorage):
        return _is_writable(Path(storage.location))
    return _succeeds(f"storage {alias}", lambda: _ask_storage(storage), timeout_seconds)


def _connect_to_broker(timeout_seconds: float) -> None:
    options = {"socket_connect_timeout": timeout_seconds, "socket_timeout": timeout_seconds}
    with Connection(
        settings.CELERY_BROKER_URL, connect_timeout=timeout_seconds, transport_options=options
    ) as connected:
        connected.connect()


def _ask_storage(storage: Storage) -> None:
    bucket = getattr(storage, "bucket", None)
    if bucket is None:
        storage.exists(NO_FILE)
    else:  # asked for a name, it says "not there" even if the bucket does not exist
        bucket.meta.client.head_bucket(Bucket=bucket.name)


def _is_writable(folder: Path) -> bool:
    """Whether files can be written to a folder, or the folder made where it should be."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)


def _succeeds(name: str, ask: Callable[[], object], seconds: float) -> bool:
    """Whether something ends without an error in this time.

    What takes longer is left to its own thread; until it has ended, the answer to the same question is no.
    """
    with _lock:
        if name in _unanswered:
            return False
        _unanswered.add(name)
    answers: queue.SimpleQueue[bool] = queue.SimpleQueue()

    def answer() -> None:
        try:
            ask()
            is_well = True
        except Exception:  # whatever the client of a broker or a store raises, it means no
            is_well = False
        _unanswered.discard(name)
        answers.put(is_well)

    threading.Thread(target=answer, name=name, daemon=True).start()
    try:
        return answers.get(timeout=seconds)
    except queue.Empty:
        return False

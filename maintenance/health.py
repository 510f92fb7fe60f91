"""Health checks: whether this process answers, and whether it can do its work.

Only the database makes a process unready. All processes share the broker, the disk, the storages and the jobs: if one
of these fails, taking the web server away as well would help nobody, so that is only reported.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from django.conf import settings
from django.db import Error
from django.http import HttpRequest, JsonResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from crowd.access import public
from maintenance.backups.nightly import backups_are_in_order
from maintenance.checks.questions import (
    KeptAnswer,
    broker_answers,
    database_answers,
    free_bytes,
    late_periodic_work,
    oldest_waiting_job_seconds,
    storage_answers,
)

KEPT_SECONDS = 5.0
ASKED_SECONDS = 2.0
MEGABYTE = 1_000_000
# For strangers: what does not work, and nothing about where or how it runs.
SENTENCES: dict[str, Promise] = {
    "database": _("The database does not answer."),
    "broker": _("Long work cannot be started right now. It starts by itself once the queue is back."),
    "disk": _("Disk space is running out."),
    "storages": _("Files cannot be stored or read right now."),
    "jobs": _("Long work has been waiting for longer than usual."),
    "periodic": _("What is done regularly, such as sending mails, is late."),
    "backups": _("The nightly backup is late."),
}


@dataclass(frozen=True)
class Readiness:
    """The outcome of each check; None where it could not be made."""

    checks: dict[str, bool | None]

    @property
    def is_ready(self) -> bool:
        return self.checks["database"] is True

    @property
    def status(self) -> str:
        if not self.is_ready:
            return "unavailable"
        return "degraded" if False in self.checks.values() else "ok"

    @property
    def sentences(self) -> list[str]:
        return [str(SENTENCES[name]) for name, passed in self.checks.items() if passed is False]


def readiness() -> Readiness:
    """Return what was found some seconds ago at most: strangers may ask as often as they like."""
    return _kept.get()


def readiness_forget() -> None:
    _kept.forget()


def _check() -> Readiness:
    database = database_answers()
    with ThreadPoolExecutor(max_workers=1 + len(settings.STORED)) as pool:  # none of them needs the database
        broker = pool.submit(broker_answers, ASKED_SECONDS)
        storages = list(pool.map(lambda alias: storage_answers(alias, ASKED_SECONDS), settings.STORED))
    return Readiness(
        {
            "database": database,
            "broker": broker.result(),
            "disk": _has_space(),
            "storages": all(storages),
            "jobs": _jobs_are_done() if database else None,
            "periodic": _periodic_work_is_done() if database else None,
            "backups": backups_are_in_order(),
        }
    )


def _has_space() -> bool:
    try:
        return free_bytes(settings.DATA_DIR) >= settings.MIN_FREE_MB * MEGABYTE
    except OSError:
        return False


def _jobs_are_done() -> bool | None:
    try:
        waited = oldest_waiting_job_seconds()
    except Error:  # the database has gone since
        return None
    return waited is None or waited <= settings.MAX_JOB_AGE_MINUTES * 60


def _periodic_work_is_done() -> bool | None:
    """Whether the workers or `beat` do all of it; None where they have just been installed."""
    try:
        late = late_periodic_work()
    except Error:
        return None
    return None if late is None else not late


def _is_hanging() -> Readiness:
    """A check without an end: only the database is asked without a bound."""
    return Readiness({name: False if name == "database" else None for name in SENTENCES})


_kept = KeptAnswer(_check, KEPT_SECONDS, _is_hanging)


@public
@never_cache
@require_safe
def live(_request: HttpRequest) -> JsonResponse:
    """Answer without touching anything: a process that cannot do even this must be started again."""
    return JsonResponse({"status": "ok"})


@public
@never_cache
@require_safe
def ready(_request: HttpRequest) -> JsonResponse:
    """Say what works; 503 if this process should get no requests."""
    found = readiness()
    answer = {"status": found.status, "checks": found.checks, "messages": found.sentences}
    return JsonResponse(answer, status=200 if found.is_ready else 503)

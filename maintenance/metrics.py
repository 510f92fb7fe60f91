"""What Prometheus reads: a page of the web server, and a small server in the worker."""

import logging
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING, Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from django.conf import settings
from django.db import Error
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from common.clock import database_now
from common.jobs import job_kinds
from common.metrics_folder import metrics_folder, metrics_folder_make
from common.models import Job
from common.telemetry import metrics
from crowd.access import public
from crowd.models import Assignment, Round
from maintenance.backups.nightly import backup_age_seconds
from maintenance.checks.questions import (
    KeptAnswer,
    free_bytes,
    oldest_waiting_job_seconds,
    oldest_waiting_mail_seconds,
    oldest_waiting_webhook_seconds,
    periodic_work_seconds,
)
from maintenance.health import readiness

if TYPE_CHECKING:
    from prometheus_client.core import Metric

KEPT_SECONDS = 10.0
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
WORDS_OF_SECONDS = {
    "precis_oldest_waiting_job_seconds": "How long the oldest job has waited; 0 if none waits.",
    "precis_oldest_waiting_mail_seconds": "How long the oldest mail about a campaign has waited; 0 if none waits.",
    "precis_oldest_waiting_webhook_seconds": "How long the oldest call of a webhook has been due; 0 if none is.",
    "precis_since_periodic_work_seconds": "How long ago any periodic work was done; 0 if none ever was.",
    "precis_since_backup_seconds": "How long ago the newest nightly backup was made; 0 if none is known.",
}
SECONDS: dict[str, Callable[[], float | None]] = {
    "precis_oldest_waiting_job_seconds": oldest_waiting_job_seconds,
    "precis_oldest_waiting_mail_seconds": oldest_waiting_mail_seconds,
    "precis_oldest_waiting_webhook_seconds": oldest_waiting_webhook_seconds,
    "precis_since_periodic_work_seconds": periodic_work_seconds,
    "precis_since_backup_seconds": backup_age_seconds,
}
UNFINISHED = (Job.State.QUEUED, Job.State.RUNNING)


@public
@never_cache
@require_safe
def metrics_page(request: HttpRequest) -> HttpResponse:
    """Answer whoever has the token; without a token in the settings there is no such page."""
    if not settings.METRICS_TOKEN:
        raise Http404("no token is set")
    if not has_token(request.headers.get("Authorization", "")):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"}, content_type=CONTENT_TYPE)
    return HttpResponse(counted() + known(), content_type=CONTENT_TYPE)


def has_token(authorization: str) -> bool:
    """Whether an Authorization header holds the token of the settings."""
    scheme, _, given = authorization.partition(" ")
    return scheme.lower() == "bearer" and constant_time_compare(given.strip(), settings.METRICS_TOKEN)


def counted() -> bytes:
    """Return what this process has counted, or all processes of this run together."""
    from prometheus_client import CollectorRegistry, generate_latest  # noqa: PLC0415 - only with a token
    from prometheus_client.multiprocess import MultiProcessCollector  # noqa: PLC0415

    folder = metrics_folder()
    if folder is None:
        return generate_latest(metrics().registry)
    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(folder))  # type: ignore[no-untyped-call]
    return generate_latest(registry)


def known() -> bytes:
    """Return what the database and the checks say, from some seconds ago at most."""
    from prometheus_client import CollectorRegistry, generate_latest  # noqa: PLC0415

    registry = CollectorRegistry()
    registry.register(_Known())
    return generate_latest(registry)


@dataclass(frozen=True)
class OfDatabase:
    """What one scrape reads: a fixed number of queries, whatever the size of the data."""

    leases: dict[str, int]
    jobs: dict[tuple[str, str], int]
    waiting_seconds: dict[str, float]


def of_database() -> OfDatabase | None:
    """Return what the database says; None if it does not answer."""
    try:
        leased = Assignment.objects.filter(state=Assignment.State.LEASED, lease_ends_at__gte=database_now())
        leases = dict(leased.order_by().values_list("round").annotate(Count("pk")))
        found = Job.objects.filter(state__in=UNFINISHED).order_by().values_list("kind", "state")
        jobs = {(kind, state): count for kind, state, count in found.annotate(Count("pk"))}
        asked = {name: ask() for name, ask in SECONDS.items()}
        return OfDatabase(leases, jobs, {name: 0.0 if seconds is None else seconds for name, seconds in asked.items()})
    except Error:
        return None


_kept = KeptAnswer(of_database, KEPT_SECONDS)


def known_forget() -> None:
    _kept.forget()


class _Known:
    """The gauges of this moment; those of the database are left out while it does not answer."""

    def collect(self) -> Iterator["Metric"]:
        from prometheus_client.core import GaugeMetricFamily as Gauge  # noqa: PLC0415

        checks = Gauge("precis_check_passed", "Whether a check of the installation passed: 1 or 0.", labels=["check"])
        for name, passed in readiness().checks.items():
            if passed is not None:
                checks.add_metric([name], float(passed))
        yield checks
        free = Gauge("precis_data_folder_free_bytes", "Free space on the disk of the data folder.")
        free.add_metric([], free_bytes(settings.DATA_DIR))
        yield free
        if (found := _kept.get()) is not None:
            yield from _gauges(found)


def _gauges(found: OfDatabase) -> Iterator["Metric"]:
    from prometheus_client.core import GaugeMetricFamily as Gauge  # noqa: PLC0415

    leases = Gauge("precis_live_leases", "Texts that people hold.", labels=["round"])
    for work_round in Round.values:
        leases.add_metric([work_round], found.leases.get(work_round, 0))
    yield leases
    jobs = Gauge("precis_unfinished_jobs", "Jobs that wait or run.", labels=["kind", "state"])
    for kind in sorted({*job_kinds(), *(kind for kind, _state in found.jobs)}):
        for state in UNFINISHED:
            jobs.add_metric([kind, state.value], found.jobs.get((kind, state.value), 0))
    yield jobs
    for name, words in WORDS_OF_SECONDS.items():
        seconds = Gauge(name, words)
        seconds.add_metric([], found.waiting_seconds[name])
        yield seconds


logger = logging.getLogger(__name__)


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _ServerOfIPv6(_Server):
    address_family = socket.AF_INET6


class _Handler(WSGIRequestHandler):
    timeout = 5

    def log_message(self, *_arguments: Any) -> None:
        """Keep no log of requests."""


def worker_metrics_prepare() -> None:
    """Make the folder for the counts, before the worker has other processes."""
    if settings.METRICS_TOKEN and settings.WORKER_METRICS:
        metrics_folder_make()


def worker_metrics_serve() -> None:
    """Answer in a thread of its own. If the address is taken, the worker works without."""
    if not (settings.METRICS_TOKEN and settings.WORKER_METRICS):
        return
    host, port = settings.WORKER_METRICS
    kind = _ServerOfIPv6 if ":" in host else _Server
    try:
        server = make_server(host, port, answer, server_class=kind, handler_class=_Handler)
    except OSError as error:
        logger.warning("The metrics of this worker cannot be read: %s", error)
        return
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()


def answer(request: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    if request["PATH_INFO"] != "/metrics":
        start_response("404 Not Found", [])
        return []
    if not has_token(request.get("HTTP_AUTHORIZATION", "")):
        start_response("401 Unauthorized", [("WWW-Authenticate", "Bearer")])
        return []
    start_response("200 OK", [("Content-Type", CONTENT_TYPE)])
    return [counted()]

"""What is counted and timed for Prometheus, and what the current thread works for, which each line of the log says.

Without PRECIS_METRICS_TOKEN nobody can read the counts, so nothing is counted. A request has an id, which a proxy of
ours or this process gives it; jobs that it asks for carry the id along.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any, NamedTuple

from django.conf import settings

REQUEST_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z-]{7,63}", re.ASCII)


class Trace(NamedTuple):
    """The id of a request, if there is one; of a job, also which attempt at which job of which kind it is."""

    request_id: str = ""
    job_id: int = 0
    job_kind: str = ""
    attempt: int = 0


NO_TRACE = Trace()
_current: ContextVar[Trace] = ContextVar("trace", default=NO_TRACE)


def current_trace() -> Trace:
    return _current.get()


@contextmanager
def traced(trace: Trace) -> Iterator[None]:
    token = _current.set(trace)
    try:
        yield
    finally:
        _current.reset(token)


def new_request_id() -> str:
    return os.urandom(8).hex()


def sane_request_id(text: str) -> str:
    """Return an id from outside if it is one, else an empty string: it will stand in logs and in headers."""
    return text if REQUEST_ID.fullmatch(text) else ""


METHODS = {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"}
REQUEST_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
JOB_BUCKETS = (0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 14400.0)


class Metrics:
    """Everything that is counted, in a registry of its own."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Histogram  # noqa: PLC0415 - see above

        self.registry = CollectorRegistry()
        of: dict[str, Any] = {"registry": self.registry}
        self.requests = Counter(
            "precis_http_requests", "Requests that were answered.", ["view", "method", "status"], **of
        )
        self.request_seconds = Histogram(
            "precis_http_request_duration_seconds",
            "Time to answer a request.",
            ["view", "method"],
            buckets=REQUEST_BUCKETS,
            **of,
        )
        self.claims = Counter("precis_claims", "Texts that were handed out.", ["round"], **of)
        self.submissions = Counter("precis_submissions", "Texts and ratings that were submitted.", ["round"], **of)
        self.refusals = Counter("precis_refusals", "Requests that were refused.", ["kind"], **of)
        self.throttled = Counter("precis_throttled", "Requests beyond a limit.", ["limit"], **of)
        self.failed_logins = Counter("precis_failed_logins", "Logins with a wrong name or password.", **of)
        self.webhooks = Counter("precis_webhook_attempts", "Attempts at calling webhooks that ended.", ["result"], **of)
        self.jobs = Counter("precis_job_attempts", "Attempts at jobs that ended.", ["kind", "result"], **of)
        self.job_seconds = Histogram(
            "precis_job_duration_seconds", "Time that an attempt at a job took.", ["kind"], buckets=JOB_BUCKETS, **of
        )


@cache
def metrics() -> Metrics:
    return Metrics()


def request_counted(*, view: str, method: str, status: int, seconds: float) -> None:
    if settings.METRICS_TOKEN:
        counted, method = metrics(), method if method in METHODS else "OTHER"
        counted.requests.labels(view, method, f"{status // 100}xx").inc()
        counted.request_seconds.labels(view, method).observe(seconds)


def claim_counted(work_round: str) -> None:
    if settings.METRICS_TOKEN:
        metrics().claims.labels(work_round).inc()


def submission_counted(work_round: str) -> None:
    if settings.METRICS_TOKEN:
        metrics().submissions.labels(work_round).inc()


def refusal_counted(refusal: Exception) -> None:
    """Count what a person was refused, by the name of its class."""
    if settings.METRICS_TOKEN:
        metrics().refusals.labels(type(refusal).__name__).inc()


def throttle_counted(limit: str) -> None:
    if settings.METRICS_TOKEN:
        metrics().throttled.labels(limit).inc()


def failed_login_counted() -> None:
    if settings.METRICS_TOKEN:
        metrics().failed_logins.inc()


def webhook_counted(result: str) -> None:
    if settings.METRICS_TOKEN:
        metrics().webhooks.labels(result).inc()


def job_counted(*, kind: str, result: str, seconds: float) -> None:
    if settings.METRICS_TOKEN:
        counted = metrics()
        counted.jobs.labels(kind, result).inc()
        counted.job_seconds.labels(kind).observe(seconds)

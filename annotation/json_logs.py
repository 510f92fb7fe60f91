"""The log as one JSON object per line, for programs that collect logs; as private as lines of text."""

import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime

from django.core.exceptions import ImproperlyConfigured

from annotation.private_logs import PrivateFormatter, described, error_of, private
from common import environment
from common.telemetry import current_trace

# What our own records add to their message.
ADDED = ("view", "method", "status", "duration_ms", "result")


class JsonFormatter(PrivateFormatter):
    """Format a record as an object; what does not apply to it is left out."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps({name: value for name, value in _fields(record) if value not in {None, ""}})


def chosen_formatter(text_format: str | None = None, date_format: str | None = None) -> logging.Formatter:
    """Return the formatter that PRECIS_LOG_FORMAT asks for."""
    chosen = environment.text("PRECIS_LOG_FORMAT", "text") or "text"
    if chosen not in {"text", "json"}:
        raise ImproperlyConfigured(f"PRECIS_LOG_FORMAT is text or json, and not {chosen!r}.")
    return JsonFormatter() if chosen == "json" else PrivateFormatter(text_format, date_format)


def _fields(record: logging.LogRecord) -> Iterator[tuple[str, str | int | float | None]]:
    yield "time", datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
    yield "level", record.levelname
    yield "logger", record.name
    yield "message", private(record.getMessage())
    trace = current_trace()
    yield "request", trace.request_id
    yield "job", trace.job_id or None
    yield "kind", trace.job_kind
    yield "attempt", trace.attempt or None
    yield from _of_django(record)
    yield from ((name, getattr(record, name, None)) for name in ADDED if hasattr(record, name))
    yield "error", "\n".join(described(error_of(record)))


def _of_django(record: logging.LogRecord) -> Iterator[tuple[str, str | int | None]]:
    """Yield what Django attaches to messages about a request: of the request, only which view it led to."""
    status = getattr(record, "status_code", None)
    if isinstance(status, int):
        match = getattr(getattr(record, "request", None), "resolver_match", None)
        yield "view", match.view_name if match else None
        yield "status", status

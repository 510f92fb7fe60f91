"""Log messages without the data of people: no query strings, no secrets of addresses, no values in errors' messages.

Platforms put a person's id into the query string, and the message of an error may repeat anything that was typed or
stored: PostgreSQL names the row that broke a constraint. What is left says where an error arose, and its type.

PRECIS_LOG_FORMAT chooses between lines of text and one JSON object per line, for programs that collect logs; both
promise the same.
"""

import json
import logging
import re
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime

from django.core.exceptions import ImproperlyConfigured, SuspiciousOperation
from django.db import OperationalError

from common import environment
from common.telemetry import current_trace

# From the question mark to the end of the line: a broken request may have spaces in its query string.
QUERY = re.compile(r"\?\S.*")
# Whoever has one of these addresses takes part, joins the staff, chooses a password or gets a file.
SECRET_PATH = re.compile(r"(?<![\w-])(/(?:join|invitations|files|password/reset)/)[^\s\"'<>?]+")
# The same secrets where an address is misspelt or a host: any long run of what they consist of that is no word in one
# case. It is looked for where addresses are, so that a name in another message can be read.
ADDRESSES = re.compile(r"(?:/|HTTP_HOST).*", re.DOTALL)
OF_SECRETS = "[A-Za-z0-9_-]"
LONG_RUN = re.compile(rf"(?<!{OF_SECRETS})(?!(?:[a-z_-]+|[A-Z_-]+)(?!{OF_SECRETS})){OF_SECRETS}{{20,}}")
# A request that is none: gunicorn repeats the line or the header that it could not read.
UNREADABLE = re.compile(r"(Invalid request from ip=\S+:).*", re.DOTALL)
# Messages from the system and about settings; an administrator needs them, and they repeat nothing of a request.
TELLING = (OSError, OperationalError, ImproperlyConfigured, ImportError, SystemExit)
# What our own records add to their message.
ADDED = ("view", "method", "status", "duration_ms", "result")


class PrivateFormatter(logging.Formatter):
    """Format records without query strings, and errors as their traceback and type."""

    def format(self, record: logging.LogRecord) -> str:
        message = self.message(record)
        request_id = current_trace().request_id
        if request_id:
            message = f"{message} (request {request_id})"
        return "\n".join([message, *described(error_of(record))])

    def message(self, record: logging.LogRecord) -> str:
        """Return what a record says, as the format has it, without its error."""
        kept = logging.makeLogRecord({**record.__dict__, "exc_info": None, "exc_text": None, "stack_info": None})
        return private(super().format(kept))


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


def private(message: str) -> str:
    shortened = SECRET_PATH.sub(r"\1…", QUERY.sub("?…", UNREADABLE.sub(r"\1 …", message)))
    return ADDRESSES.sub(lambda found: LONG_RUN.sub("…", found[0]), shortened)


def error_of(record: logging.LogRecord) -> BaseException | None:
    """Return the error that a record is to show.

    A request that Django refuses to read is one line: strangers could fill the log with tracebacks.
    """
    error = record.exc_info[1] if record.exc_info else None
    return None if isinstance(error, SuspiciousOperation) else error


def described(error: BaseException | None) -> Iterator[str]:
    """Yield the tracebacks and types of an error and of those that led to it, the first one first."""
    if error is None:
        return
    earlier = earlier_error(error)
    if earlier is not None:
        yield from described(earlier)
        yield "Then:"
    yield "".join(traceback.format_tb(error.__traceback__)).rstrip()
    message = telling_message(error)
    yield f"{type(error).__name__}: {message}" if message is not None else type(error).__name__


def earlier_error(error: BaseException) -> BaseException | None:
    return error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def telling_message(error: BaseException) -> str | None:
    """Return the message of an error if it cannot repeat anything of a person's."""
    return str(error) if isinstance(error, TELLING) else None

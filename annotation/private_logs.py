"""Log messages without the data of people: no query strings, and no values inside the messages of errors.

Platforms put a person's id into the query string, and the message of an error may repeat anything that was typed or
stored: PostgreSQL names the row that broke a constraint. What is left says where an error arose, and its type.
"""

import logging
import re
import traceback
from collections.abc import Iterator

from django.core.exceptions import ImproperlyConfigured, SuspiciousOperation
from django.db import OperationalError

# From the question mark to the end of the line: a broken request may have spaces in its query string.
QUERY = re.compile(r"\?\S.*")
# A request that is none: gunicorn repeats the line or the header that it could not read.
UNREADABLE = re.compile(r"(Invalid request from ip=\S+:).*", re.DOTALL)
# Messages from the system and about settings; an administrator needs them, and they repeat nothing of a request.
TELLING = (OSError, OperationalError, ImproperlyConfigured, ImportError, SystemExit)


class PrivateFormatter(logging.Formatter):
    """Format records without query strings, and errors as their traceback and type."""

    def format(self, record: logging.LogRecord) -> str:
        error = record.exc_info[1] if record.exc_info else None
        kept = logging.makeLogRecord({**record.__dict__, "exc_info": None, "exc_text": None, "stack_info": None})
        message = QUERY.sub("?…", UNREADABLE.sub(r"\1 …", super().format(kept)))
        # A request that Django refuses to read is one line: strangers could fill the log with tracebacks.
        if error is None or isinstance(error, SuspiciousOperation):
            return message
        return "\n".join([message, *_described(error)])


def _described(error: BaseException) -> Iterator[str]:
    """Yield the tracebacks and types of an error and of those that led to it, the first one first."""
    earlier = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if earlier is not None:
        yield from _described(earlier)
        yield "Then:"
    yield "".join(traceback.format_tb(error.__traceback__)).rstrip()
    yield f"{type(error).__name__}: {error}" if isinstance(error, TELLING) else type(error).__name__

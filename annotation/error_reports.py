"""Reports of errors to a Sentry server, if PRECIS_SENTRY_DSN names one; without it, nothing of this is imported.

A report is built anew from the few parts that can hold nothing of a person's: where the error arose, its type, and the
messages that the log would show as well (`annotation/logs.py`). Whatever else the library has collected, such
as requests, variables, users and the statements before the error, is dropped, also what later versions of it may add.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from annotation.logs import earlier_error, private, telling_message
from common.extras import product_version
from common.telemetry import current_trace

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint

KEPT = ("event_id", "timestamp", "level", "platform", "logger", "release", "environment")
OF_FRAMES = ("filename", "function", "module", "lineno", "in_app")
OF_ERRORS = ("type", "module")
# Where the name of a transaction comes from if it is one of ours, and not an address.
NAMED = {"component", "task"}


def report_errors(dsn: str) -> None:
    import sentry_sdk
    from sentry_sdk.integrations.celery import CeleryIntegration
    from sentry_sdk.integrations.django import DjangoIntegration

    sentry_sdk.init(
        dsn=dsn,
        release=f"precis@{product_version()}",
        integrations=[
            DjangoIntegration(
                transaction_style="function_name", middleware_spans=False, signals_spans=False, cache_spans=False
            ),
            CeleryIntegration(propagate_traces=False),
        ],
        auto_enabling_integrations=False,
        before_send=scrubbed,
        send_default_pii=False,
        max_request_body_size="never",
        include_local_variables=False,
        include_source_context=False,
        max_breadcrumbs=0,
        server_name="",
        auto_session_tracking=False,
        send_client_reports=False,
        propagate_traces=False,
        enable_metrics=False,
        spotlight=False,
    )


def scrubbed(event: "Event", hint: "Hint") -> "Event":
    """Return what may be sent of an event."""
    sent: Any = {name: event[name] for name in KEPT if name in event}  # type: ignore[literal-required]
    sent["tags"] = dict(_tags())
    info: Any = event.get("transaction_info") or {}
    if info.get("source") in NAMED:
        sent["transaction"] = event.get("transaction", "")
    if message := _message(event):
        sent["message"] = message
    if error := (hint.get("exc_info") or (None, None, None))[1]:
        sent["exception"] = {"values": [_error(each, telling_messages(error)) for each in _errors(event)]}
    return sent  # type: ignore[no-any-return]


def telling_messages(error: BaseException | None) -> set[tuple[str, str]]:
    """Return the types and messages that the log would show, of an error and of those that led to it."""
    found: set[tuple[str, str]] = set()
    while error is not None:
        message = telling_message(error)
        if message is not None:
            found.add((type(error).__name__, message))
        error = earlier_error(error)
    return found


def _tags() -> Iterator[tuple[str, str]]:
    trace = current_trace()
    if trace.request_id:
        yield "request", trace.request_id
    if trace.job_id:
        yield from (("job", str(trace.job_id)), ("kind", trace.job_kind), ("attempt", str(trace.attempt)))


def _message(event: "Event") -> str:
    """Return the template of a message that was logged: what was filled in may be of a person's."""
    entry: Any = event.get("logentry") or {}
    return private(str(entry.get("message") or ""))


def _errors(event: "Event") -> list[dict[str, Any]]:
    exception: Any = event.get("exception") or {}
    values: list[dict[str, Any]] = exception.get("values") or []
    return values


def _error(value: dict[str, Any], telling: set[tuple[str, str]]) -> dict[str, Any]:
    frames = (value.get("stacktrace") or {}).get("frames") or []
    kept = {name: value[name] for name in OF_ERRORS if name in value}
    if (value.get("type"), value.get("value")) in telling:
        kept["value"] = value["value"]
    kept["stacktrace"] = {"frames": [{name: frame.get(name) for name in OF_FRAMES} for frame in frames]}
    return kept

"""Answers to requests that fail, as problem details (RFC 9457): a status, a sentence, and the fields at fault."""

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.core.exceptions import ValidationError as ModelValidationError
from django.http import Http404, JsonResponse
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.response import Response
from rest_framework.views import set_rollback

from common.errors import FilesAway, NotYours, Refused, TooManyRequests
from common.telemetry import current_trace, refusal_counted

MEDIA_TYPE = "application/problem+json"
FILES_RETRY_SECONDS = 60
MOST_FAULTS = 20
"""How many faults a refusal names."""
LONGEST_REASON = 500
"""How much of each it says: a reason may repeat what was sent."""


class Problem(Exception):
    """A refusal with a status of its own, and members beside the usual ones."""

    def __init__(self, status: HTTPStatus, detail: str, *, code: str = "", **members: Any) -> None:
        super().__init__(detail)
        self.status, self.detail, self.code, self.members = status, detail, code, members


class FaultSerializer(serializers.Serializer[Any]):
    """Which field is wrong, and why."""

    field = serializers.CharField(help_text="The name of the field, with dots for nested fields.")
    reason = serializers.CharField()


class ProblemSerializer(serializers.Serializer[Any]):
    """Why a request failed (RFC 9457)."""

    type = serializers.CharField(help_text="Always about:blank: the status says what kind of problem this is.")
    title = serializers.CharField(help_text="The words of the HTTP status.")
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="What is wrong, for a person to read.")
    code = serializers.CharField(required=False, help_text="What is wrong, for programs that must tell causes apart.")
    errors = FaultSerializer(many=True, required=False, help_text="The fields at fault.")  # type: ignore[assignment]
    request = serializers.CharField(required=False, help_text="The id of the request in the server's log.")


def problem(status: int, detail: str, *, code: str = "", **members: Any) -> dict[str, Any]:
    """Return the members of a problem."""
    known = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": int(status),
        "detail": sendable(detail),
    }
    if code:
        known["code"] = code
    if request_id := current_trace().request_id:
        known["request"] = request_id
    return known | members


def problem_page(status: int, detail: str, **members: Any) -> JsonResponse:
    """Return a problem from outside of an endpoint, such as an address that leads nowhere."""
    return JsonResponse(problem(status, detail, **members), status=status, content_type=MEDIA_TYPE)


def problem_answer(error: Exception, _context: Mapping[str, Any]) -> Response | None:
    """Return the answer to an exception that an endpoint raised; None for one that nobody foresaw."""
    answer = _answer(error)
    if answer is not None:
        set_rollback()
        answer.content_type = MEDIA_TYPE
    return answer


def _answer(error: Exception) -> Response | None:  # noqa: C901, PLR0911 - one case for each kind of error
    match error:
        case Problem():
            return _response(error.status, error.detail, code=error.code, **error.members)
        case ValidationError():
            return _invalid(error.detail)
        case ModelValidationError():
            return _invalid(
                error.message_dict if hasattr(error, "error_dict") else {"non_field_errors": error.messages}
            )
        case Http404() | NotYours():
            return _response(404, _("There is nothing here, or this token may not see it."))
        case PermissionDenied():
            return _response(403, str(error) or _("This token may not do this."))
        case TooManyRequests():
            return _response(429, str(error), headers={"Retry-After": str(error.retry_after)})
        case SuspiciousOperation():
            return _response(400, _("This form has too many fields or files, or is broken."))
        case FilesAway():
            return _response(503, str(error), headers={"Retry-After": str(FILES_RETRY_SECONDS)})
        case Refused():
            refusal_counted(error)
            return _response(409, str(error), code=error.code)
        case APIException():
            return _of_framework(error)
    return None


def _of_framework(error: APIException) -> Response:
    headers = {}
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    return _response(error.status_code, str(error.detail), headers=headers)


def _response(status: int, detail: str, *, headers: Mapping[str, str] | None = None, **members: Any) -> Response:
    return Response(problem(status, detail, **members), status=status, headers=dict(headers or {}))


def _invalid(detail: Any) -> Response:
    found = list(_faults(detail, ()))
    faults = [
        {"field": sendable(field[:LONGEST_REASON]), "reason": sendable(reason[:LONGEST_REASON])}
        for field, reason in found[:MOST_FAULTS]
    ]
    said = [f"{each['field']}: {each['reason']}" if each["field"] else each["reason"] for each in faults]
    if more := len(found) - len(faults):
        said.append(_("and %(n)s more") % {"n": more})
    return _response(400, "; ".join(said), errors=faults)


def _faults(detail: Any, path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield each fault with the path of its field; faults of a whole object have that object's path."""
    if isinstance(detail, Mapping):
        for name, below in detail.items():
            yield from _faults(below, path if name in {"non_field_errors", "__all__"} else (*path, str(name)))
    elif isinstance(detail, list | tuple):
        for number, below in enumerate(detail):
            is_object = isinstance(below, Mapping | list | tuple)
            yield from _faults(below, (*path, str(number)) if is_object else path)
    else:
        yield ".".join(path), str(detail)


def sendable(text: str) -> str:
    """Return a text as UTF-8 can hold it: JSON may hold half a character, and refusals repeat what was sent."""
    return text.encode(errors="backslashreplace").decode()

"""What can go wrong, as exceptions. A refusal of the server has its status, the reason and the fields at fault."""

from collections.abc import Mapping, Sequence
from typing import Any

import httpx


class PrecisError(Exception):
    """The server refused a request, or could not be reached.

    Attributes
    ----------
    status : int or None
        The HTTP status; None if no answer came.
    detail : str
        What is wrong, for a person to read.
    code : str
        What is wrong, for a program; empty where the server gives no code.
    errors : list of dict
        The fields at fault, each with ``field`` and ``reason``.
    request_id : str
        The id of the request in the server's log; name it when you ask the operator.
    members : dict
        All that the server told, such as ``confirm`` for a change that asks for a confirmation.

    Examples
    --------
    >>> try:
    ...     campaign.open()
    ... except PrecisError as error:
    ...     print(error.status, error.detail)
    """

    def __init__(
        self,
        detail: str,
        *,
        status: int | None = None,
        code: str = "",
        errors: Sequence[Mapping[str, str]] = (),
        request_id: str = "",
        retry_after: float | None = None,
        members: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status, self.detail, self.code = status, detail, code
        self.errors = [dict(each) for each in errors]
        self.request_id = request_id
        self.retry_after = retry_after
        self.members = dict(members or {})

    def __str__(self) -> str:
        told = self.detail if self.status is None else f"{self.status}: {self.detail}"
        return f"{told} (request {self.request_id})" if self.request_id else told


class Invalid(PrecisError):
    """What was sent is wrong (400, 413, 415, 422); ``errors`` names the fields."""


class Unauthorised(PrecisError):
    """The token is missing, wrong, revoked or expired (401)."""


class Forbidden(PrecisError):
    """The token's scope, or your role in the campaign, does not allow this (403)."""


class NotFound(PrecisError):
    """There is no such thing, or this token may not see it (404)."""


class Refused(PrecisError):
    """This is not possible at the moment (409), such as opening a campaign without texts."""


class TooMany(PrecisError):
    """Too many requests (429); ``retry_after`` says how many seconds to wait."""


class ChecksumError(PrecisError):
    """A downloaded file is not the one that the release names."""


class JobFailed(PrecisError):
    """A job on the server failed; ``detail`` is its message."""


class StillRunning(PrecisError, TimeoutError):
    """The time to wait was up before the work was done."""


KINDS: Mapping[int, type[PrecisError]] = {
    400: Invalid,
    401: Unauthorised,
    403: Forbidden,
    404: NotFound,
    409: Refused,
    413: Invalid,
    415: Invalid,
    422: Invalid,
    429: TooMany,
}


def error_of(response: httpx.Response, retry_after: float | None = None) -> PrecisError:
    """Return the exception for a refusal, whose body has been read."""
    told = _problem(response)
    detail = str(told.get("detail") or f"The server answered {response.status_code} {response.reason_phrase}.")
    errors = told.get("errors")
    return KINDS.get(response.status_code, PrecisError)(
        detail,
        status=response.status_code,
        code=str(told.get("code") or ""),
        errors=errors if isinstance(errors, list) else (),
        request_id=str(told.get("request") or response.headers.get("X-Request-Id", "")),
        retry_after=retry_after,
        members=told,
    )


def _problem(response: httpx.Response) -> Mapping[str, Any]:
    """Return the members of a problem; a front that answers for the server sends none."""
    try:
        told = response.json()
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}

"""The HTTP client of `huggingface_hub`, by which it reaches listed hosts alone (common/outgoing).

The Hub keeps large files on the servers of a storage provider and answers with an address for each. These addresses are
the only ones elsewhere that are called: by HTTPS, at public addresses, to put a file there, and without the token.
"""

import json
from collections.abc import Iterator
from typing import Any

import httpx2
from django.conf import settings
from huggingface_hub.utils._http import parse_ratelimit_headers

from common.outgoing.answers import PASSING, reason_of, seconds_of
from common.outgoing.client import Answer, Call, Fault, send
from common.outgoing.hosts import Receiver, target_of
from corpus.publishing.destination import LONGEST_PAUSE, Destination, bounds_of

PER_CALL = {"host", "connection", "transfer-encoding"}  # of headers: `send` sets them
OF_THE_BODY = {"content-encoding", "content-length", "transfer-encoding"}
BUSY = b"another conflicting operation is in progress"
BATCH = "/info/lfs/objects/batch"


def hub_client(destination: Destination) -> httpx2.Client:
    return httpx2.Client(transport=ListedTransport(destination), follow_redirects=False, timeout=None, trust_env=False)


class ListedTransport(httpx2.BaseTransport):
    """Sends each request by `common.outgoing`. What asking again cannot change is raised as Refused."""

    def __init__(self, destination: Destination) -> None:
        self._destination = destination
        self._stores: set[Receiver] = set()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        headers = {name: value for name, value in request.headers.items() if name.lower() not in PER_CALL}
        length = int(headers.get("content-length", 0))
        body = request.stream if length else b""
        call = Call(request.method, str(request.url), body, headers)  # type: ignore[arg-type]
        answer = send(call, receivers=self._receivers(request), bounds=bounds_of(length))
        if answer.status is None or answer.fault in {Fault.REDIRECT, Fault.SIZE}:
            raise self._fault(answer, request)
        if request.url.path.endswith(BATCH):
            self._stores.update(_stores(answer.body))
        return self._response(answer, request)

    def _receivers(self, request: httpx2.Request) -> list[Receiver]:
        """The Hub; the token goes nowhere else. Files may be put where the Hub says, or on another listed host."""
        if request.method != "PUT" or "authorization" in request.headers:
            return [self._destination.receiver]
        return [self._destination.receiver, *settings.PUBLISH_RECEIVERS, *self._stores]

    def _fault(self, answer: Answer, request: httpx2.Request) -> Exception:
        why = f"{reason_of(answer)} ({request.url.host})"
        if answer.fault == Fault.TIMEOUT:
            return httpx2.ReadTimeout(why, request=request)
        if answer.fault in {Fault.CONNECTION, Fault.NAME}:
            return httpx2.ReadError(why, request=request)
        return self._destination.refused(why)

    def _response(self, answer: Answer, request: httpx2.Request) -> httpx2.Response:
        """Return the answer as the library takes it: an error in JSON, and no wait that is too long."""
        status, body = answer.status or 0, answer.body
        headers = {name: value for name, value in answer.headers.items() if name.lower() not in OF_THE_BODY}
        if status == 409 and BUSY in body:
            status = 503  # at a 409 the library would ask again at once, for ever
        if status in PASSING:
            asked = asked_pause(headers)
            if asked is not None and asked > LONGEST_PAUSE:
                raise self._destination.refused(f"{reason_of(answer)}; it asks to wait {asked:.0f} seconds.")
        if status >= 400 and not _is_object(body):
            body = json.dumps({"error": reason_of(answer)}).encode()
        return httpx2.Response(status, headers=headers, content=body, request=request)


def asked_pause(headers: Any) -> float | None:
    """Return how long an answer asks to wait: the Hub says it in either of two headers."""
    limits = parse_ratelimit_headers(headers)
    if limits is not None and limits.remaining == 0:
        return float(limits.reset_in_seconds)
    return seconds_of(next((headers[name] for name in headers if name.lower() == "retry-after"), ""))


def _is_object(body: bytes) -> bool:
    try:
        return isinstance(json.loads(body), dict)
    except (ValueError, RecursionError):
        return False


def _stores(body: bytes) -> Iterator[Receiver]:
    """Yield the hosts at which the Hub lets files be put; a host that is not public is not called."""
    try:
        uploads = [each.get("actions", {}).get("upload", {}) for each in json.loads(body)["objects"]]
        addresses = [address for each in uploads for address in (each.get("href"), *each.get("header", {}).values())]
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return
    for address in addresses:
        target = target_of(address) if isinstance(address, str) else None
        if target and target.scheme == "https":
            yield Receiver(target.scheme, target.host, target.port, is_inside=False)

"""One call of a webhook: signed, to the very address that was checked, within a few seconds, without redirects.

The adapter of requests is used without its session, which would read proxies, passwords and certificates from the
environment, and the whole body of every redirect.
"""

import hashlib
import hmac
import socket
import threading
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import requests
from django.conf import settings
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection

from crowd.models import Webhook, WebhookDelivery
from dashboard.webhooks.hosts import Receiver, Target, is_public, receiver_of, target_of

Error = WebhookDelivery.Error
SECONDS = 10.0
"""A call is over by then, however slowly its receiver answers."""
CONNECT_SECONDS, READ_SECONDS = 4.0, 8.0
TRUSTED: bool | str = True
"""Whose certificates are believed: those of the authorities that come with requests."""
SIGNATURE, DELIVERY, EVENT = "Precis-Signature", "Precis-Delivery", "Precis-Event"


@dataclass(frozen=True)
class Answer:
    """What became of a call: the status of the answer, if there was one, and what went wrong, if something did."""

    status: int | None = None
    error: str = Error.NONE


def webhook_secret(webhook: Webhook) -> str:
    """Return what a webhook's calls are signed with. The database alone does not tell it."""
    key = settings.SECRET_KEY.encode()
    digest = hmac.digest(key, f"precis webhook {webhook.salt}".encode(), hashlib.sha256)
    return "whsec_" + urlsafe_b64encode(digest).decode().rstrip("=")


def signature(secret: str, body: bytes, at: int) -> str:
    """Return the header that signs a body and its time.

    >>> signature("whsec_1", b"{}", 1700000000)[:31]
    't=1700000000,v1=c8cf6ed9fd91208'
    """
    signed = hmac.digest(secret.encode(), f"{at}.".encode() + body, hashlib.sha256)
    return f"t={at},v1={signed.hex()}"


def allowed_target(address: str) -> tuple[Target, Receiver] | None:
    """Return where an address leads and the listed host that it is on; None if this installation may not call it."""
    target = target_of(address)
    receiver = target and receiver_of(target, settings.WEBHOOK_RECEIVERS)
    return (target, receiver) if target and receiver else None


def call(address: str, body: bytes, headers: Mapping[str, str], secret: str) -> Answer:
    """Send a body to an address, if this installation may, and return what became of it."""
    allowed = allowed_target(address)
    if allowed is None:
        return Answer(error=Error.HOST)
    target, receiver = allowed
    watch = _Watch(time.monotonic() + SECONDS)
    found = _addresses(target)
    if not found:
        return Answer(error=Error.NAME)
    if not receiver.is_inside and not all(is_public(each) for each in found):
        return Answer(error=Error.INSIDE)
    signed = {SIGNATURE: signature(secret, body, int(time.time()))}
    return _post(target, found[0], body, {**headers, **signed}, watch)


def _addresses(target: Target) -> list[str]:
    """Return the addresses of a host, those of IPv4 first, as not every server has IPv6; none if it is not found."""
    try:
        found = socket.getaddrinfo(target.host.strip("[]"), target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return sorted(dict.fromkeys(str(address[0]) for *_, address in found), key=lambda address: ":" in address)


def _post(target: Target, address: str, body: bytes, headers: Mapping[str, str], watch: "_Watch") -> Answer:
    named = {"Host": target.host_header, "Content-Type": "application/json", "User-Agent": "Precis"}
    request = requests.Request("POST", target.url, data=body, headers={**named, **headers}).prepare()
    try:
        with watch.running(), _Pinned(target, address, watch) as adapter:
            timeout = (CONNECT_SECONDS, READ_SECONDS)
            answer = adapter.send(request, stream=True, timeout=timeout, verify=TRUSTED, proxies={})
            answer.close()  # what it says beside its status is never read
    except requests.exceptions.SSLError:
        return Answer(error=Error.TIMEOUT if watch.is_over else Error.TLS)
    except requests.exceptions.Timeout:
        return Answer(error=Error.TIMEOUT)
    except (requests.exceptions.RequestException, OSError):
        return Answer(error=Error.TIMEOUT if watch.is_over else Error.CONNECTION)
    if watch.is_over:  # a head that was cut off can look whole
        return Answer(error=Error.TIMEOUT)
    return Answer(answer.status_code, _error_of(answer.status_code))


def _error_of(status: int) -> str:
    if 200 <= status < 300:
        return Error.NONE
    return Error.REDIRECT if 300 <= status < 400 else Error.STATUS


@dataclass
class _Watch:
    """Ends a connection when its time is over: a timeout of a socket begins anew with every byte."""

    ends_at: float
    connections: list[HTTPConnection] = field(default_factory=list)
    is_over: bool = False

    @contextmanager
    def running(self) -> Iterator[None]:
        timer = threading.Timer(max(0.0, self.ends_at - time.monotonic()), self._end)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def begins(self, connection: HTTPConnection) -> None:
        """Take in a connection that is about to be made, unless it is too late for that."""
        if self.is_over or time.monotonic() >= self.ends_at:
            self.is_over = True
            raise TimeoutError
        self.connections.append(connection)

    def _end(self) -> None:
        self.is_over = True
        for connection in self.connections:
            if connection.sock is not None:
                try:
                    socket.socket.shutdown(connection.sock, socket.SHUT_RDWR)
                except OSError:  # it has just ended by itself
                    continue


class _Pinned(HTTPAdapter):
    """Connects to one address, whatever its name leads to by now; certificates are those of the name."""

    def __init__(self, target: Target, address: str, watch: _Watch) -> None:
        super().__init__(pool_connections=1, pool_maxsize=1, max_retries=0)
        self._target, self._address, self._watch = target, address, watch

    def __enter__(self) -> "_Pinned":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def build_connection_pool_key_attributes(
        self, request: requests.PreparedRequest, verify: Any, cert: Any = None
    ) -> tuple[Any, Any]:
        host: dict[str, Any]
        pool: dict[str, Any]
        host, pool = super().build_connection_pool_key_attributes(request, verify, cert)  # type: ignore[assignment]
        name = self._target.host.strip("[]")
        if self._target.scheme == "https":
            pool |= {"server_hostname": name, "assert_hostname": name}
        return {**host, "host": self._address, "port": self._target.port}, pool

    def get_connection_with_tls_context(
        self, request: requests.PreparedRequest, verify: Any, proxies: Any = None, cert: Any = None
    ) -> Any:
        pool: Any = super().get_connection_with_tls_context(request, verify, proxies=proxies, cert=cert)
        pool.ConnectionCls = _watched(pool.ConnectionCls, self._watch)
        return pool


def _watched(kind: type[HTTPConnection], watch: _Watch) -> type[HTTPConnection]:
    class Watched(kind):  # type: ignore[valid-type, misc]
        def connect(self) -> None:
            watch.begins(self)
            super().connect()

    return Watched

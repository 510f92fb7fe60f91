"""One call of another server: to the very address that was checked, within a time and a size, without redirects.

All calls of hosts that an operator has listed are made here. The adapter of requests is used without its session, which
would read proxies, passwords and certificates from the environment, and the whole body of every redirect.
"""

import socket
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection
from urllib3.exceptions import HTTPError

from common.outgoing.hosts import Receiver, Target, is_public, receiver_of, target_of

CHUNK = 16 * 1024
TRUSTED: bool | str = True
"""Whose certificates are believed: those of the authorities that come with requests."""


class Fault(StrEnum):
    """What went wrong in a call."""

    NONE = ""
    HOST = "host"
    NAME = "name"
    INSIDE = "inside"
    TLS = "tls"
    CONNECTION = "connection"
    TIMEOUT = "timeout"
    REDIRECT = "redirect"
    STATUS = "status"
    SIZE = "size"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Bounds:
    """What a call may take: it is over after so many seconds, however slowly the other side sends."""

    seconds: float
    connect_seconds: float
    read_seconds: float
    most_bytes: int = 0
    """Of the body of the answer; with 0 it is never read."""


@dataclass(frozen=True)
class Answer:
    """What became of a call: the status of the answer, if there was one, and what went wrong, if something did."""

    status: int | None = None
    fault: Fault = Fault.NONE
    body: bytes = b""
    retry_after: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)


def allowed_target(address: str, receivers: Iterable[Receiver]) -> tuple[Target, Receiver] | None:
    """Return where an address leads and the listed host that it is on; None if this installation may not call it."""
    target = target_of(address)
    receiver = target and receiver_of(target, receivers)
    return (target, receiver) if target and receiver else None


@dataclass(frozen=True)
class Call:
    """What is sent. A body in pieces has its Content-Length among the headers."""

    method: str
    address: str
    body: bytes | Iterable[bytes] = b""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


def post(
    address: str, body: bytes, headers: Mapping[str, str], *, receivers: Iterable[Receiver], bounds: Bounds
) -> Answer:
    """Send a JSON body to an address on one of the listed hosts, and return what became of it."""
    call = Call("POST", address, body, {"Content-Type": "application/json", **headers})
    return send(call, receivers=receivers, bounds=bounds)


def send(call: Call, *, receivers: Iterable[Receiver], bounds: Bounds) -> Answer:
    """Make a call to an address on one of the listed hosts, and return what became of it."""
    allowed = allowed_target(call.address, receivers)
    if allowed is None:
        return Answer(fault=Fault.HOST)
    target, receiver = allowed
    watch = _Watch(time.monotonic() + bounds.seconds)
    found = _addresses(target)
    if not found:
        return Answer(fault=Fault.NAME)
    if not receiver.is_inside and not all(is_public(each) for each in found):
        return Answer(fault=Fault.INSIDE)
    return _pinned(target, found[0], call, bounds, watch)


def _pinned(target: Target, address: str, call: Call, bounds: Bounds, watch: "_Watch") -> Answer:
    headers = {"Host": target.host_header, "User-Agent": "Precis", **call.headers}
    request = requests.Request(call.method, target.url, headers=headers).prepare()
    request.body = call.body  # type: ignore[assignment]  # pieces are sent as they are, since the length is known
    if isinstance(call.body, bytes):
        request.prepare_content_length(call.body)
    try:
        with watch.running(), _Pinned(target, address, watch) as adapter:
            answer = _sent(adapter, request, bounds)
    except requests.exceptions.SSLError:
        return Answer(fault=Fault.TIMEOUT if watch.is_over else Fault.TLS)
    except requests.exceptions.Timeout:
        return Answer(fault=Fault.TIMEOUT)
    except (requests.exceptions.RequestException, HTTPError, OSError):
        return Answer(fault=Fault.TIMEOUT if watch.is_over else Fault.CONNECTION)
    # What was cut off can look whole.
    return Answer(fault=Fault.TIMEOUT) if watch.is_over else answer


def _addresses(target: Target) -> list[str]:
    """Return the addresses of a host, those of IPv4 first, as not every server has IPv6; none if it is not found."""
    try:
        found = socket.getaddrinfo(target.host.strip("[]"), target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return sorted(dict.fromkeys(str(address[0]) for *_, address in found), key=lambda address: ":" in address)


def _sent(adapter: HTTPAdapter, request: requests.PreparedRequest, bounds: Bounds) -> Answer:
    timeout = (bounds.connect_seconds, bounds.read_seconds)
    answer = adapter.send(request, stream=True, timeout=timeout, verify=TRUSTED, proxies={})
    status, fault = answer.status_code, _fault_of(answer.status_code)
    try:
        body = b"" if fault == Fault.REDIRECT else _body(answer, bounds.most_bytes)
    finally:
        answer.close()
    if body is None:
        return Answer(status, fault or Fault.SIZE)
    return Answer(status, fault, body, answer.headers.get("Retry-After", ""), dict(answer.headers))


def _body(answer: requests.Response, most: int) -> bytes | None:
    """Return the body of an answer, None if it is longer than it may be."""
    body = bytearray()
    for chunk in answer.iter_content(CHUNK) if most else ():
        body += chunk
        if len(body) > most:
            return None
    return bytes(body)


def _fault_of(status: int) -> Fault:
    if 200 <= status < 300:
        return Fault.NONE
    return Fault.REDIRECT if 300 <= status < 400 else Fault.STATUS


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

"""The web server's worker: gunicorn's threads, which get a request only when all of it has come.

gunicorn gives a connection to a thread with its first byte, so a few people who send slowly hold all threads. Here the
main loop collects requests without waiting for any of them. Only a body that is too large to collect is read by a
thread, and never more than half of the threads do that at a time.
"""

import contextlib
import re
import socket
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from selectors import EVENT_READ
from typing import Any

from gunicorn.errors import AppImportError
from gunicorn.http.errors import NoMoreData
from gunicorn.http.unreader import SocketUnreader
from gunicorn.workers.gthread import ThreadWorker

from annotation.start_checks import wrong_setting
from common.client_address import address_group

HEAD_SECONDS = 15.0
# For the rest of a request, beside the time that it takes at the lowest speed.
BODY_SECONDS = 30.0
LOWEST_BYTES_PER_SECOND = 16 * 1024
LARGE_BODY_SECONDS = 300.0
# A client must take each piece of a response within this time.
SEND_SECONDS = 30.0
CLOSE_SECONDS = 5.0
DRAIN_SECONDS = 0.1
MAX_COLLECTED_BYTES = 64 * 1024 * 1024
MAX_LARGE_WAITING = 64
RECEIVE_BYTES = 64 * 1024

# A body up to this size is collected before a thread sees the request.
MAX_COLLECTED_BODY = 4 * 1024 * 1024
# No browser sends more. Such a request is given to gunicorn, which has limits of its own.
MAX_HEAD = 64 * 1024
MAX_DIGITS = 18

END_OF_LINE, END_OF_HEAD = b"\r\n", b"\r\n\r\n"
CONTENT_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d+)[ \t]*\r\n", re.IGNORECASE)
# Neither browsers nor the client send bodies without a length, and counting them chunk by chunk costs much.
CHUNKED = re.compile(rb"\r\ntransfer-encoding:", re.IGNORECASE)
EXPECT = re.compile(rb"\r\nexpect:[ \t]*100-continue", re.IGNORECASE)
REFUSAL = b"HTTP/1.1 %s\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
BAD_REQUEST, TIMED_OUT, LENGTH_REQUIRED = b"400 Bad Request", b"408 Request Timeout", b"411 Length Required"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


@dataclass(frozen=True)
class Extent:
    """Where a request ends: how many bytes come before its body, and how many it has.

    `refused` is the status with which to refuse it at once; empty for a request that gunicorn may see.
    """

    body_start: int
    length: int = 0
    expects_continue: bool = False
    refused: bytes = b""

    @property
    def is_large(self) -> bool:
        return self.length > MAX_COLLECTED_BODY


def request_extent(received: bytearray) -> Extent | None:
    """Return the extent of the request that `received` begins, or None while its head is incomplete.

    >>> request_extent(bytearray(b"GET / HTTP/1.1\\r\\nHost: a")) is None
    True
    >>> request_extent(bytearray(b"POST / HTTP/1.1\\r\\nContent-Length: 5\\r\\n\\r\\nabc")).length
    5
    """
    start = len(END_OF_LINE) if received.startswith(END_OF_LINE) else 0  # one is allowed before a request
    end = received.find(END_OF_HEAD, start)
    if end < 0:
        return Extent(len(received)) if len(received) > MAX_HEAD else None
    head, body_start = bytes(received[start : end + len(END_OF_LINE)]), end + len(END_OF_HEAD)
    stated = CONTENT_LENGTH.search(head)
    if CHUNKED.search(head) or (stated and len(stated[1]) > MAX_DIGITS):
        return Extent(body_start, refused=LENGTH_REQUIRED if CHUNKED.search(head) else BAD_REQUEST)
    return Extent(body_start, int(stated[1]) if stated else 0, bool(EXPECT.search(head)))


@dataclass(eq=False)
class Waiting:
    """A connection whose request has not come in full, or which is about to be closed."""

    conn: Any
    deadline: float
    received: bytearray = field(default_factory=bytearray)
    extent: Extent | None = None
    is_closing: bool = False

    @property
    def address(self) -> str:
        return address_group(self.conn.client[0]) if isinstance(self.conn.client, tuple) else ""

    @property
    def missing(self) -> int:
        """How many bytes of the body are still to come."""
        return 0 if self.extent is None else max(0, self.extent.body_start + self.extent.length - len(self.received))


class TimedUnreader(SocketUnreader):  # type: ignore[misc]
    """Reads what is left of a request in a thread, until the deadline."""

    deadline = 0.0

    def chunk(self, size_hint: int | None = None) -> bytes:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise NoMoreData
        patience = self.sock.gettimeout()
        self.sock.settimeout(left if patience is None else min(left, patience))
        try:
            data: bytes = super().chunk(size_hint)
        except TimeoutError as error:
            raise NoMoreData from error
        finally:
            self.sock.settimeout(patience)
        return data


class PatientWorker(ThreadWorker):  # type: ignore[misc]
    """Collects requests in the main loop, gives up on slow ones and makes room when there are too many connections."""

    head_seconds = HEAD_SECONDS
    body_seconds = BODY_SECONDS
    send_seconds = SEND_SECONDS
    max_collected_bytes = MAX_COLLECTED_BYTES

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.waiting: dict[Any, Waiting] = {}
        self.collected_bytes = 0
        self.large_queue: deque[Any] = deque()
        self.large_conns: set[Any] = set()

    def load_wsgi(self) -> None:
        """Load the app; of a wrong setting gunicorn then says what is wrong, without a traceback."""
        try:
            super().load_wsgi()
        except Exception as error:
            if sentence := wrong_setting(error):
                raise AppImportError(sentence) from error
            raise

    # Collecting requests

    def accept(self, listener: Any) -> None:
        super().accept(listener)
        if self.nr_conns >= self.worker_connections:
            self._make_room(lambda _waiting: 1)

    def enqueue_req(self, conn: Any) -> None:
        """Collect the request that a connection begins to send, then give it to a thread."""
        if self.cfg.is_ssl:
            super().enqueue_req(conn)
            return
        if not conn.initialized:
            conn.init()
            conn.parser.unreader = TimedUnreader(conn.sock)
        conn.sock.setblocking(False)
        begun = bytearray(conn.parser.unreader.take_buffered())
        waiting = Waiting(conn, time.monotonic() + self.head_seconds, begun)
        self._wait(waiting)
        if begun:  # before the client is asked for more: it may have said that nothing more comes
            self._advance(waiting)
        if self.waiting.get(conn) is waiting and not waiting.is_closing:
            self._receive(conn, conn.sock)

    def on_client_socket_readable(self, conn: Any, client: socket.socket) -> None:
        if conn in self.keepalived_conns:  # not given up since this event was reported
            super().on_client_socket_readable(conn, client)

    def _wait(self, waiting: Waiting) -> None:
        self.waiting[waiting.conn] = waiting
        self.collected_bytes += len(waiting.received)
        self.poller.register(waiting.conn.sock, EVENT_READ, partial(self._receive, waiting.conn))

    def _receive(self, conn: Any, sock: socket.socket) -> None:
        waiting = self.waiting.get(conn)
        if waiting is None:  # given up since this event was reported
            return
        try:
            data = sock.recv(RECEIVE_BYTES)
        except BlockingIOError:
            data = None
        except OSError:
            data = b""
        if data == b"":
            self._drop(waiting)
            return
        if data and not waiting.is_closing:
            waiting.received += data
            self.collected_bytes += len(data)
        if not waiting.is_closing:
            self._advance(waiting)

    def _advance(self, waiting: Waiting) -> None:
        """Hand the request over if it is complete, or if a thread must read the rest."""
        if waiting.extent is None:
            self._note_extent(waiting)
        extent = waiting.extent
        if extent is not None and extent.refused:
            self._refuse(waiting, extent.refused)
        elif extent is not None and (extent.is_large or not waiting.missing):
            self._hand_over(waiting)
        elif self.collected_bytes > self.max_collected_bytes:
            self._make_room(lambda other: len(other.received))

    def _note_extent(self, waiting: Waiting) -> None:
        """Once the head has come, give the client time for the body, and tell it to send that if it asks."""
        extent = waiting.extent = request_extent(waiting.received)
        if extent is None:
            return
        seconds = self.body_seconds + min(waiting.missing, MAX_COLLECTED_BODY) / LOWEST_BYTES_PER_SECOND
        waiting.deadline = time.monotonic() + seconds
        if extent.expects_continue and waiting.missing and not extent.is_large:
            with contextlib.suppress(OSError):
                waiting.conn.sock.send(CONTINUE)

    def _refuse(self, waiting: Waiting, status: bytes) -> None:
        self._forget(waiting)
        with contextlib.suppress(OSError):
            waiting.conn.sock.send(REFUSAL % status)
        self._close_gently(waiting.conn)

    def _hand_over(self, waiting: Waiting) -> None:
        conn = waiting.conn
        self._forget(waiting)
        conn.parser.unreader.unread(bytes(waiting.received))
        if waiting.extent is not None and waiting.extent.is_large:
            self.large_queue.append(conn)
            self._start_large()
            if len(self.large_queue) > MAX_LARGE_WAITING:
                self.large_queue.pop()
                self.nr_conns -= 1
                conn.close()
        else:
            super().enqueue_req(conn)  # all of it has come: the thread gets no time for more

    def _start_large(self) -> None:
        while self.large_queue and len(self.large_conns) < max(1, self.cfg.threads // 2):
            conn = self.large_queue.popleft()
            self.large_conns.add(conn)
            conn.parser.unreader.deadline = time.monotonic() + LARGE_BODY_SECONDS
            super().enqueue_req(conn)

    # Answering

    def handle_request(self, req: Any, conn: Any) -> Any:
        conn.sock.settimeout(self.send_seconds)
        if conn in self.large_conns:
            # The response must say so: a proxy would send the next request on a connection that is about to close.
            req.force_close()
        try:
            return super().handle_request(req, conn)
        except TimeoutError as error:  # the client does not take the response
            raise NoMoreData from error

    def _keepalive_after(self, conn: Any, keepalive: Any) -> bool:
        """Keep a connection only if the whole body has been read; what is left of it is not the next request."""
        if not keepalive:
            return False
        # At once: gunicorn would do it by the KiB and copy the rest each time.
        conn.parser.mesg.body.read(MAX_COLLECTED_BODY)
        return bool(conn.parser.finish_body(deadline=time.monotonic() + DRAIN_SECONDS))

    def finish_request(self, conn: Any, fs: Future[Any]) -> None:
        self.large_conns.discard(conn)
        self._start_large()
        if fs.cancelled() or fs.exception() or fs.result():
            super().finish_request(conn, fs)
        else:
            self._close_gently(conn)

    def _close_gently(self, conn: Any) -> None:
        """Close after the client has, or soon: closing with unread data would take the response from it."""
        try:
            conn.sock.setblocking(False)
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self.nr_conns -= 1
            conn.close()
            return
        self._wait(Waiting(conn, time.monotonic() + CLOSE_SECONDS, is_closing=True))

    # Giving up

    def murder_pending(self) -> None:
        now = time.monotonic()
        for waiting in [each for each in self.waiting.values() if each.deadline <= now or self._is_idle_at_stop(each)]:
            if waiting.received:
                with contextlib.suppress(OSError):
                    waiting.conn.sock.send(REFUSAL % TIMED_OUT)
            self._drop(waiting)

    def _is_idle_at_stop(self, waiting: Waiting) -> bool:
        return not self.alive and not waiting.received and not waiting.is_closing

    def _make_room(self, weight: Callable[[Waiting], int]) -> None:
        """Close a connection of the address that takes the most room: the longest waiting of its heaviest."""
        kept = [Waiting(conn, conn.timeout) for conn in self.keepalived_conns]
        candidates = [*self.waiting.values(), *kept]
        weights: Counter[str] = Counter()
        for each in candidates:
            weights[each.address] += weight(each)
        if not weights:
            return
        ((address, _),) = weights.most_common(1)
        self._drop(max((each for each in candidates if each.address == address), key=weight))

    def _drop(self, waiting: Waiting) -> None:
        if waiting.conn in self.waiting:
            self._forget(waiting)
        else:
            self.keepalived_conns.remove(waiting.conn)
            self.poller.unregister(waiting.conn.sock)
        self.nr_conns -= 1
        waiting.conn.close()

    def _forget(self, waiting: Waiting) -> None:
        del self.waiting[waiting.conn]
        self.collected_bytes -= len(waiting.received)
        self.poller.unregister(waiting.conn.sock)

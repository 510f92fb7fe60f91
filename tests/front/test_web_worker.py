"""The web server by itself: nobody holds its threads by sending or reading slowly."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from select import select
from socket import SHUT_WR, socket

import pytest

from tests.support.web_server import HEALTH, PATIENCE, Installation, answer, connect, everything, is_well, web_server

MIB = 2**20
LOGIN = b"POST /login/ HTTP/1.1\r\nHost: localhost\r\n"
HALF_SENT = {
    "nothing": b"",
    "half a line": b"GET /hea",
    "half a head": b"GET /health/ HTTP/1.1\r\nHost: localhost\r\nX-A: ",
    "an empty line before half a head": b"\r\n\r\nGET /health/ HTTP/1.1\r\nHost: ",
    "a second request": HEALTH + b"GET /health/ HT",
    "half a body": LOGIN + b"Content-Length: 1000\r\n\r\nusername=",
    "half a multipart": LOGIN
    + b"Content-Type: multipart/form-data; boundary=line\r\nContent-Length: 1000\r\n\r\n--line\r\n",
    "no body at all": LOGIN + b"Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n",
    "a large body": LOGIN + b"Content-Length: 9000000\r\n\r\nusername=",
}
HASTY = """
from annotation.web_worker import PatientWorker
class Hasty(PatientWorker):
    head_seconds = body_seconds = send_seconds = 0.5
worker_class = Hasty
"""
PATIENT = """
from annotation.web_worker import PatientWorker
class Patient(PatientWorker):
    send_seconds = 600
worker_class = Patient
"""
CROWDED = "worker_connections = 20\n"
NARROW = """
from annotation.web_worker import PatientWorker
class Narrow(PatientWorker):
    max_collected_bytes = 2 * 2**20
worker_class = Narrow
"""
VERBOSE_APPLICATION = """
def application(environ, start_response):
    start_response("200 OK", [("Content-Length", "100000000")])
    return (b"x" * 1_000_000 for _ in range(100))
"""
READING_APPLICATION = """
def application(environ, start_response):
    environ["wsgi.input"].read()
    start_response("200 OK", [("Content-Length", "0")])
    return []
"""


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with web_server(Installation(tmp_path_factory.mktemp("web"))) as port:
        yield port


@pytest.mark.smoke
@pytest.mark.parametrize("begun", HALF_SENT.values(), ids=HALF_SENT.keys())
def test_requests_that_are_half_sent_leave_the_threads_to_others(port: int, begun: bytes) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(32):
            stack.enter_context(connect(port, begun))
        assert is_well(port)


def test_requests_that_come_byte_by_byte_are_answered(port: int) -> None:
    with connect(port) as connection:
        for _ in range(2):
            for byte in HEALTH:
                connection.sendall(bytes([byte]))
            assert answer(connection).startswith(b"HTTP/1.1 200")


def test_requests_that_come_together_are_answered_one_after_another(port: int) -> None:
    with connect(port, HEALTH * 3) as connection:
        received = b""
        while received.count(b'{"status": "ok"}') < 3:
            received += connection.recv(65536)
    assert received.count(b"HTTP/1.1 200") == 3


def test_a_body_that_was_not_read_is_not_the_next_request(port: int) -> None:
    body = HEALTH * (64 * 1024 // len(HEALTH))  # within the limit; refused before it is read
    with connect(port, b"PUT /no/such/page/ HTTP/1.1\r\nHost: localhost\r\n" + length(body) + body) as connection:
        assert answer(connection).startswith(b"HTTP/1.1 40")
        connection.sendall(HEALTH)
        assert answer(connection).startswith(b"HTTP/1.1 200")


def length(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n" % len(body)


def test_one_byte_too_many_ends_the_connection(port: int) -> None:
    with connect(port, LOGIN + b"Content-Length: %d\r\n\r\n" % (4 * MIB + 1) + HEALTH) as connection:
        received = everything(connection)
    assert received.startswith(b"HTTP/1.1 413")
    assert b"\r\nConnection: close\r\n" in received
    assert received.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize("body", [b"", b"0\r\n\r\n", b"1\r\nx\r\n" * 100_000])
def test_a_body_in_chunks_is_refused_at_once_and_holds_nobody_up(port: int, body: bytes) -> None:
    with connect(port, LOGIN + b"Transfer-Encoding: chunked\r\n\r\n") as connection:
        with contextlib.suppress(ConnectionError):  # the server need not take all of it
            connection.sendall(body)
        assert everything(connection).startswith(b"HTTP/1.1 411")
    assert is_well(port)


def test_a_length_that_no_body_has_is_refused(port: int) -> None:
    with connect(port, LOGIN + b"Content-Length: 0000000000000000000000000100\r\n\r\n") as connection:
        assert everything(connection).startswith(b"HTTP/1.1 400")


def test_who_says_that_nothing_more_comes_gets_all_answers(port: int) -> None:
    with connect(port, HEALTH * 3) as connection:
        connection.shutdown(SHUT_WR)
        assert everything(connection).count(b"HTTP/1.1 200") == 3


def test_who_waits_to_be_told_to_send_the_body_is_told(port: int) -> None:
    with connect(port, LOGIN + b"Content-Length: 10\r\nExpect: 100-continue\r\n\r\n") as connection:
        assert answer(connection) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"username=a")
        assert b"HTTP/1.1 403" in until(connection, b"HTTP/1.1 403")


def until(connection: socket, awaited: bytes) -> bytes:
    received = b""
    while awaited not in received and (more := connection.recv(65536)):
        received += more
    return received


@pytest.mark.parametrize(
    "head", [b"GET /" + b"a" * 5000, HEALTH[:-2] + b"X-A: b\r\n" * 100, b"GET / HTTP/1.1\r\nA: " + b"a" * 9000]
)
def test_heads_have_limits(port: int, head: bytes) -> None:
    end = b" HTTP/1.1\r\n\r\n" if b"HTTP" not in head else b"\r\n\r\n"
    with connect(port, head + end) as connection:
        assert answer(connection).split()[1] in {b"414", b"431", b"400"}


def test_a_head_without_an_end_is_refused(port: int) -> None:
    with connect(port) as connection:
        with contextlib.suppress(ConnectionError):
            for _ in range(40):
                connection.sendall(b"a" * 50_000)
        received = everything(connection)
    assert received == b"" or received.split()[1] in {b"414", b"431", b"400"}
    assert is_well(port)


# Connections that do not go on are ended


@pytest.mark.smoke
@pytest.mark.parametrize("begun", HALF_SENT.values(), ids=HALF_SENT.keys())
def test_slow_connections_end(hasty: int, begun: bytes) -> None:
    with connect(hasty, begun) as connection:
        everything(connection)


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    more = HASTY + "keepalive = 1\n"
    with web_server(Installation(tmp_path_factory.mktemp("hasty")), more=more) as port:
        yield port


def test_who_does_not_read_holds_no_thread(tmp_path: Path) -> None:
    (tmp_path / "verbose.py").write_text(VERBOSE_APPLICATION)
    with (
        web_server(Installation(tmp_path), more=HASTY, application="verbose:application") as port,
        contextlib.ExitStack() as stack,
    ):
        for _ in range(12):
            stack.enter_context(connect(port, HEALTH))
        with connect(port, HEALTH) as reader:
            assert reader.recv(12) == b"HTTP/1.1 200"


def test_large_bodies_take_half_of_the_threads_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "reading.py").write_text(READING_APPLICATION)
    with (
        web_server(Installation(tmp_path), more=PATIENT, application="reading:application") as port,
        contextlib.ExitStack() as stack,
    ):
        large = [stack.enter_context(connect(port, LOGIN + b"Content-Length: 9000000\r\n\r\na")) for _ in range(100)]
        assert is_well(port)
        assert select(large, [], [], PATIENCE)[0]  # those that would wait too long are closed
        assert is_well(port)


# Room for others


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has the addresses 127.0.0.2 and so on")
def test_who_opens_too_many_connections_loses_those(tmp_path: Path) -> None:
    with web_server(Installation(tmp_path), more=CROWDED) as port, contextlib.ExitStack() as stack:
        modest = stack.enter_context(connect(port, HEALTH, "127.0.0.2"))
        assert answer(modest).startswith(b"HTTP/1.1 200")
        writing = stack.enter_context(connect(port, HEALTH[:20], "127.0.0.3"))
        greedy = [stack.enter_context(connect(port, HEALTH[:20])) for _ in range(60)]
        assert is_well(port)
        modest.sendall(HEALTH)
        writing.sendall(HEALTH[20:])
        assert answer(modest).startswith(b"HTTP/1.1 200")
        assert answer(writing).startswith(b"HTTP/1.1 200")
        assert everything(greedy[0]) == b""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has the addresses 127.0.0.2 and so on")
def test_who_fills_the_memory_loses_that(tmp_path: Path) -> None:
    body = b"x" * MIB
    with web_server(Installation(tmp_path), more=NARROW) as port, contextlib.ExitStack() as stack:
        modest = stack.enter_context(connect(port, LOGIN + b"Content-Length: 4\r\n\r\nab", "127.0.0.2"))
        greedy = []
        for _ in range(4):
            connection = stack.enter_context(connect(port, LOGIN + b"Content-Length: 2000000\r\n\r\n"))
            with contextlib.suppress(ConnectionError):
                connection.sendall(body)
            greedy.append(connection)
        assert select(greedy, [], [], PATIENCE)[0]  # closed
        modest.sendall(b"cd")
        assert answer(modest).startswith(b"HTTP/1.1 403")

"""Calls of servers that run: what they say, and all that they do not do."""

import datetime
import socket
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from common.outgoing import client
from common.outgoing.client import Answer, Bounds, Fault, post
from common.outgoing.hosts import Receiver, checked_receivers
from tests.support.webhooks import receiver

BODY = b'{"event": "test"}'


Hosts = tuple[Receiver, ...]


def sent(hosts: Hosts, address: str, *, seconds: float = 10.0, most_bytes: int = 0) -> Answer:
    bounds = Bounds(seconds=seconds, connect_seconds=4.0, read_seconds=8.0, most_bytes=most_bytes)
    return post(address, BODY, {"X-Of-A-Test": "yes"}, receivers=hosts, bounds=bounds)


def listed(*hosts: str) -> Hosts:
    return checked_receivers("HOSTS", hosts)


def resolving(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Let names lead to given addresses, at each question to the next; return the names asked for."""
    asked: list[str] = []

    def resolve(host: str, port: int, *_: Any, **__: Any) -> list[tuple[Any, ...]]:
        asked.append(host)
        found = answers[min(len(asked), len(answers)) - 1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in found]

    monkeypatch.setattr("common.outgoing.client.socket.getaddrinfo", resolve)
    return asked


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate of `localhost` that nobody has signed, with its key."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem, format_ = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    path = tmp_path / "certificate.pem"
    path.write_bytes(made.public_bytes(pem) + key.private_bytes(pem, format_, serialization.NoEncryption()))
    return path


def test_a_call_says_who_calls_and_what() -> None:
    with receiver() as received:
        hosts = listed(received.address())
        assert sent(hosts, received.address() + "/hooks?a=b") == Answer(204)
    (arrived,) = received.calls
    assert (arrived.path, arrived.body) == ("/hooks?a=b", BODY)
    assert arrived.headers["X-Of-A-Test"] == "yes"
    assert arrived.headers["Host"] == f"127.0.0.1:{received.port}"
    assert (arrived.headers["Content-Type"], arrived.headers["User-Agent"]) == ("application/json", "Precis")


def saying(body: bytes, status: int = 200, **headers: str) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def test_a_body_is_read_up_to_its_bound_and_only_if_asked_for() -> None:
    with receiver(saying(b"x" * 40_000, Retry_After="3")) as received:
        hosts = listed(received.address())
        assert sent(hosts, received.address()) == Answer(200, retry_after="3")
        assert sent(hosts, received.address(), most_bytes=40_000) == Answer(200, body=b"x" * 40_000, retry_after="3")
        assert sent(hosts, received.address(), most_bytes=39_999) == Answer(200, Fault.SIZE)


def test_the_body_of_an_error_is_read_that_of_a_redirect_is_not() -> None:
    for status, fault, body in ((429, Fault.STATUS, b"later"), (302, Fault.REDIRECT, b"")):
        with receiver(saying(b"later", status, Location="http://127.0.0.1:1/")) as received:
            answer = sent(listed(received.address()), received.address(), most_bytes=100)
        assert answer == Answer(status, fault, body)


def test_an_answer_that_breaks_off_is_none() -> None:
    with receiver(saying(b"half", Content_Length="100")) as received:
        answer = sent(listed(received.address()), received.address(), most_bytes=1000)
    assert answer == Answer(fault=Fault.CONNECTION)


def test_a_host_that_is_not_listed_is_not_called() -> None:
    with receiver() as received:
        hosts = listed("http://127.0.0.1:1")
        assert sent(hosts, received.address()) == Answer(fault=Fault.HOST)
        hosts = listed()
        assert sent(hosts, received.address()) == Answer(fault=Fault.HOST)
    assert received.calls == []


@pytest.mark.parametrize("found", [["127.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["169.254.169.254"], ["10.0.0.1"]])
def test_a_name_that_leads_inside_is_not_called(monkeypatch: pytest.MonkeyPatch, found: list[str]) -> None:
    with receiver() as received:
        hosts = listed(f"hooks.example.org:{received.port}")
        resolving(monkeypatch, found)
        monkeypatch.setattr("common.outgoing.client.requests.Request", None)
        assert sent(hosts, received.address("https", "hooks.example.org")) == Answer(fault=Fault.INSIDE)
    assert received.calls == []


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that leads elsewhere when it is asked for again gains nothing: it is asked for once."""
    connected: list[Any] = []

    def connect(address: Any, *_: Any, **__: Any) -> socket.socket:
        connected.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr("urllib3.util.connection.create_connection", connect)
    hosts = listed("hooks.example.org")
    asked = resolving(monkeypatch, ["2606:2800:220:1::1", "93.184.216.34"], ["127.0.0.1"])
    assert sent(hosts, "https://hooks.example.org/") == Answer(fault=Fault.CONNECTION)
    assert asked == ["hooks.example.org"]
    assert connected == [("93.184.216.34", 443)]


def test_a_name_that_is_not_found_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: Any, **__: Any) -> None:
        raise socket.gaierror

    monkeypatch.setattr("common.outgoing.client.socket.getaddrinfo", unknown)
    hosts = listed("hooks.example.org")
    assert sent(hosts, "https://hooks.example.org/") == Answer(fault=Fault.NAME)


def test_certificates_are_verified_for_the_name(monkeypatch: pytest.MonkeyPatch, certificate: Path) -> None:
    with receiver(certificate=certificate) as received:
        mine, numbered = received.address("https", "localhost"), received.address("https")
        hosts = listed(mine, numbered)
        assert sent(hosts, mine) == Answer(fault=Fault.TLS)
        monkeypatch.setattr(client, "TRUSTED", str(certificate))
        assert sent(hosts, mine) == Answer(204)
        assert sent(hosts, numbered) == Answer(fault=Fault.TLS)
    assert len(received.calls) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed_and_their_bodies_not_read(status: int) -> None:
    written: list[int] = []

    def redirect(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Location", f"http://127.0.0.1:{handler.server.server_port}/elsewhere")  # type: ignore[attr-defined]
        handler.end_headers()
        for _ in range(1000):
            handler.wfile.write(b"x" * 100_000)
            written.append(1)

    with receiver(redirect) as received:
        hosts = listed(received.address())
        assert sent(hosts, received.address()) == Answer(status, Fault.REDIRECT)
        time.sleep(0.2)
    assert [each.path for each in received.calls] == ["/"]
    assert len(written) < 1000


def test_an_error_is_told_with_its_status() -> None:
    with receiver(lambda handler: handler.send_error(503)) as received:
        hosts = listed(received.address())
        assert sent(hosts, received.address()) == Answer(503, Fault.STATUS)


def test_nobody_listening_is_told() -> None:
    with receiver() as received:
        address = received.address()
    hosts = listed(address)
    assert sent(hosts, address) == Answer(fault=Fault.CONNECTION)


def silent(_handler: BaseHTTPRequestHandler) -> None:
    time.sleep(3)


def dripping(handler: BaseHTTPRequestHandler) -> None:
    """Send a byte of a header before each timeout of the socket."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
    for _ in range(60):
        handler.wfile.write(b"x")
        handler.wfile.flush()
        time.sleep(0.05)


@pytest.mark.parametrize("answer", [silent, dripping])
def test_a_receiver_that_takes_its_time_is_left(
    monkeypatch: pytest.MonkeyPatch, answer: Callable[[BaseHTTPRequestHandler], None]
) -> None:
    with receiver(answer) as received:
        hosts = listed(received.address())
        begun = time.monotonic()
        assert sent(hosts, received.address(), seconds=0.5) == Answer(fault=Fault.TIMEOUT)
        assert time.monotonic() - begun < 2


def test_what_the_environment_says_of_proxies_and_passwords_is_not_for_calls(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password word\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    with receiver() as proxy, receiver() as received:
        for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY"):
            monkeypatch.setenv(name, proxy.address())
        monkeypatch.delenv("no_proxy", raising=False)
        hosts = listed(received.address())
        assert sent(hosts, received.address()) == Answer(204)
        assert proxy.calls == []
    assert "Authorization" not in received.calls[0].headers


def test_ipv6_receivers_are_called() -> None:
    hosts = listed("http://[::1]:9")
    assert sent(hosts, "http://[::1]:9/").fault in {Fault.CONNECTION, Fault.NAME}

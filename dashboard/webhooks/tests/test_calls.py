"""One call of a webhook, to receivers that run: what it says, and all that it does not do."""

import datetime
import hashlib
import hmac
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
from pytest_django.fixtures import Settings

from dashboard.webhooks import calls
from dashboard.webhooks.calls import Answer, Error, call
from dashboard.webhooks.hosts import checked_receivers
from tests.support.webhooks import receiver

SECRET = "whsec_of_a_test"
BODY = b'{"event": "test"}'


def sent(address: str) -> Answer:
    return call(address, BODY, {"Precis-Delivery": "d1", "Precis-Event": "test"}, SECRET)


def listed(settings: Settings, *hosts: str) -> None:
    settings.WEBHOOK_RECEIVERS = checked_receivers(hosts)


def resolving(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Let names lead to given addresses, at each question to the next; return the names asked for."""
    asked: list[str] = []

    def resolve(host: str, port: int, *_: Any, **__: Any) -> list[tuple[Any, ...]]:
        asked.append(host)
        found = answers[min(len(asked), len(answers)) - 1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in found]

    monkeypatch.setattr("dashboard.webhooks.calls.socket.getaddrinfo", resolve)
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


def test_a_call_is_signed_over_its_time_and_body(settings: Settings) -> None:
    with receiver() as received:
        listed(settings, received.address())
        assert sent(received.address() + "/hooks?a=b") == Answer(204)
    (arrived,) = received.calls
    assert (arrived.path, arrived.body) == ("/hooks?a=b", BODY)
    assert (arrived.headers["Precis-Delivery"], arrived.headers["Precis-Event"]) == ("d1", "test")
    assert arrived.headers["Host"] == f"127.0.0.1:{received.port}"
    at, v1 = (each.split("=")[1] for each in arrived.headers["Precis-Signature"].split(","))
    assert abs(time.time() - int(at)) < 60
    assert v1 == hmac.new(SECRET.encode(), f"{at}.".encode() + BODY, hashlib.sha256).hexdigest()


def test_a_host_that_is_not_listed_is_not_called_even_if_its_webhook_was_made(settings: Settings) -> None:
    with receiver() as received:
        listed(settings, "http://127.0.0.1:1")
        assert sent(received.address()) == Answer(error=Error.HOST)
        listed(settings)
        assert sent(received.address()) == Answer(error=Error.HOST)
    assert received.calls == []


@pytest.mark.parametrize("found", [["127.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["169.254.169.254"], ["10.0.0.1"]])
def test_a_name_that_leads_inside_is_not_called(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, found: list[str]
) -> None:
    with receiver() as received:
        listed(settings, f"hooks.example.org:{received.port}")
        resolving(monkeypatch, found)
        monkeypatch.setattr("dashboard.webhooks.calls.requests.Request", None)
        assert sent(received.address("https", "hooks.example.org")) == Answer(error=Error.INSIDE)
    assert received.calls == []


def test_the_connection_goes_to_the_address_that_was_checked(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that leads elsewhere when it is asked for again gains nothing: it is asked for once."""
    connected: list[Any] = []

    def connect(address: Any, *_: Any, **__: Any) -> socket.socket:
        connected.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr("urllib3.util.connection.create_connection", connect)
    listed(settings, "hooks.example.org")
    asked = resolving(monkeypatch, ["2606:2800:220:1::1", "93.184.216.34"], ["127.0.0.1"])
    assert sent("https://hooks.example.org/") == Answer(error=Error.CONNECTION)
    assert asked == ["hooks.example.org"]
    assert connected == [("93.184.216.34", 443)]


def test_a_name_that_is_not_found_is_told(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: Any, **__: Any) -> None:
        raise socket.gaierror

    monkeypatch.setattr("dashboard.webhooks.calls.socket.getaddrinfo", unknown)
    listed(settings, "hooks.example.org")
    assert sent("https://hooks.example.org/") == Answer(error=Error.NAME)


def test_certificates_are_verified_for_the_name(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, certificate: Path
) -> None:
    with receiver(certificate=certificate) as received:
        mine, numbered = received.address("https", "localhost"), received.address("https")
        listed(settings, mine, numbered)
        assert sent(mine) == Answer(error=Error.TLS)
        monkeypatch.setattr(calls, "TRUSTED", str(certificate))
        assert sent(mine) == Answer(204)
        assert sent(numbered) == Answer(error=Error.TLS)
    assert len(received.calls) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed_and_their_bodies_not_read(settings: Settings, status: int) -> None:
    written: list[int] = []

    def redirect(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Location", f"http://127.0.0.1:{handler.server.server_port}/elsewhere")  # type: ignore[attr-defined]
        handler.end_headers()
        for _ in range(1000):
            handler.wfile.write(b"x" * 100_000)
            written.append(1)

    with receiver(redirect) as received:
        listed(settings, received.address())
        assert sent(received.address()) == Answer(status, Error.REDIRECT)
        time.sleep(0.2)
    assert [each.path for each in received.calls] == ["/"]
    assert len(written) < 1000


def test_an_error_is_told_with_its_status(settings: Settings) -> None:
    with receiver(lambda handler: handler.send_error(503)) as received:
        listed(settings, received.address())
        assert sent(received.address()) == Answer(503, Error.STATUS)


def test_nobody_listening_is_told(settings: Settings) -> None:
    with receiver() as received:
        address = received.address()
    listed(settings, address)
    assert sent(address) == Answer(error=Error.CONNECTION)


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
    settings: Settings, monkeypatch: pytest.MonkeyPatch, answer: Callable[[BaseHTTPRequestHandler], None]
) -> None:
    monkeypatch.setattr(calls, "SECONDS", 0.5)
    with receiver(answer) as received:
        listed(settings, received.address())
        begun = time.monotonic()
        assert sent(received.address()) == Answer(error=Error.TIMEOUT)
        assert time.monotonic() - begun < 2


def test_what_the_environment_says_of_proxies_and_passwords_is_not_for_webhooks(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password word\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    with receiver() as proxy, receiver() as received:
        for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY"):
            monkeypatch.setenv(name, proxy.address())
        monkeypatch.delenv("no_proxy", raising=False)
        listed(settings, received.address())
        assert sent(received.address()) == Answer(204)
        assert proxy.calls == []
    assert "Authorization" not in received.calls[0].headers


def test_ipv6_receivers_are_called(settings: Settings) -> None:
    listed(settings, "http://[::1]:9")
    assert sent("http://[::1]:9/").error in {Error.CONNECTION, Error.NAME}

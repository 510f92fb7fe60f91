"""The front of a public installation, deploy/Caddyfile, as the real program before the real web server."""

import contextlib
import http.client
import re
import socket
import ssl
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.support.front import CADDY, CADDYFILE, MISSING, front_environment
from tests.support.tables import tables_in
from tests.support.web_server import (
    PATIENCE,
    Installation,
    answer,
    running,
    wait_for,
    web_server,
)

pytestmark = pytest.mark.skipif(CADDY is None, reason=MISSING)

MIB = 2**20
PASSWORD = "correct horse battery"
# Says which address a request counts for, and what the proxy told about it.
ECHO = """
import json, os
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")
from annotation.wsgi import application as django
from django.core.handlers.wsgi import WSGIRequest
from common.client_address import client_address

def application(environ, start_response):
    if environ["PATH_INFO"] != "/echo/":
        return django(environ, start_response)
    request = WSGIRequest(environ)
    body = json.dumps([client_address(request), request.scheme, request.get_host()]).encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]
"""


CAMPAIGN = """
from django.contrib.auth.models import User
from crowd.services.campaigns import campaign_create
owner = User.objects.create_user("owner", password="correct horse battery")
campaign_create(owner=owner, name="C", slug="c", consent="?", editor_guidelines="?", rater_guidelines="?")
"""


@dataclass(frozen=True)
class Site:
    """What runs: the ports of Caddy."""

    http: int
    https: int

    def connect(self, begun: bytes = b"", address: str = "127.0.0.1") -> ssl.SSLSocket:
        plain = socket.create_connection(("127.0.0.1", self.https), timeout=PATIENCE, source_address=(address, 0))
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # Caddy's own authority signs for localhost
        connection = context.wrap_socket(plain, server_hostname="localhost")
        connection.sendall(begun)
        return connection

    def get(self, path: str, *headers: bytes) -> bytes:
        head = b"GET %s HTTP/1.1\r\nHost: localhost\r\n" % path.encode()
        with self.connect(head + b"".join(header + b"\r\n" for header in headers) + b"\r\n") as connection:
            return answer(connection)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    (folder / "echo_application.py").write_text(ECHO)
    settings = {
        "ALLOWED_HOSTS": "localhost",
        "SECRET_KEY": "a-key-for-this-one-test-that-nobody-else-will-ever-use-0123456789",
        "PRECIS_TRUSTED_PROXIES": "127.0.0.1",
    }
    installation = Installation(folder, settings)
    tables_in(folder)
    installation.manage("shell", "-c", CAMPAIGN)
    with web_server(installation, application="echo_application:application") as port, caddy(folder, port) as site:
        yield site


@contextlib.contextmanager
def caddy(folder: Path, web: int) -> Iterator[Site]:
    """Run Caddy on two free ports; should another program take one first, try others."""
    command = [str(CADDY), "run", "--config", str(CADDYFILE), "--adapter", "caddyfile"]
    for _ in range(10):
        site = Site(free_port(), free_port())
        with running(command, environment(folder, site, web)) as process:
            if wait_for(site.https, process) and wait_for(site.http, process):
                yield site
                return
    pytest.fail("Caddy does not start")


def environment(folder: Path, site: Site, web: int) -> dict[str, str]:
    return front_environment(folder, site.http, site.https, web)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


class Browser:
    """A browser that keeps cookies and sends forms, over one connection after another."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.cookies: dict[str, str] = {}

    def ask(self, method: str, path: str, body: bytes = b"", content_type: str = "") -> tuple[int, str]:
        connection = http.client.HTTPSConnection("localhost", self.site.https, timeout=PATIENCE)
        connection.sock = self.site.connect()
        headers = {
            "Host": "localhost",
            "Referer": "https://localhost/",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
        }
        connection.request(method, path, body, headers | ({"Content-Type": content_type} if content_type else {}))
        response = connection.getresponse()
        for cookie in response.headers.get_all("Set-Cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        page = response.read().decode()
        connection.close()
        return response.status, page

    def send(self, path: str, form: dict[str, str]) -> int:
        token = self.token(path)
        body = urlencode({**form, "csrfmiddlewaretoken": token}).encode()
        return self.ask("POST", path, body, "application/x-www-form-urlencoded")[0]

    def token(self, path: str) -> str:
        found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self.ask("GET", path)[1])
        assert found
        return found[1]

    def upload(self, path: str, size: int) -> int:
        """Send a file of one usable line and as many empty ones as make up its size."""
        content = b'{"id": "1", "genre": "News", "text": "One text."}\n'
        content += b"\n" * (size - len(content))
        parts = [("csrfmiddlewaretoken", "", self.token(path).encode()), ("file", '; filename="a.jsonl"', content)]
        body = b"".join(
            b'--line\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n%s\r\n'
            % (name.encode(), more.encode(), value)
            for name, more, value in parts
        )
        return self.ask("POST", path, body + b"--line--\r\n", "multipart/form-data; boundary=line")[0]


def test_the_configuration_is_valid_and_formatted(tmp_path: Path) -> None:
    command = [str(CADDY), "validate", "--config", str(CADDYFILE), "--adapter", "caddyfile"]
    settings = environment(tmp_path, Site(8080, 8443), 8000)
    for each in (settings, {name: settings[name] for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}):
        run = subprocess.run(command, env=each, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
        assert '"level":"warn"' not in run.stderr


def test_pages_and_files_are_served_encrypted(site: Site) -> None:
    page = site.get("/login/")
    assert page.startswith(b"HTTP/1.1 200")
    assert b"\r\nStrict-Transport-Security: max-age=" in page
    assert b"\r\nServer:" not in page
    assert site.get("/static/css/precis.css").startswith(b"HTTP/1.1 200")
    assert site.get("/health/live/").endswith(b'{"status": "ok"}')


def test_plain_requests_are_sent_to_the_encrypted_site(site: Site) -> None:
    with socket.create_connection(("127.0.0.1", site.http), timeout=PATIENCE) as connection:
        connection.sendall(b"GET /login/?next=/a/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
        received = answer(connection)
    assert received.startswith(b"HTTP/1.1 308")
    assert b"\r\nLocation: https://localhost/login/?next=/a/\r\n" in received


def test_what_clients_say_about_themselves_is_not_believed(site: Site) -> None:
    forged = (b"X-Forwarded-For: 203.0.113.9", b"X-Forwarded-Proto: http", b"X-Forwarded-Host: evil.example")
    for headers in ((), forged, (b"X-Forwarded-For: 203.0.113.9, 127.0.0.1",), (b"Forwarded: for=203.0.113.9",)):
        assert site.get("/echo/", *headers).endswith(b'["127.0.0.1", "https", "localhost"]')


@pytest.mark.parametrize("path", ["/login/", "/campaigns/c/imports/", "/campaigns/c/systems/"])
def test_one_byte_over_the_limit_is_refused(site: Site, path: str) -> None:
    over = 20 * MIB + 64 * 1024 + 1 if "campaigns" in path else 4 * MIB + 1
    head = b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % (path.encode(), over)
    with site.connect(head) as connection:
        assert_refused_by_the_front(answer(connection))


def assert_refused_by_the_front(received: bytes) -> None:
    assert received.startswith(b"HTTP/1.1 413")
    assert received.endswith(b"\r\n\r\n413 Request Entity Too Large")


def test_a_body_of_the_allowed_size_reaches_the_page(site: Site) -> None:
    body = b"x" * (64 * 1024)
    with site.connect(
        b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body)
    ) as connection:
        connection.sendall(body)
        assert answer(connection).startswith(b"HTTP/1.1 403")  # it has no token


def test_a_body_in_chunks_is_refused(site: Site) -> None:
    # The body has an end, as every client's has: Caddy may wait for it before it passes the answer on.
    begun = b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with site.connect(begun + b"c350\r\n%s\r\n0\r\n\r\n" % (b"x" * 50_000)) as connection:
        assert answer(connection).startswith(b"HTTP/1.1 411")


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET /health/ HTTP/1.1\r\nHost: loc",
        b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nusername=",
        b"POST /campaigns/c/imports/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\na",
    ],
)
def test_requests_that_are_half_sent_leave_the_site_to_others(site: Site, begun: bytes) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(32):
            stack.enter_context(site.connect(begun))
        assert site.get("/health/").startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(("size", "status"), [(20 * MIB, 302), (20 * MIB + 1, 413)])
def test_staff_may_upload_files_up_to_the_limit(site: Site, size: int, status: int) -> None:
    browser = Browser(site)
    assert browser.send("/login/", {"username": "owner", "password": PASSWORD}) == 302
    assert browser.upload("/campaigns/c/imports/", size) == status

"""People whose browsers try again until the server has answered, as the real ones do; they note what they saw."""

import html
import http.client
import json
import re
import ssl
import time
from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import urlencode

from measures.text.length_rule import allowed_length
from tests.support.product import PATIENCE_SECONDS

_SOURCE = re.compile(r'id="source"[^>]*>(.*?)</', re.DOTALL)
PAUSE_SECONDS = 0.1
TOO_MANY = http.client.TOO_MANY_REQUESTS
NO_ANSWER = 0


@dataclass(frozen=True)
class Door:
    """Where the pages are: the web server itself, or a front that encrypts."""

    port: int
    encrypted: bool = False

    def open(self, timeout: float) -> http.client.HTTPConnection:
        if not self.encrypted:
            return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # Caddy's own authority signs for localhost
        return http.client.HTTPSConnection("localhost", self.port, timeout=timeout, context=context)

    @property
    def headers(self) -> dict[str, str]:
        return {"Host": "localhost", "Referer": "https://localhost/"} if self.encrypted else {}


@dataclass(frozen=True)
class Reply:
    status: int
    location: str
    text: str


@dataclass
class Seen:
    """What a person saw: how often each status came, 0 for no answer at all, and the longest wait for an answer."""

    statuses: Counter[int] = field(default_factory=Counter)
    longest_wait: float = 0.0


class Browser:
    """Keeps cookies and notes what it sees."""

    def __init__(self, door: Door) -> None:
        self.door = door
        self.cookies: dict[str, str] = {}
        self.seen = Seen()

    def ask(self, method: str, path: str, fields: dict[str, str] | None = None) -> Reply:
        """Send a request once; status 0 if there was no answer."""
        try:
            reply = self._asked(method, path, fields)
        except (OSError, http.client.HTTPException) as fault:
            reply = Reply(NO_ANSWER, "", str(fault))
        self.seen.statuses[reply.status] += 1
        return reply

    def _asked(self, method: str, path: str, fields: dict[str, str] | None) -> Reply:
        connection = self.door.open(timeout=20)
        try:
            body = urlencode({**(fields or {}), "csrfmiddlewaretoken": self.cookies.get("csrftoken", "")})
            cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
            headers = {**self.door.headers, "Cookie": cookies}
            if method == "POST":
                headers["Content-Type"] = "application/x-www-form-urlencoded"
            connection.request(method, path, body if method == "POST" else None, headers)
            reply = connection.getresponse()
            text = reply.read().decode()
            for cookie in reply.headers.get_all("Set-Cookie") or []:
                name, _, value = cookie.partition(";")[0].partition("=")
                self.cookies[name] = value
            return Reply(reply.status, reply.headers.get("Location", ""), text)
        finally:
            connection.close()


class PatientBrowser(Browser):
    """A person who joins by a link and shortens one text after the other."""

    def __init__(self, door: Door, join: str, name: str) -> None:
        super().__init__(door)
        self.join, self.name = join, name
        self.acknowledged: list[int] = []
        self.acknowledged_at: list[float] = []  # by the monotonic clock
        self.retries = 0

    def begin(self) -> str:
        """Consent, read the guidelines and return the address of the first text."""
        self._until_answered("GET", f"{self.join}?participant={self.name}")
        self._until_answered("GET", self.join)
        self._until_answered("POST", self.join, {})
        self._until_answered("GET", "/work/guidelines/")
        return self._until_answered("POST", "/work/guidelines/", {}).location

    def shorten(self, address: str) -> str:
        """Submit a text and return the address of the next; it counts as acknowledged once a reply has come."""
        page = self._until_answered("GET", address)
        reply = self._until_answered("POST", address, submission(page.text))
        assert reply.status == http.client.FOUND, (reply.status, reply.text[:500])
        self.acknowledged.append(int(address.rstrip("/").rsplit("/", 1)[1]))
        self.acknowledged_at.append(time.monotonic())
        return reply.location

    def _until_answered(self, method: str, path: str, fields: dict[str, str] | None = None) -> Reply:
        began = time.monotonic()
        while True:
            reply = self.ask(method, path, fields)
            waited = time.monotonic() - began
            if reply.status not in {NO_ANSWER, TOO_MANY} and reply.status < http.client.INTERNAL_SERVER_ERROR:
                self.seen.longest_wait = max(self.seen.longest_wait, waited)
                return reply
            if waited > PATIENCE_SECONDS:
                raise AssertionError(f"no answer to {method} {path}: {reply}")
            self.retries += 1
            time.sleep(PAUSE_SECONDS)


class StaffBrowser(Browser):
    """Somebody of the staff, who does not try again."""

    def log_in(self, username: str, password: str) -> None:
        self.ask("GET", "/login/")
        reply = self.ask("POST", "/login/", {"username": username, "password": password})
        assert reply.status == http.client.FOUND, (reply.status, reply.text[:500])


def submission(page: str) -> dict[str, str]:
    """Return the form of an editor who deletes the end of the text on the page."""
    found = _SOURCE.search(page)
    assert found is not None, page[:2000]
    source = html.unescape(found[1])
    words, allowed = source.split(" "), allowed_length(source)
    while len(" ".join(words)) > allowed:
        words.pop()
    text = " ".join(words)
    log = [[len(text), source[len(text) :], "", "deletion", 1500]]
    return {"text": text, "log": json.dumps(log), "started_from": "source"}

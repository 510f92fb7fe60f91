"""An editor whose browser tries again until the server has answered, as the real one does."""

import html
import http.client
import json
import re
import time
from dataclasses import dataclass
from urllib.parse import urlencode

from measures.text.length_rule import allowed_length
from tests.support.product import PATIENCE_SECONDS

_SOURCE = re.compile(r'id="source"[^>]*>(.*?)</', re.DOTALL)
PAUSE_SECONDS = 0.1
TOO_MANY = http.client.TOO_MANY_REQUESTS


@dataclass(frozen=True)
class Reply:
    status: int
    location: str
    text: str


class PatientBrowser:
    """A person who joins by a link and shortens one text after the other."""

    def __init__(self, port: int, join: str, name: str) -> None:
        self.port, self.join, self.name = port, join, name
        self.cookies: dict[str, str] = {}
        self.acknowledged: list[int] = []
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
        return reply.location

    def _until_answered(self, method: str, path: str, fields: dict[str, str] | None = None) -> Reply:
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                reply = self._once(method, path, fields)
            except (OSError, http.client.HTTPException):
                reply = None
            if reply is not None and reply.status < http.client.INTERNAL_SERVER_ERROR and reply.status != TOO_MANY:
                return reply
            if time.monotonic() > until:
                raise AssertionError(f"no answer to {method} {path}: {reply}")
            self.retries += 1
            time.sleep(PAUSE_SECONDS)

    def _once(self, method: str, path: str, fields: dict[str, str] | None) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            body = urlencode({**(fields or {}), "csrfmiddlewaretoken": self.cookies.get("csrftoken", "")})
            headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
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

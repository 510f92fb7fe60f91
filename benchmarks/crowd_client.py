"""A crowd of workers in one process: raw HTTP/1.1 over persistent connections, to leave the CPU to the server."""

import asyncio
import random
import time
from dataclasses import dataclass, field
from urllib.parse import quote, urlencode

from tests.support.patient_browser import submission

RESEND_PROBABILITY = 0.1


@dataclass
class Response:
    status: int
    location: str
    body: bytes


@dataclass
class Tally:
    """What the crowd measured: the time of each loop and request, acknowledged submissions, and errors."""

    loops: list[float] = field(default_factory=list)
    requests: list[float] = field(default_factory=list)
    acknowledged: list[int] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


class Browser:
    """One worker's connection and cookies."""

    def __init__(self, port: int, tally: Tally) -> None:
        self.port, self.tally = port, tally
        self.cookies: dict[str, str] = {}
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def get(self, path: str) -> Response:
        return await self._request("GET", path, b"")

    async def post(self, path: str, fields: dict[str, str]) -> Response:
        token = {"csrfmiddlewaretoken": self.cookies.get("csrftoken", "")}
        return await self._request("POST", path, urlencode(fields | token).encode())

    async def close(self) -> None:
        if self.writer is not None:
            self.writer.close()

    async def _request(self, method: str, path: str, body: bytes) -> Response:
        began = time.perf_counter()
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookies}\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self.writer.write(head.encode() + body)
        response = await self._read()
        self.tally.requests.append(time.perf_counter() - began)
        return response

    async def _read(self) -> Response:
        assert self.reader is not None
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        location, size, closes = "", 0, False
        for line in head[1:]:
            name, _, value = line.partition(": ")
            match name.lower():
                case "content-length":
                    size = int(value)
                case "location":
                    location = value
                case "connection":
                    closes = value.lower() == "close"
                case "set-cookie":
                    cookie, _, content = value.partition(";")[0].partition("=")
                    self.cookies[cookie] = content
        body = await self.reader.readexactly(size) if size else b""
        if closes and self.writer is not None:
            self.writer.close()
            self.reader = self.writer = None
        return Response(int(head[0].split()[1]), location, body)


async def work(port: int, join: str, name: str, until: float, tally: Tally) -> None:
    """Act as one worker: join, then claim a text, open its page and submit, until the time is up."""
    browser, rng = Browser(port, tally), random.Random(name)
    await browser.get(f"{join}?participant={quote(name)}")
    await browser.get(join)
    await browser.post(join, {})
    await browser.get("/work/guidelines/")
    began = time.perf_counter()
    claimed = await browser.post("/work/guidelines/", {})
    while time.perf_counter() < until:
        if not claimed.location.startswith("/work/edit/"):
            tally.errors.append(f"claim: {claimed.status} {claimed.location}")
            break
        page = await browser.get(claimed.location)
        # A submission also claims the next text, so the reply starts the next loop.
        claimed = await _submit(browser, claimed.location, submission(page.body.decode()), tally, rng)
        tally.loops.append(time.perf_counter() - began)
        began = time.perf_counter()
    await browser.close()


async def _submit(browser: Browser, address: str, filled: dict[str, str], tally: Tally, rng: random.Random) -> Response:
    """Submit and record the acknowledgement; resend one submission in ten, as after a lost reply."""
    reply = await browser.post(address, filled)
    if rng.random() < RESEND_PROBABILITY:
        reply = await browser.post(address, filled)
    if reply.status == 302:
        tally.acknowledged.append(int(address.rstrip("/").rsplit("/", 1)[1]))
    else:
        tally.errors.append(f"submit: {reply.status}")
    return reply


async def crowd(port: int, join: str, people: int, prefix: str, seconds: float) -> Tally:
    tally = Tally()
    until = time.perf_counter() + seconds
    await asyncio.gather(*(work(port, join, f"{prefix}-{number}", until, tally) for number in range(people)))
    return tally

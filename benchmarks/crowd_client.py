"""A crowd of workers in one process: raw HTTP/1.1 over persistent connections, to leave the CPU to the server."""

import asyncio
import random
import time
from dataclasses import dataclass, field
from urllib.parse import quote, urlencode

from benchmarks.answers import ANSWERS
from benchmarks.cpu_time import Meter, Usage

RESEND_PROBABILITY = 0.1


@dataclass
class Response:
    status: int
    location: str
    body: bytes


@dataclass(frozen=True)
class Entrance:
    """Where the people of a round come in: the port of the web server, and the path of the round's join link.

    `pace` is the mean of the pauses that each makes between two texts, in seconds; they make none if it is 0.
    """

    port: int
    work_round: str
    join: str
    pace: float = 0.0


@dataclass
class Measured:
    """What the crowd measured: the time of each loop, acknowledged submissions, errors, and the CPU used meanwhile."""

    loops: list[float] = field(default_factory=list)
    acknowledged: list[int] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    elapsed: float = 0.0
    used: Usage = field(default_factory=Usage)


class Browser:
    """One worker's connection and cookies."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def get(self, path: str) -> Response:
        return await self._request("GET", path, b"")

    async def post(self, path: str, fields: dict[str, str]) -> Response:
        token = {"csrfmiddlewaretoken": self.cookies.get("csrftoken", "")}
        return await self._request("POST", path, urlencode(fields | token).encode())

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None

    async def _request(self, method: str, path: str, body: bytes) -> Response:
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookies}\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self.writer.write(head.encode() + body)
        return await self._read()

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
        if closes:
            self.close()
        return Response(int(head[0].split()[1]), location, body)


class Participant:
    """One worker, with the address to which the last reply sent them: their next text."""

    def __init__(self, entrance: Entrance, name: str, measured: Measured) -> None:
        self.entrance, self.name, self.measured = entrance, name, measured
        self.browser, self.rng = Browser(entrance.port), random.Random(name)
        self.claimed = Response(0, "", b"")

    async def arrive(self) -> None:
        """Join, read the guidelines and claim the first text."""
        join = self.entrance.join
        await self.browser.get(f"{join}?participant={quote(self.name)}")
        await self.browser.get(join)
        await self.browser.post(join, {})
        await self.browser.get("/work/guidelines/")
        self.claimed = await self.browser.post("/work/guidelines/", {})

    async def work(self, until: float) -> None:
        """Open the page of the claimed text and submit, which claims the next text, until the time is up.

        A person with a pace pauses between two texts, at random and so long on average.
        """
        answer, tasks = ANSWERS[self.entrance.work_round], f"/work/{self.entrance.work_round}/"
        began = time.perf_counter()
        while began < until:
            if not self.claimed.location.startswith(tasks):
                self.measured.errors.append(f"claim: {self.claimed.status} {self.claimed.location}")
                return
            page = await self.browser.get(self.claimed.location)
            self.claimed = await self._submit(self.claimed.location, answer(page.body, self.rng))
            ended = time.perf_counter()
            self.measured.loops.append(ended - began)
            if self.entrance.pace:
                await asyncio.sleep(self.rng.expovariate(1 / self.entrance.pace))
                ended = time.perf_counter()
            began = ended

    async def _submit(self, address: str, filled: dict[str, str]) -> Response:
        """Submit and record the acknowledgement; resend one submission in ten, as after a lost reply."""
        reply = await self.browser.post(address, filled)
        if self.rng.random() < RESEND_PROBABILITY:
            reply = await self.browser.post(address, filled)
        if reply.status == 302:
            self.measured.acknowledged.append(int(address.rstrip("/").rsplit("/", 1)[1]))
        else:
            self.measured.errors.append(f"submit: {reply.status}")
        return reply


async def crowd(entrance: Entrance, people: int, prefix: str, seconds: float, meter: Meter) -> Measured:
    """Let people work for a while. Nothing is measured before all of them have arrived."""
    measured = Measured()
    everybody = [Participant(entrance, f"{prefix}-{number}", measured) for number in range(people)]
    await asyncio.gather(*(each.arrive() for each in everybody))
    before, began = meter.read(), time.perf_counter()
    await asyncio.gather(*(each.work(began + seconds) for each in everybody))
    measured.elapsed = time.perf_counter() - began
    measured.used = meter.read() - before
    for each in everybody:
        each.browser.close()
    return measured

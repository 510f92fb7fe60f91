"""A server that a test plays: it answers as the test says, and remembers what it was asked."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from precis_client import Precis, Retries

ADDRESS, TOKEN = "https://precis.example.org", "precis_for-tests"
Answer = httpx.Response | Exception
Answers = Callable[[httpx.Request], Answer]


@dataclass
class Played:
    """What was asked of it, and how long the client waited between."""

    precis: Precis
    requests: list[httpx.Request] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)

    def sent(self, header: str) -> list[str | None]:
        return [request.headers.get(header) for request in self.requests]


@contextmanager
def played(answers: Answers | Sequence[Answer], **options: Any) -> Iterator[Played]:
    """Play a server: by a function, or by answers in their order."""
    in_order = iter(()) if callable(answers) else iter(answers)

    def handle(request: httpx.Request) -> httpx.Response:
        request.read()
        here.requests.append(request)
        answer = answers(request) if callable(answers) else next(in_order)
        if isinstance(answer, Exception):
            raise answer
        return answer

    with Precis(ADDRESS, TOKEN, transport=httpx.MockTransport(handle), **options) as precis:
        here = Played(precis)
        precis._connection.sleep = here.waits.append
        yield here


def campaign_json(slug: str = "winter") -> dict[str, Any]:
    return {"slug": slug, "name": "Winter texts", "state": "draft"}


def page(rows: list[dict[str, Any]], cursor: int | None = None) -> httpx.Response:
    return httpx.Response(200, json={"cursor": cursor, "results": rows})


def problem(status: int, detail: str = "Not now.", **members: Any) -> httpx.Response:
    told = {"type": "about:blank", "title": "", "status": status, "detail": detail, **members}
    return httpx.Response(status, json=told, headers={"Content-Type": "application/problem+json"})


FEW = Retries(most=3, first_wait=1.0, longest_wait=30.0)

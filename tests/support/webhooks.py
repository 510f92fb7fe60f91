"""Webhooks, and a receiver that answers as a test wants it to."""

import json
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from common.clock import database_now
from crowd.models import Campaign, Webhook, WebhookDelivery, WebhookEvent, WebhookKind


def make_webhook(campaign: Campaign, address: str = "https://hooks.example.org/precis") -> Webhook:
    """A webhook for failed jobs, with one delivery that was given up."""
    now = database_now()
    webhook = Webhook.objects.create(
        campaign=campaign, address=address, tells_jobs=True, active_since=now, created_at=now
    )
    event = WebhookEvent.objects.create(campaign=campaign, kind=WebhookKind.TEST, key="world", happened_at=now)
    WebhookDelivery.objects.create(
        webhook=webhook, event=event, state=WebhookDelivery.State.GIVEN_UP, queued_at=now, ended_at=now, attempts=7
    )
    return webhook


@dataclass(frozen=True)
class Call:
    """A call as it arrived."""

    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def said(self) -> dict[str, Any]:
        said: dict[str, Any] = json.loads(self.body)
        return said


@dataclass
class Receiving:
    """A receiver that runs."""

    port: int
    calls: list[Call] = field(default_factory=list)

    def address(self, scheme: str = "http", host: str = "127.0.0.1") -> str:
        return f"{scheme}://{host}:{self.port}"


Answering = Callable[[BaseHTTPRequestHandler], None]


def taken(handler: BaseHTTPRequestHandler) -> None:
    """Answer that the call was taken."""
    handler.send_response(204)
    handler.end_headers()


@contextmanager
def receiver(answer: Answering = taken, certificate: Path | None = None) -> Iterator[Receiving]:
    """Run a receiver on this computer; with a certificate and its key in one file, by HTTPS."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            received.calls.append(Call(self.path, dict(self.headers.items()), body))
            answer(self)

        def do_GET(self) -> None:
            self.do_POST()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]  # callers hang up
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    received = Receiving(int(server.server_address[1]))
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield received
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

"""A small server in the worker, for Prometheus: what its processes have counted of jobs."""

import logging
import socket
import threading
from collections.abc import Callable, Iterable
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from django.conf import settings

from annotation.metrics_folder import metrics_folder_make
from annotation.metrics_page import CONTENT_TYPE, counted, has_token

logger = logging.getLogger(__name__)


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _ServerOfIPv6(_Server):
    address_family = socket.AF_INET6


class _Handler(WSGIRequestHandler):
    timeout = 5

    def log_message(self, *_arguments: Any) -> None:
        """Keep no log of requests."""


def worker_metrics_prepare() -> None:
    """Make the folder for the counts, before the worker has other processes."""
    if settings.METRICS_TOKEN and settings.WORKER_METRICS:
        metrics_folder_make()


def worker_metrics_serve() -> None:
    """Answer in a thread of its own. If the address is taken, the worker works without."""
    if not (settings.METRICS_TOKEN and settings.WORKER_METRICS):
        return
    host, port = settings.WORKER_METRICS
    kind = _ServerOfIPv6 if ":" in host else _Server
    try:
        server = make_server(host, port, answer, server_class=kind, handler_class=_Handler)
    except OSError as error:
        logger.warning("The metrics of this worker cannot be read: %s", error)
        return
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()


def answer(request: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    if request["PATH_INFO"] != "/metrics":
        start_response("404 Not Found", [])
        return []
    if not has_token(request.get("HTTP_AUTHORIZATION", "")):
        start_response("401 Unauthorized", [("WWW-Authenticate", "Bearer")])
        return []
    start_response("200 OK", [("Content-Type", CONTENT_TYPE)])
    return [counted()]

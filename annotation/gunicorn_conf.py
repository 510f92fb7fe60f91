"""How gunicorn serves Précis; address and number of workers are given on the command line."""

from pathlib import Path
from typing import Any

from annotation.lifeline import watch_lifeline

worker_class = "gthread"
threads = 4
# Shorter than the proxy's or the browser's idle time, keep-alive resets connections in mid-submit.
keepalive = 75
timeout = 60
graceful_timeout = 10
loglevel = "warning"
control_socket_disable = True
if Path("/dev/shm").is_dir():  # noqa: S108
    # The workers' heartbeat must not wait for a busy disk.
    worker_tmp_dir = "/dev/shm"  # noqa: S108


def on_starting(_server: Any) -> None:
    watch_lifeline()


def post_fork(_server: Any, _worker: Any) -> None:
    # Threads do not survive a fork: each worker watches for itself.
    watch_lifeline()

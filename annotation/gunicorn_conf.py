"""The gunicorn configuration of Précis; the address and number of workers are given on the command line."""

from pathlib import Path
from typing import Any

from annotation.lifeline import watch_lifeline

worker_class = "gthread"
threads = 4
# Must exceed the idle timeout of proxies and browsers; otherwise connections are reset in the middle of a submission.
keepalive = 75
timeout = 60
graceful_timeout = 10
loglevel = "warning"
control_socket_disable = True
if Path("/dev/shm").is_dir():  # noqa: S108
    # In memory, so that a busy disk does not delay the workers' heartbeat.
    worker_tmp_dir = "/dev/shm"  # noqa: S108


def on_starting(_server: Any) -> None:
    watch_lifeline()


def post_fork(_server: Any, _worker: Any) -> None:
    # Threads do not survive a fork, so each worker starts its own watcher.
    watch_lifeline()

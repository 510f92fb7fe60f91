"""The gunicorn configuration of Précis; the address and number of workers are given on the command line."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from gunicorn.config import Config
from gunicorn.glogging import Logger

from annotation.logs import JsonFormatter, PrivateFormatter, chosen_formatter
from annotation.orphan_guard import guard_against_orphaning
from annotation.start_checks import check_debug_is_local
from common import environment
from common.metrics_folder import metrics_folder, metrics_folder_make, metrics_folder_remove


@contextmanager
def said_by_gunicorn() -> Iterator[None]:
    """Let gunicorn print what is wrong with a setting: of this kind of error it shows no traceback."""
    try:
        yield
    except ImproperlyConfigured as error:
        raise RuntimeError(str(error)) from error


class PrivateLogger(Logger):  # type: ignore[misc]
    """gunicorn's own messages, without the data of people."""

    def setup(self, cfg: Config) -> None:
        super().setup(cfg)
        with said_by_gunicorn():
            formatter = chosen_formatter(self.error_fmt, self.datefmt)
        for handler in self.error_log.handlers:
            handler.setFormatter(formatter)
        # A line of the access log is complete by itself, and in JSON the message of an object.
        of_access = formatter if isinstance(formatter, JsonFormatter) else PrivateFormatter(self.access_fmt)
        for handler in self.access_log.handlers:
            handler.setFormatter(of_access)


worker_class = "annotation.web_worker.PatientWorker"
threads = environment.WEB_THREADS
# Well below the 1,024 files that a process may have open by default; accepting one more would end the worker.
worker_connections = 800
# Nobody before the server says where it is mounted, so nobody may.
forwarder_headers = ""
limit_request_line = 4094
limit_request_fields = 64
limit_request_field_size = 8190
# Must exceed the idle timeout of proxies and browsers; otherwise connections are reset in the middle of a submission.
keepalive = 75
timeout = 60
graceful_timeout = 10
loglevel = "warning"
logger_class = PrivateLogger
# Should somebody want a log of requests: without the query string, which has ids of people, and without the referrer.
access_log_format = '%(h)s %(t)s "%(m)s %(U)s" %(s)s %(B)s'
control_socket_disable = True
if Path("/dev/shm").is_dir():  # noqa: S108
    # In memory, so that a busy disk does not delay the workers' heartbeat.
    worker_tmp_dir = "/dev/shm"  # noqa: S108


def on_starting(server: Any) -> None:
    # An address is a host and a port, the path of a socket on this computer, or the number of an open one.
    addresses = [address for address in server.address if not isinstance(address, str)]
    with said_by_gunicorn():
        check_debug_is_local(address[0] if isinstance(address, tuple) else address for address in addresses)
        counts = bool(environment.secret("PRECIS_METRICS_TOKEN"))
    guard_against_orphaning()
    if counts:
        metrics_folder_make()


def child_exit(_server: Any, worker: Any) -> None:
    """Keep what a process has counted, but for what was true of it only while it lived."""
    if folder := metrics_folder():
        from prometheus_client.multiprocess import mark_process_dead  # noqa: PLC0415 - after its folder is known

        mark_process_dead(worker.pid, str(folder))  # type: ignore[no-untyped-call]


def on_exit(_server: Any) -> None:
    metrics_folder_remove()


def post_fork(_server: Any, _worker: Any) -> None:
    # Threads do not survive a fork, so each worker starts its own watcher.
    guard_against_orphaning()

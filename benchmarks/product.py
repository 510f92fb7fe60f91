"""Run the web server of Précis for benchmarks."""

import contextlib
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator

from tests.support.product import ROOT


@contextlib.contextmanager
def served(env: dict[str, str], workers: int, threads: int) -> Iterator[int]:
    """Serve Précis with gunicorn and yield the port."""
    port = 18_200 + os.getpid() % 1000
    server = subprocess.Popen(
        [
            *(sys.executable, "-m", "gunicorn", "annotation.wsgi:application"),
            *("--config", "python:annotation.gunicorn_conf", "--bind", f"127.0.0.1:{port}"),
            *("--workers", str(workers), "--threads", str(threads)),
        ],
        cwd=ROOT,
        env=env,
    )
    try:
        wait_for(port)
        yield port
    finally:
        server.terminate()
        server.wait()


def wait_for(port: int) -> None:
    for _ in range(200):
        with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/health/", timeout=2):
            return
        time.sleep(0.1)
    sys.exit("The server did not start.")

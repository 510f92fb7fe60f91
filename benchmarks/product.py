"""Run the web server of Précis for benchmarks."""

import contextlib
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support.product import ROOT


@dataclass(frozen=True)
class Server:
    """A web server that answers: its port, and the id of its master process."""

    port: int
    process: int


@contextlib.contextmanager
def served(env: dict[str, str], workers: int, threads: int, root: Path = ROOT) -> Iterator[Server]:
    """Serve the code in `root` with gunicorn."""
    port = 18_200 + os.getpid() % 1000
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "gunicorn", "annotation.wsgi:application"),
            *("--config", "python:annotation.gunicorn_conf", "--bind", f"127.0.0.1:{port}"),
            *("--workers", str(workers), "--threads", str(threads)),
        ],
        cwd=root,
        env=env,
    )
    try:
        wait_for(port)
        yield Server(port, process.pid)
    finally:
        process.terminate()
        process.wait()


def wait_for(port: int) -> None:
    for _ in range(200):
        with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/health/", timeout=2):
            return
        time.sleep(0.1)
    sys.exit("The server did not start.")

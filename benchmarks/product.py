"""Run Précis for benchmarks: its management commands and its web server."""

import contextlib
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def environment(url: str, folder: Path) -> dict[str, str]:
    """Return the environment variables that set the database and the data folder."""
    return os.environ | {
        "DATABASE_URL": url,
        "PRECIS_DATA_DIR": str(folder),
        "DJANGO_SETTINGS_MODULE": "annotation.settings",
    }


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


def manage(env: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE, text=True).stdout


def shell(env: dict[str, str], code: str) -> str:
    """Run code in the Django shell and return the last line of its output."""
    return manage(env, "shell", "-v0", "-c", code).strip().splitlines()[-1]

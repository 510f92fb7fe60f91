"""Précis as it is served: gunicorn in a process of its own, with its own database, on a free port."""

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0  # a machine may have much else to do; only a test that fails waits so long
HEALTH = b"GET /health/live/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
CONFIGURATION = "from annotation.gunicorn_conf import *\n"


@dataclass(frozen=True)
class Installation:
    """A data folder and what the environment says about it."""

    folder: Path
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT") if name in os.environ}
        database = f"sqlite:///{self.folder / 'precis.sqlite3'}"
        return {**kept, "PRECIS_DATA_DIR": str(self.folder), "DATABASE_URL": database, **self.settings}

    def manage(self, *arguments: str, **environment: str) -> None:
        command = [sys.executable, "manage.py", *arguments]
        subprocess.run(command, cwd=ROOT, env={**self.environment, **environment}, check=True, capture_output=True)


@contextlib.contextmanager
def web_server(
    installation: Installation, *, more: str = "", application: str = "annotation.wsgi:application"
) -> Iterator[int]:
    """Serve with one process of four threads and yield the port; `more` is added to gunicorn's configuration."""
    configuration = installation.folder / "gunicorn_conf.py"
    configuration.write_text(CONFIGURATION + more)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        command = [sys.executable, "-m", "gunicorn", application, "--config", str(configuration), "--workers", "1"]
        command += ["--bind", f"fd://{listener.fileno()}", "--pythonpath", f"{ROOT},{installation.folder}"]
        port: int = listener.getsockname()[1]
        with running(command, installation.environment, listener.fileno()):
            yield port


@contextlib.contextmanager
def running(command: list[str], environment: dict[str, str], *fds: int) -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen(command, cwd=ROOT, env=environment, pass_fds=fds, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()


def connect(port: int, begun: bytes = b"", address: str = "127.0.0.1") -> socket.socket:
    """A connection that has sent `begun`; a port that is about to be served waits for its server."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE, source_address=(address, 0))
    connection.sendall(begun)
    return connection


def answer(connection: socket.socket) -> bytes:
    """Read one response with a Content-Length; empty if the server has closed the connection."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += (more := _receive(connection))
        if not more:
            return received
    head, _, body = received.partition(b"\r\n\r\n")
    lines = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
    if b"content-length" not in lines:  # an interim response, such as 100
        return received
    length = int(lines[b"content-length"])
    while len(body) < length:
        body += (more := _receive(connection))
        if not more:
            break
    return head + b"\r\n\r\n" + body


def _receive(connection: socket.socket) -> bytes:
    try:
        return connection.recv(65536)
    except ConnectionError:
        return b""


def everything(connection: socket.socket) -> bytes:
    """Read until the server closes the connection."""
    received = b""
    while more := _receive(connection):
        received += more
    return received


def is_well(port: int) -> bool:
    with connect(port, HEALTH) as connection:
        return answer(connection).startswith(b"HTTP/1.1 200")


def wait_for(port: int, process: "subprocess.Popen[bytes]") -> bool:
    """Wait until something listens on the port; False if the process has ended before."""
    until = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return True
    return False

"""The real program in a process of its own, with no other environment than the test gives."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 300.0  # a machine may have much else to do; only a test that fails waits so long
OPEN_UMASK = 0o022


def environment_of(folder: Path, **environment: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT") if name in os.environ}
    return {**kept, "PRECIS_DATA_DIR": str(folder), "PYTHONWARNINGS": "error", **environment}


def python(folder: Path, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run Python with this environment and no other setting of the app."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment_of(folder, **environment),
        umask=OPEN_UMASK,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )


@dataclass(frozen=True)
class Server:
    """A server that answers on this computer, and the file that it writes its messages to."""

    port: int
    log: Path
    process: "subprocess.Popen[bytes]"

    def ask(self, path: str, method: str = "GET", body: bytes = b"", **headers: str) -> HTTPResponse:
        """Send a request and return the answer, which has been read."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        with contextlib.closing(connection):
            connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            answer.read()
        return answer

    def messages(self) -> str:
        return self.log.read_text(encoding="utf-8")


@contextlib.contextmanager
def served(folder: Path, command: Sequence[str], **environment: str) -> Iterator[Server]:
    """Run a command that serves on the port that `{port}` in it stands for, and stop it at the end."""
    port, log = free_port(), folder.with_name(f"{folder.name}.log")
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, *(part.replace("{port}", str(port)) for part in command)],
            cwd=ROOT,
            env=environment_of(folder, PYTHONUNBUFFERED="1", **environment),
            umask=OPEN_UMASK,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    server = Server(port, log, process)
    try:
        _wait_for(server)
        yield server
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE_SECONDS)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def _wait_for(server: Server) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while server.process.poll() is None and time.monotonic() < until:
        with contextlib.suppress(OSError, HTTPException):
            server.ask("/health/", X_Forwarded_Proto="https")
            return
        time.sleep(0.1)
    raise AssertionError(f"The server does not answer:\n{server.messages()}")

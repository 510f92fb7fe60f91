"""Servers of a test's own, which it may stop, kill and start again: PostgreSQL, Redis; a free port."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from tests.support.product import PATIENCE_SECONDS, descendants, eventually

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))

from throwaway_postgres import free_port, postgres_binaries, restart_postgres, start_postgres, throwaway_postgres

__all__ = ["OwnPostgres", "OwnRedis", "free_port", "own_postgres", "own_redis"]


@dataclass(frozen=True)
class OwnPostgres:
    url: str
    binaries: Path
    data: Path

    @property
    def pid(self) -> int:
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def restart(self) -> None:
        """As after a power failure: what was acknowledged is there, and no connection is."""
        restart_postgres(self.binaries, self.data)

    def kill(self) -> None:
        """Kill the server's first process with SIGKILL; the others end when they notice."""
        family = [self.pid, *descendants(self.pid)]
        os.kill(family[0], signal.SIGKILL)
        eventually(lambda: not any(map(is_alive, family)), "all processes of PostgreSQL have ended")
        # In some containers nobody takes note of its end, and PostgreSQL would take it for a server that runs.
        (self.data / "postmaster.pid").unlink()

    def start(self) -> None:
        """Start after `kill`: the server first does again what its log says."""
        start_postgres(self.binaries, self.data)

    @contextlib.contextmanager
    def standing_still(self) -> Iterator[None]:
        """No process of the server goes on, as when its disk takes for ever."""
        family = [self.pid, *descendants(self.pid)]
        for pid in family:
            send(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in family:
                send(pid, signal.SIGCONT)

    def version(self) -> str:
        with psycopg.connect(self.url) as connected:
            row = connected.execute("SHOW server_version").fetchone()
        assert row
        return str(row[0]).split()[0]


@contextlib.contextmanager
def own_postgres(folder: Path | None = None) -> Iterator[OwnPostgres]:
    """Start a server that keeps what it acknowledges; skip the test where there is none to start."""
    binaries = postgres_binaries()
    if binaries is None:
        pytest.skip("no PostgreSQL server is installed")
    with throwaway_postgres(binaries, durable=True, inside=folder) as url:
        with psycopg.connect(url) as connected:
            row = connected.execute("SHOW data_directory").fetchone()
        assert row
        yield OwnPostgres(url, binaries, Path(row[0]))


class OwnRedis:
    """A broker that keeps nothing when it ends, as in docker-compose.yml."""

    def __init__(self, program: str, folder: Path) -> None:
        self.port = free_port()
        self._program, self._folder = program, folder
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        command = [self._program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen(command, cwd=self._folder, stdout=subprocess.DEVNULL)
        eventually(self._answers, "Redis answers")

    def kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait(PATIENCE_SECONDS)

    @contextlib.contextmanager
    def standing_still(self) -> Iterator[None]:
        """Connections are accepted by the system, and nobody answers."""
        assert self._process
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def told(self, command: str) -> str:
        """Send a command with a short answer."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as asked:
            asked.sendall(f"{command}\r\n".encode())
            return asked.recv(4096).decode()

    def _answers(self) -> bool:
        with contextlib.suppress(OSError):
            return self.told("PING").startswith("+PONG")
        return False


@contextlib.contextmanager
def own_redis(folder: Path) -> Iterator[OwnRedis]:
    """Start a Redis on loopback; skip the test where there is none to start."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("Redis is not installed (Debian: apt-get install redis-server)")
    redis = OwnRedis(program, folder)
    redis.start()
    try:
        yield redis
    finally:
        redis.kill()


def send(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def is_alive(pid: int) -> bool:
    """Whether a process is there; what has ended and waits for its parent to notice is not."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], check=False, capture_output=True, text=True).stdout
    return bool(state.strip()) and state.strip()[0] != "Z"

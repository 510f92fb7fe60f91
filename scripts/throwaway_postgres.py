"""A temporary PostgreSQL server for tests and benchmarks, so that nobody has to set one up.

It lives in a temporary folder, listens on loopback only and is removed afterwards. By default it is tuned for speed
(fsync off), so never keep data in it. As a script, it prints its URL and runs until Ctrl-C:

    python scripts/throwaway_postgres.py
"""

import contextlib
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

FOLDERS = (
    "/usr/lib/postgresql/*/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
)
CONFIGURATION = """
listen_addresses = '127.0.0.1'
port = {port}
unix_socket_directories = ''
max_connections = 200
"""
# Tests take back or delete what they write. Autovacuum would note the tables as empty, and a prepared statement keep a
# plan for empty tables, which takes for ever on those that the next test fills.
FAST_CONFIGURATION = """
fsync = off
synchronous_commit = off
full_page_writes = off
jit = off
autovacuum = off
plan_cache_mode = force_custom_plan
"""


def postgres_binaries() -> Path | None:
    """Return the folder with initdb and pg_ctl: the one on PATH, else the newest version installed."""
    on_path = shutil.which("pg_ctl")
    candidates = [Path(on_path).resolve().parent] if on_path else []
    for pattern in FOLDERS:
        found = Path("/").glob(pattern.removeprefix("/"))
        candidates += sorted(found, key=_version, reverse=True)
    return next((each for each in candidates if (each / "initdb").exists()), None)


@contextlib.contextmanager
def throwaway_postgres(binaries: Path, *, durable: bool = False, inside: Path | None = None) -> Iterator[str]:
    """Start a cluster and yield its URL; always stop and remove it at the end of the block.

    With `durable`, acknowledged transactions are on disk, as in production; benchmarks need this. Its folder is made
    `inside` another one, or among those of the system.
    """
    with _sigterm_as_exit(), tempfile.TemporaryDirectory(prefix="precis-postgres-", dir=inside) as name:
        folder = Path(name)
        as_user = _unprivileged(folder)
        try:
            yield _start(binaries, folder, as_user, CONFIGURATION + ("" if durable else FAST_CONFIGURATION))
        finally:
            stop = (binaries / "pg_ctl", "stop", "--mode=immediate", "--pgdata", folder / "data")
            subprocess.run(stop, cwd=folder, capture_output=True, check=False, **as_user)


def restart_postgres(binaries: Path, data: Path) -> None:
    """Restart a server at once, as after a power failure: all its connections break."""
    _control(binaries, data, "restart", "--mode=immediate")


def start_postgres(binaries: Path, data: Path) -> None:
    """Start a server that was killed; it recovers first."""
    _control(binaries, data, "start")


def _control(binaries: Path, data: Path, *action: str) -> None:
    owner = data.stat()
    as_owner = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []}
    as_user: dict[str, Any] = as_owner if os.geteuid() == 0 else {}
    options: tuple[str | Path, ...] = (*action, "--wait", "--pgdata", data, "--log", data.parent / "log")
    _run(binaries / "pg_ctl", *options, **as_user, cwd=data.parent, stdin=subprocess.DEVNULL, start_new_session=True)


def _start(binaries: Path, folder: Path, as_user: dict[str, Any], configuration: str) -> str:
    data, password, password_file = folder / "data", secrets.token_hex(16), folder / "password"
    password_file.write_text(password)  # the temporary folder is accessible to its owner only
    if "user" in as_user:
        os.chown(password_file, as_user["user"], as_user["group"])  # whoever starts us may let nobody else read files
    _run(
        *(binaries / "initdb", "--pgdata", data, "--username=precis", "--encoding=UTF8", "--no-sync"),
        f"--locale={'en_US.UTF-8' if sys.platform == 'darwin' else 'C.UTF-8'}",
        *("--auth=scram-sha-256", "--pwfile", password_file),
        **as_user,
        cwd=folder,
    )
    port = free_port()
    with (data / "postgresql.conf").open("a") as file:
        file.write(configuration.format(port=port))
    # In its own session, so that Ctrl-C in the terminal does not stop the server before its clients.
    pg_ctl = (binaries / "pg_ctl", "start", "--wait", "--pgdata", data, "--log", folder / "log")
    _run(*pg_ctl, **as_user, cwd=folder, stdin=subprocess.DEVNULL, start_new_session=True)
    return f"postgres://precis:{password}@127.0.0.1:{port}/postgres"


def _run(*command: str | Path, cwd: Path, **options: Any) -> None:
    # To a file instead of a pipe: the server inherits the stream and would keep a pipe open forever.
    with (cwd / "output").open("w+") as output:
        done = subprocess.run(command, cwd=cwd, stdout=output, stderr=output, text=True, check=False, **options)
        if done.returncode:
            output.seek(0)
            log = cwd / "log"
            details = output.read() + (log.read_text() if log.exists() else "")
            raise RuntimeError(f"{command[0]} failed:\n{details}")


def _unprivileged(folder: Path) -> dict[str, Any]:
    """Give the folder to an unprivileged user and return options to run as them: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    known = {each.pw_name: each for each in pwd.getpwall()}
    user = known.get("postgres") or known["nobody"]
    os.chown(folder, user.pw_uid, user.pw_gid)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def _version(folder: Path) -> list[int]:
    return [int(part) for part in folder.parent.name.removeprefix("postgresql@").split(".") if part.isdigit()]


@contextlib.contextmanager
def _sigterm_as_exit() -> Iterator[None]:
    """Make SIGTERM unwind the stack as Ctrl-C does, so that the cluster is removed."""

    def exit_on_signal(_number: int, _frame: FrameType | None) -> None:
        sys.exit(128 + signal.SIGTERM)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = signal.signal(signal.SIGTERM, exit_on_signal)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)


def main() -> None:
    binaries = postgres_binaries()
    if binaries is None:
        sys.exit("No PostgreSQL server is installed (Debian: postgresql, Homebrew: postgresql@15).")
    with contextlib.suppress(KeyboardInterrupt), throwaway_postgres(binaries) as url:
        print(url, flush=True)
        signal.pause()


if __name__ == "__main__":
    main()

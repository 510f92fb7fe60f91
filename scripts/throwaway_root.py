"""A server for one check: systemd, booted on a copy of this computer's files that is thrown away afterwards.

It is what a container would be, from what Linux itself has (scripts/throwaway_root.sh). Needs root on Linux, and
systemd to be installed there, though not to run.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

SCRIPT = Path(__file__).with_name("throwaway_root.sh")
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
BOOT_SECONDS = 60
NAMESPACES = ("--mount", "--uts", "--ipc", "--pid", "--cgroup")
# How this computer reaches package registries.
KEPT = ("PIP_", "SSL_CERT", "REQUESTS_CA", "CURL_CA", "http_proxy", "https_proxy", "no_proxy")


class Failed(Exception):
    """A command in the root ended with an error."""


@dataclass(frozen=True)
class Root:
    """A running system; `process` is its systemd as this computer numbers it."""

    process: int

    def command(self, script: str, *, network: bool = False) -> list[str]:
        """Return what runs a script of the shell there; with `network`, it reaches what this computer reaches."""
        namespaces = NAMESPACES if network else (*NAMESPACES, "--net")
        kept = [f"{name}={value}" for name, value in os.environ.items() if name.startswith(KEPT)]
        environment = [f"PATH={PATH}", "HOME=/root", "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", *kept]
        enter = ["nsenter", f"--target={self.process}", *namespaces, "--root", "--wd"]
        shell = ["bash", "-euo", "pipefail", "-c", f"cd /root; umask 022\n{script}"]
        return [*enter, "env", "--ignore-environment", *environment, *shell]

    def outside(self, script: str) -> None:
        """Run a script on this computer's files, but in the root's network."""
        subprocess.run(["nsenter", f"--target={self.process}", "--net", "sh", "-c", script], check=True)

    def run(self, script: str, *, network: bool = False, given: bytes = b"", seconds: float = 300) -> str:
        """Run a script and return what it said.

        Raises
        ------
        Failed
            With what it said, if it ended with an error or took too long.
        """
        try:
            done = subprocess.run(
                self.command(script, network=network),
                input=given,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as late:
            raise Failed(f"took more than {seconds:.0f} s:\n{(late.stdout or b'').decode(errors='replace')}") from late
        said = done.stdout.decode(errors="replace")
        if done.returncode:
            raise Failed(f"exit code {done.returncode}:\n{said}")
        return said

    def answer(self, script: str, dialogue: Sequence[tuple[str, str]], *, seconds: float = 120) -> str:
        """Run a script on a terminal and type each answer when its question is asked."""
        command = [
            "script",
            "--quiet",
            "--return",
            "--command",
            subprocess.list2cmdline(self.command(script)),
            "/dev/null",
        ]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin
            assert process.stdout
            said, ends = b"", time.monotonic() + seconds
            for question, answer in dialogue:
                while question.encode() not in said and time.monotonic() < ends:
                    if not (more := os.read(process.stdout.fileno(), 4096)):
                        break
                    said += more
                process.stdin.write(f"{answer}\n".encode())
                process.stdin.flush()
                said = b""
            rest = process.stdout.read()
            process.stdin.close()
        if process.returncode:
            raise Failed(f"exit code {process.returncode}:\n{(said + rest).decode(errors='replace')}")
        return rest.decode(errors="replace")

    def put(self, path: str, content: bytes) -> None:
        self.run(f"mkdir -p {Path(path).parent}; cat >{path}", given=content)


def what_is_missing() -> str | None:
    """Return why there can be no throw-away root on this computer; None if there can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "it needs root on Linux"
    needed = ("unshare", "nsenter", "setpriv", "script", "apt-get")
    lacking = [name for name in needed if not shutil.which(name)]
    if lacking:
        return f"it needs {', '.join(lacking)}"
    if not Path("/lib/systemd/systemd").exists():
        return "systemd is not installed"
    return None if _control_groups() else "there are no control groups of version 2"


def _control_groups() -> Path | None:
    mounts = (line.split() for line in Path("/proc/mounts").read_text(encoding="utf-8").splitlines())
    return next((Path(mount[1]) for mount in mounts if mount[2] == "cgroup2"), None)


@contextlib.contextmanager
def throwaway_root() -> Iterator[Root]:
    """Boot a system; at the end, end all its processes and forget what they wrote."""
    base = _control_groups()
    assert base
    group = base / f"precis-check-{os.getpid()}"
    group.mkdir()
    with tempfile.TemporaryDirectory(prefix="precis-root-") as folder:
        # Should this program be killed, what it has started ends with it.
        command = ["setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--propagation", "private"]
        process = subprocess.Popen(
            [*command, str(SCRIPT), folder],
            env={**os.environ, "CONTROL_GROUP": str(group)},
            stdin=subprocess.DEVNULL,
        )
        try:
            root = Root(_booting(process))
            _wait_for_boot(root)
            yield root
        finally:
            process.kill()  # and with it, by --kill-child, the first process of the namespace, so all of them
            process.wait()
            _remove(group)


def _booting(process: "subprocess.Popen[bytes]") -> int:
    """Return the number of the namespace's first process once it is there and is systemd."""
    for _ in range(BOOT_SECONDS * 10):
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="ascii").split()
        if children and Path(f"/proc/{children[0]}/comm").read_text(encoding="ascii") == "systemd\n":
            return int(children[0])
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise Failed("systemd did not start")


def _wait_for_boot(root: Root) -> None:
    """Wait until systemd has started what it starts by itself; what a container cannot start does not matter."""
    ends = time.monotonic() + BOOT_SECONDS
    while time.monotonic() < ends:
        with contextlib.suppress(Failed):
            if root.run("systemctl is-system-running || true").strip() in {"running", "degraded"}:
                return
        time.sleep(0.3)
    raise Failed("systemd did not finish its start")


def _remove(group: Path) -> None:
    """Remove the control groups, the innermost first; the kernel needs a moment after the last process."""
    for _ in range(50):
        for folder, _folders, _files in os.walk(group, topdown=False):
            with contextlib.suppress(OSError):
                Path(folder).rmdir()
        if not group.exists():
            return
        time.sleep(0.1)

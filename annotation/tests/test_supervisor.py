"""The supervisor with small children in place of the real ones: each writes its id, then sleeps."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0  # a machine may have much else to do; only a test that fails waits so long

# The child forks as gunicorn does; both processes are guarded.
CHILD = """
import os, pathlib, sys, time
from annotation.orphan_guard import guard_against_orphaning
role = "leaf" if os.fork() == 0 else "stem"
guard_against_orphaning(grace=2)
(pathlib.Path(sys.argv[1]) / f"{role}-{os.getpid()}").touch()
time.sleep(600)
"""

SUPERVISOR = """
import sys
from annotation.supervisor import Child, Supervisor
children = [Child(name, [sys.executable, "-c", sys.argv[1], folder, name])
            for name, folder in zip(["web", "worker"], sys.argv[2:])]
sys.exit(Supervisor(children, on_ready=lambda: print("ready", flush=True)).run())
"""


class Stage:
    """A supervisor in a process of its own, with one folder for each of its children."""

    def __init__(self, folder: Path, child: str = CHILD) -> None:
        self.folders = [folder / "web", folder / "worker"]
        for each in self.folders:
            each.mkdir()
        self.supervisor = subprocess.Popen(
            [sys.executable, "-c", SUPERVISOR, child, *map(str, self.folders)],
            cwd=ROOT,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def pids(self, role: str, folder: Path | None = None) -> list[int]:
        folders = [folder] if folder else self.folders
        return [int(path.name.split("-")[1]) for each in folders for path in each.glob(f"{role}-*")]

    def everybody(self) -> list[int]:
        return self.pids("stem") + self.pids("leaf")

    def close(self) -> None:
        for pid in [self.supervisor.pid, *self.everybody()]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.supervisor.communicate()


def is_alive(pid: int) -> bool:
    """Whether the process runs; a zombie that nobody has reaped does not."""
    return state(pid) not in {"", "Z", "X"}


def state(pid: int) -> str:
    if Path("/proc/self/stat").exists():
        try:
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return ""
    ps = ["ps", "-o", "stat=", "-p", str(pid)]
    return subprocess.run(ps, capture_output=True, text=True, check=False).stdout.strip()[:1]


def eventually(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    stage = Stage(tmp_path)
    try:
        assert eventually(lambda: len(stage.everybody()) == 4)
        yield stage
    finally:
        stage.close()


def test_a_killed_child_is_restarted_and_its_brother_left_alone(stage: Stage) -> None:
    web, worker = stage.folders
    (victim,), (orphan,) = stage.pids("stem", web), stage.pids("leaf", web)
    os.kill(victim, signal.SIGKILL)

    assert eventually(lambda: len(stage.pids("stem", web)) == 2)
    assert eventually(lambda: not is_alive(orphan))
    assert len(stage.pids("stem", worker)) == 1
    assert all(is_alive(pid) for pid in stage.pids("stem", worker))


def test_a_killed_supervisor_leaves_no_orphan(stage: Stage) -> None:
    os.kill(stage.supervisor.pid, signal.SIGKILL)

    assert eventually(lambda: not any(map(is_alive, stage.everybody())))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_signal_ends_all_with_code_0(stage: Stage, number: signal.Signals) -> None:
    os.kill(stage.supervisor.pid, number)
    out, err = stage.supervisor.communicate(timeout=PATIENCE)

    assert (out, err, stage.supervisor.returncode) == ("ready\n", "", 0)
    assert not any(map(is_alive, stage.everybody()))


def test_a_child_that_ignores_the_guard_is_ended_by_force(tmp_path: Path) -> None:
    deaf = CHILD.replace("import os,", "import signal; signal.signal(15, signal.SIG_IGN)\nimport os,")
    stage = Stage(tmp_path, deaf)
    try:
        assert eventually(lambda: len(stage.everybody()) == 4)
        os.kill(stage.supervisor.pid, signal.SIGKILL)
        assert eventually(lambda: not any(map(is_alive, stage.everybody())))
    finally:
        stage.close()


def test_it_gives_up_on_a_child_that_dies_at_once(tmp_path: Path) -> None:
    fragile = CHILD + "\n"
    fragile = f"import sys\nif sys.argv[2] == 'web': sys.exit(3)\n{fragile}"
    stage = Stage(tmp_path, fragile)
    try:
        _, err = stage.supervisor.communicate(timeout=3 * PATIENCE)
    finally:
        stage.close()

    assert stage.supervisor.returncode == 1
    assert "web ended with exit code 3, 5 times" in err
    assert not any(map(is_alive, stage.everybody()))

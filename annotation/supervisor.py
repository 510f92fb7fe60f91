"""Run several child processes together: restart those that die, stop all on a signal, leave no orphans.

`manage.py start` becomes this program, which runs the web server and the Celery worker. It imports the standard library
only: it waits as long as they run. If the supervisor itself dies, `annotation.orphan_guard` ends the children.
"""

import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType

from annotation.orphan_guard import FD_VARIABLE

POLL_SECONDS = 0.1
QUICK_DEATH_SECONDS = 5.0
MAX_QUICK_DEATHS = 5
FIRST_BACKOFF_SECONDS = 0.2
STOP_SECONDS = 15.0
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True)
class Child:
    """A command to run; `env` is added to the supervisor's own environment."""

    name: str
    argv: Sequence[str]
    env: Mapping[str, str] = field(default_factory=dict)


class GaveUp(Exception):
    """Raised when a child has repeatedly died soon after its start."""


class _ManagedChild:
    """A child with its current process and its restart state."""

    def __init__(self, child: Child, pipe: int) -> None:
        self.child = child
        self.pipe = pipe
        self.quick_deaths = 0
        self.start_at = 0.0
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        # In its own process group, so that Ctrl-C in the terminal reaches only the supervisor, which then stops its
        # children in an orderly way, and so that signals also reach what the child has forked.
        self.process = subprocess.Popen(  # noqa: S603
            self.child.argv,
            env={**os.environ, **self.child.env, FD_VARIABLE: str(self.pipe)},
            stdin=subprocess.DEVNULL,
            pass_fds=(self.pipe,),
            process_group=0,
        )
        self.start_at = time.monotonic()

    def tend(self) -> None:
        """Start the child if it is due; schedule a restart if it has died."""
        now = time.monotonic()
        if self.process is None:
            if now >= self.start_at:
                self.start()
        elif (status := self.process.poll()) is not None:
            self.signal(signal.SIGTERM)  # ends what it has forked
            self.process = None
            self._schedule_restart(now, status)

    def _schedule_restart(self, now: float, status: int) -> None:
        lived = now - self.start_at
        self.quick_deaths = self.quick_deaths + 1 if lived < QUICK_DEATH_SECONDS else 0
        how = f"ended by signal {-status}" if status < 0 else f"ended with exit code {status}"
        if self.quick_deaths >= MAX_QUICK_DEATHS:
            raise GaveUp(
                f"{self.child.name} {how}, {self.quick_deaths} times within {QUICK_DEATH_SECONDS:.0f} "
                "seconds of its start. Giving up; its own messages are above."
            )
        self.start_at = now + FIRST_BACKOFF_SECONDS * 2**self.quick_deaths
        _log(f"{self.child.name} {how}; starting it again.")

    def signal(self, number: int) -> None:
        """Send a signal to the child and everything it has forked."""
        if self.process is not None:
            # macOS reports EPERM for a process group without live processes.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, number)

    def wait(self, deadline: float) -> None:
        """Wait for the child to end until `deadline`, then kill what is left."""
        if self.process is None:
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(max(0.0, deadline - time.monotonic()))
        self.signal(signal.SIGKILL)
        self.process.wait()


class Supervisor:
    """Keeps children running until it receives a stop signal."""

    def __init__(
        self,
        children: Sequence[Child],
        *,
        is_ready: Callable[[], bool] = lambda: True,
        on_ready: Callable[[], None] = lambda: None,
    ) -> None:
        self.children = children
        self.is_ready = is_ready
        self.on_ready = on_ready
        self._stopping = False

    def run(self) -> int:
        """Run the children until stopped; return the exit code."""
        read_end, write_end = os.pipe()  # not inherited, except for what `pass_fds` names
        children = [_ManagedChild(child, read_end) for child in self.children]
        with self._stop_signals():
            try:
                self._tend_until_stopped(children)
            except GaveUp as reason:
                _log(str(reason))
                return 1
            finally:
                _stop_all(children)
                os.close(write_end)
                os.close(read_end)
        return 0

    def _tend_until_stopped(self, children: Sequence[_ManagedChild]) -> None:
        announced = False
        while not self._stopping:
            for child in children:
                child.tend()
            if not announced and self.is_ready():
                announced = True
                self.on_ready()
            time.sleep(POLL_SECONDS)

    @contextlib.contextmanager
    def _stop_signals(self) -> Iterator[None]:
        # nohup ignores SIGHUP; leave it ignored.
        handled = [s for s in STOP_SIGNALS if s == signal.SIGINT or signal.getsignal(s) != signal.SIG_IGN]
        previous = {number: signal.signal(number, self._stop) for number in handled}
        try:
            yield
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stopping = True


def _stop_all(children: Sequence[_ManagedChild]) -> None:
    for child in children:
        child.signal(signal.SIGTERM)
    deadline = time.monotonic() + STOP_SECONDS
    for child in children:
        child.wait(deadline)


def _log(message: str) -> None:
    print(message, file=sys.stderr, flush=True)  # noqa: T201


def answers(host: str, port: int) -> bool:
    """Return whether a web worker answers; the port opens before one is ready."""
    connection = http.client.HTTPConnection(host, port, timeout=2)
    try:
        connection.request("GET", "/")
        connection.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True


def main(plan: str) -> int:
    """Run the children of a plan in JSON until stopped, and say when they are ready."""
    wanted = json.loads(plan)
    code = Supervisor(
        [Child(name, argv) for name, argv in wanted["children"]],
        is_ready=lambda: answers(wanted["host"], wanted["port"]),
        on_ready=lambda: _say(wanted["ready"]),
    ).run()
    if not code:
        _say("Précis has stopped.")
    return code


def _say(message: str) -> None:
    print(message, flush=True)  # noqa: T201


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main(sys.argv[1]))

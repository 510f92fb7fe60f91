"""Run a few child processes together: restart what dies, end all when told to, leave no orphan.

`manage.py start` runs the web server and the Celery worker under it. The children are told by
`annotation.lifeline` when the supervisor itself is gone.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType

from annotation.lifeline import FD_VARIABLE

POLL_SECONDS = 0.1
QUICK_DEATH_SECONDS = 5.0
MAX_QUICK_DEATHS = 5
FIRST_BACKOFF_SECONDS = 0.2
STOP_SECONDS = 15.0
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True)
class Child:
    """What to run: `env` is added to the supervisor's own environment."""

    name: str
    argv: Sequence[str]
    env: Mapping[str, str] = field(default_factory=dict)


class GaveUp(Exception):
    """A child died too often, too soon after its start."""


class _Running:
    """One child: its process now, and how it has fared so far."""

    def __init__(self, child: Child, lifeline: int) -> None:
        self.child = child
        self.lifeline = lifeline
        self.quick_deaths = 0
        self.start_at = 0.0
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        # In a process group of its own: Ctrl-C in the terminal is for the supervisor alone, which
        # then stops its children in order; and what a child forks can be reached with it.
        self.process = subprocess.Popen(  # noqa: S603
            self.child.argv,
            env={**os.environ, **self.child.env, FD_VARIABLE: str(self.lifeline)},
            stdin=subprocess.DEVNULL,
            pass_fds=(self.lifeline,),
            process_group=0,
        )
        self.start_at = time.monotonic()

    def tend(self) -> None:
        """Start the child if it is due; note its death if it has died."""
        now = time.monotonic()
        if self.process is None:
            if now >= self.start_at:
                self.start()
        elif (status := self.process.poll()) is not None:
            self.signal(signal.SIGTERM)  # what it had forked
            self.process = None
            self._plan_restart(now, status)

    def _plan_restart(self, now: float, status: int) -> None:
        lived = now - self.start_at
        self.quick_deaths = self.quick_deaths + 1 if lived < QUICK_DEATH_SECONDS else 0
        how = f"ended by signal {-status}" if status < 0 else f"ended with exit code {status}"
        if self.quick_deaths >= MAX_QUICK_DEATHS:
            raise GaveUp(
                f"{self.child.name} {how}, {self.quick_deaths} times within {QUICK_DEATH_SECONDS:.0f} "
                "seconds of its start. Giving up; its own messages are above."
            )
        self.start_at = now + FIRST_BACKOFF_SECONDS * 2**self.quick_deaths
        _say(f"{self.child.name} {how}; starting it again.")

    def signal(self, number: int) -> None:
        """Send a signal to the child and to all that it has forked."""
        if self.process is not None:
            # macOS answers EPERM for a group in which nobody is alive any more.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, number)

    def wait(self, deadline: float) -> None:
        """Wait for the end until `deadline`, then end what is left by force."""
        if self.process is None:
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(max(0.0, deadline - time.monotonic()))
        self.signal(signal.SIGKILL)
        self.process.wait()


class Supervisor:
    """Keeps children running until a stop signal comes; `run` returns the exit code."""

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
        read_end, write_end = os.pipe()  # neither is inherited, but for `pass_fds`
        running = [_Running(child, read_end) for child in self.children]
        with self._stop_signals():
            try:
                self._tend_until_stopped(running)
            except GaveUp as reason:
                _say(str(reason))
                return 1
            finally:
                _stop_all(running)
                os.close(write_end)
                os.close(read_end)
        return 0

    def _tend_until_stopped(self, running: Sequence[_Running]) -> None:
        announced = False
        while not self._stopping:
            for child in running:
                child.tend()
            if not announced and self.is_ready():
                announced = True
                self.on_ready()
            time.sleep(POLL_SECONDS)

    @contextlib.contextmanager
    def _stop_signals(self) -> Iterator[None]:
        # Under nohup SIGHUP is ignored, and is to stay so.
        heeded = [s for s in STOP_SIGNALS if s == signal.SIGINT or signal.getsignal(s) != signal.SIG_IGN]
        before = {number: signal.signal(number, self._stop) for number in heeded}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stopping = True


def _stop_all(running: Sequence[_Running]) -> None:
    for child in running:
        child.signal(signal.SIGTERM)
    deadline = time.monotonic() + STOP_SECONDS
    for child in running:
        child.wait(deadline)


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)  # noqa: T201

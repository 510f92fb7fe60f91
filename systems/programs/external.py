"""A program of the user's as a system: one process, a line of JSON for each text, and a line of JSON back.

The program reads ``{"id", "language", "text", "sentences", "minimum", "allowed", "seed"}`` on its standard input and
writes ``{"id", "text"}`` on its standard output, a text at a time; a `text` of null says that it has none.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from measures.core.undefined import Undefined
from systems.programs.texts import Output, Range, Source, outside_output

MOST_BYTES = 1 << 20
"""Of a line that is read, and of the standard error that is kept."""
FAILURES_IN_A_ROW = 3
CHUNK = 1 << 16
SECONDS_TO_END = 5.0


class Program:
    """A system that is a process, started at its first text and again after a text at which it failed.

    Parameters
    ----------
    argv : sequence of str
        The program and its arguments; no shell reads them.
    seconds : float
        Time for a text, starting the process included.
    errors : Path
        File that its standard error is appended to, up to 1 MiB.
    environment : mapping of str to str
        Its environment variables.
    is_as_is : bool
        Take texts that break the length rule, and mark them.

    Raises
    ------
    ValueError
        When called: if the program cannot be started, or fails at three texts in a row.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        seconds: float,
        errors: Path,
        environment: Mapping[str, str],
        is_as_is: bool = False,
    ) -> None:
        self._argv, self._seconds, self._errors, self._environment = list(argv), seconds, errors, dict(environment)
        self._is_as_is, self._failures = is_as_is, 0
        self._process: subprocess.Popen[bytes] | None = None
        self._keeper: threading.Thread | None = None
        self._read = b""

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def __call__(self, source: Source, range_: Range, seed: int) -> Output | Undefined:
        """Have a text compressed; undefined if the program failed at it, gave none, or one that breaks the rule."""
        try:
            text = _text_of(self._exchange(_asked(source, range_, seed)), source.id)
        except _Failed as failure:
            self._end()
            self._failures += 1
            if self._failures == FAILURES_IN_A_ROW:
                raise ValueError(
                    f"{self._argv[0]} failed at {FAILURES_IN_A_ROW} texts in a row, at {source.id!r} since {failure}. "
                    f"Its standard error is in {self._errors}."
                ) from failure
            return Undefined(f"the program failed: {failure}")
        self._failures = 0
        if text is None:
            return Undefined("the program gave no text")
        return outside_output(source, text, range_, is_as_is=self._is_as_is)

    def _exchange(self, line: bytes) -> bytes:
        """Write a line and read the next one, within the time for a text."""
        ends_at = time.monotonic() + self._seconds
        process = self._process or self._start()
        stdin, stdout = process.stdin, process.stdout
        if stdin is None or stdout is None:
            raise _Failed("it has no standard input or output")
        with selectors.DefaultSelector() as waiting:
            waiting.register(stdin, selectors.EVENT_WRITE)
            waiting.register(stdout, selectors.EVENT_READ)
            while b"\n" not in self._read:
                ready = waiting.select(max(0.0, ends_at - time.monotonic()))
                if not ready:
                    raise _Failed(f"no line within {self._seconds:g} seconds")
                for key, _events in ready:
                    if key.fileobj is stdout:
                        self._take(stdout)
                    elif not (line := _written(stdin, line)):
                        waiting.unregister(stdin)
        answer, _, self._read = self._read.partition(b"\n")
        if self._read.strip():
            raise _Failed("more than one line for a text")
        return answer

    def _take(self, stdout: IO[bytes]) -> None:
        chunk = os.read(stdout.fileno(), CHUNK)
        if not chunk:
            raise _Failed(f"it ended{self._ended_with()}")
        self._read += chunk
        if len(self._read) > MOST_BYTES:
            raise _Failed(f"a line of more than {MOST_BYTES:,} bytes")

    def _ended_with(self) -> str:
        try:
            return f" with status {self._process.wait(SECONDS_TO_END)}" if self._process else ""
        except subprocess.TimeoutExpired:
            return ""

    def _start(self) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        try:
            process = subprocess.Popen(  # noqa: S603 - the program that the user named, without a shell
                self._argv,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                env=self._environment,
                start_new_session=True,
                bufsize=0,
            )
        except (OSError, ValueError) as fault:
            raise ValueError(f"{self._argv[0]} could not be started: {fault}") from fault
        if process.stdin is not None and process.stderr is not None:
            os.set_blocking(process.stdin.fileno(), False)
            self._keeper = threading.Thread(target=_keep, args=(process.stderr, self._errors), daemon=True)
            self._keeper.start()
        self._process, self._read = process, b""
        return process

    def _end(self) -> None:
        """End the process with all that it has started."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0 if self._failures else SECONDS_TO_END)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
        if self._keeper is not None:
            self._keeper.join(SECONDS_TO_END)


class _Failed(Exception):
    """Why there is no line for a text."""


def _asked(source: Source, range_: Range, seed: int) -> bytes:
    asked = {
        "id": source.id,
        "language": source.language,
        "text": source.text,
        "sentences": source.sentences,
        "minimum": range_.least_length(source.text),
        "allowed": range_.most_length(source.text),
        "seed": seed,
    }
    return json.dumps(asked, ensure_ascii=False).encode() + b"\n"


def _written(stdin: IO[bytes], line: bytes) -> bytes:
    """Write what a pipe takes of a line; return the rest."""
    try:
        return line[os.write(stdin.fileno(), line[:CHUNK]) :]
    except BlockingIOError:
        return line
    except BrokenPipeError:
        return b""  # reading tells how it ended


def _text_of(line: bytes, source_id: str) -> str | None:
    try:
        said: Any = json.loads(line)
    except (ValueError, RecursionError):
        raise _Failed(f"not a line of JSON: {line[:80]!r}") from None
    text = said.get("text", 0) if isinstance(said, dict) else 0
    if not isinstance(said, dict) or said.get("id") != source_id or not (text is None or isinstance(text, str)):
        raise _Failed(f"not an object with the id {source_id!r} and a text: {line[:80]!r}")
    return text


def _keep(stream: IO[bytes], file: Path) -> None:
    """Append what a process says to a file, and read on without keeping it once that is large."""
    with stream, file.open("ab") as kept:
        while chunk := stream.read(CHUNK):
            kept.write(chunk[: max(0, MOST_BYTES - kept.tell())])
            kept.flush()

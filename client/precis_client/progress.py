"""Progress: a bar of tqdm where it is installed, otherwise a line on stderr now and then."""

import importlib
import sys
from typing import Any, Protocol, Self, TextIO


class Progress(Protocol):
    """Shows how many of how many are done."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_error: object) -> None: ...

    def show(self, done: int, total: int, /) -> None: ...


class Silent:
    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        return None

    def show(self, _done: int, _total: int) -> None:
        return None


class Lines:
    """A line for each tenth."""

    def __init__(self, what: str, stream: TextIO | None = None) -> None:
        self._what, self._stream, self._said = what, stream or sys.stderr, -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        return None

    def show(self, done: int, total: int) -> None:
        tenth = 10 * done // total if total else 0
        if tenth > self._said:
            self._said = tenth
            of = f"{done} of {total}" if total else "begun"
            print(f"{self._what}: {of}", file=self._stream, flush=True)


class Bar:
    """A bar of tqdm, which is one of the notebook's own within a notebook."""

    def __init__(self, what: str, tqdm: Any) -> None:
        self._bar = tqdm(desc=what, total=0, leave=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._bar.close()

    def show(self, done: int, total: int) -> None:
        self._bar.total, self._bar.n = total or None, done
        self._bar.refresh()


def progress(what: str, *, wanted: bool) -> Progress:
    """Return what shows the progress of something; nothing is shown if that is not wanted."""
    if not wanted:
        return Silent()
    try:
        tqdm = importlib.import_module("tqdm.auto").tqdm
    except ImportError:
        return Lines(what)
    return Bar(what, tqdm)

"""Jobs: what the server does in the background, such as an import or a release."""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Self

from precis_client.answers import Import
from precis_client.connection import Connection, part
from precis_client.errors import JobFailed, StillRunning
from precis_client.progress import Progress, progress
from precis_client.records import Record

FINISHED = frozenset({"done", "failed"})
FIRST_PAUSE, LONGEST_PAUSE = 0.3, 10.0


class Job(Record):
    """A job of a campaign, as it was when it was last asked for.

    Examples
    --------
    >>> job = campaign.import_texts("texts.jsonl")
    >>> job.wait(progress=True)
    >>> job.state, job.message
    ('done', '120 texts added.')
    """

    __slots__ = ("_connection", "_outcome", "_path")

    def __init__(
        self, connection: Connection, campaign_path: str, told: Mapping[str, Any], *, outcome: str = ""
    ) -> None:
        super().__init__(told)
        self._connection, self._outcome = connection, outcome
        self._path = f"{campaign_path}jobs/{part(told['id'])}/"

    @property
    def is_finished(self) -> bool:
        """Whether the job is done or has failed.

        Examples
        --------
        >>> campaign.job(12).refresh().is_finished
        False
        """
        return self["state"] in FINISHED

    def refresh(self) -> Self:
        """Fetch the progress of the job.

        Examples
        --------
        >>> job.refresh().done
        40
        """
        self._told = dict(self._connection.get(self._path))
        return self

    def outcome(self) -> Import:
        """Return what came of an import: how many rows were added or refused, and why.

        Examples
        --------
        >>> for row in campaign.import_texts("texts.jsonl").wait().outcome().problems:
        ...     print(row.line, row.reason)
        """
        if not self._outcome:
            raise ValueError("Only jobs of imports have an outcome of their own.")
        return Import(self._connection.get(self._outcome))

    def wait(self, *, progress: bool = False, timeout: float | None = None) -> Self:
        """Wait until the job is done.

        Parameters
        ----------
        progress
            Whether to show the progress: with tqdm if it is installed, otherwise as lines on stderr.
        timeout
            How many seconds to wait at most; None for as long as it takes.

        Raises
        ------
        JobFailed
            If the job has failed.
        StillRunning
            If the time is up. The job goes on; you can wait again.

        Examples
        --------
        >>> campaign.import_texts("texts.jsonl").wait(progress=True, timeout=600)
        """
        with shown(str(self.get("kind", "job")), wanted=progress) as bar:
            for _ in pauses(self._connection.sleep, timeout):
                self.refresh()
                bar.show(self.get("done", 0), self.get("total", 0))
                if self["state"] == "done":
                    show_end(bar, self.get("total", 0))
                if self.is_finished:
                    break
            else:
                raise StillRunning(f"The job is {self['state']} after {timeout} seconds.")
        if self["state"] == "failed":
            raise JobFailed(self.get("message") or "The job failed.", code=str(self.get("kind", "")))
        return self


shown = progress


def show_end(bar: Progress, total: int) -> None:
    """Show that all is done: counts are stored now and then, so the last one can be behind, and some have none."""
    bar.show(total or 1, total or 1)


def pauses(sleep: Callable[[float], None], timeout: float | None, every: float = LONGEST_PAUSE) -> Iterator[None]:
    """Yield at once, and then again after pauses that grow, until the time is over."""
    until = None if timeout is None else time.monotonic() + timeout
    pause = min(FIRST_PAUSE, every)
    while True:
        yield
        left = None if until is None else until - time.monotonic()
        if left is not None and left <= 0:
            return
        sleep(pause if left is None else min(pause, left))
        pause = min(every, pause * 1.5)

"""Helpers shared by the management commands."""

from collections.abc import Iterator
from contextlib import contextmanager

from tqdm import tqdm

from common.jobs import Progress


@contextmanager
def progress_bar(unit: str) -> Iterator[Progress]:
    """Yield a progress callback that draws a bar on a terminal and nothing elsewhere."""
    with tqdm(unit=unit, disable=None) as bar:

        def progress(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield progress

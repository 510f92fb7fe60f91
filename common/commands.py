"""What all management commands share."""

from collections.abc import Iterator
from contextlib import contextmanager

from tqdm import tqdm

from common.jobs import Progress


@contextmanager
def progress_bar(unit: str) -> Iterator[Progress]:
    """A progress function that draws a bar on a terminal and is silent elsewhere."""
    with tqdm(unit=unit, disable=None) as bar:

        def progress(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield progress

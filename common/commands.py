"""Helpers shared by the management commands."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management.base import CommandError
from tqdm import tqdm

from common.jobs import Progress

MAX_FILE_BYTES = 512 * 2**20  # of a file that is read into memory


def file_content(path: Path) -> bytes:
    """Return the content of a file that a command was given, or raise CommandError."""
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from error
    if len(content) > MAX_FILE_BYTES:
        raise CommandError(f"{path}: larger than {MAX_FILE_BYTES // 2**20} MiB. Please split the file.")
    return content


@contextmanager
def progress_bar(unit: str) -> Iterator[Progress]:
    """Yield a progress callback that draws a bar on a terminal and nothing elsewhere."""
    with tqdm(unit=unit, disable=None) as bar:

        def progress(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield progress

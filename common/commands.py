"""Helpers shared by the management commands."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path

from django.core.management.base import CommandError
from tqdm import tqdm

from common.jobs import Progress

MAX_FILE_BYTES = 512 * 2**20  # of a file that is read into memory
MAX_NAMES = 20  # of an error that lists what there is
MAX_COMPARED = 5_000


def file_content(path: Path) -> bytes:
    """Return the content of a file that a command was given, or raise CommandError."""
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError as error:
        raise CommandError(f"{path}: {error.strerror}{_files_beside(path)}") from error
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from error
    if len(content) > MAX_FILE_BYTES:
        raise CommandError(f"{path}: larger than {MAX_FILE_BYTES // 2**20} MiB. Split the file.")
    return content


def _files_beside(path: Path) -> str:
    try:
        names = [each.name for _, each in zip(range(MAX_COMPARED), path.parent.iterdir(), strict=False)]
    except OSError:
        return f". There is no folder {path.parent}"
    near = near_matches(path.name, names)
    return f". There is {near}" if near else ""


def near_matches(name: str, known: Iterable[str]) -> str:
    """Return the names that `name` may be a slip of, and nothing if there are none.

    >>> near_matches("demo-v2", ["demo-v1", "letters-v1"]), near_matches("x", ["demo"])
    ('demo-v1', '')
    """
    return ", ".join(get_close_matches(name, list(known), n=3, cutoff=0.7))


def not_found(kind: str, plural: str, name: str, known: Iterable[str]) -> CommandError:
    """Return the error for a name that nothing has, with the nearest ones, or else those that there are.

    >>> str(not_found("release", "Releases", "demo-v2", ["demo-v1", "letters-v1"]))
    "There is no release 'demo-v2', but there is demo-v1."
    >>> str(not_found("release", "Releases", "x", ["demo-v1"]))
    "There is no release 'x'. Releases: demo-v1."
    """
    names = list(known)
    if near := near_matches(name, names[:MAX_COMPARED]):
        return CommandError(f"There is no {kind} {name!r}, but there is {near}.")
    more = f" and {len(names) - MAX_NAMES:,} more" if len(names) > MAX_NAMES else ""
    return CommandError(f"There is no {kind} {name!r}. {plural}: {', '.join(names[:MAX_NAMES]) or 'none'}{more}.")


def why_nothing_added(file: str, *, added: int, known: int, refused: int) -> str:
    """Say why an import has added nothing; nothing if it has.

    >>> why_nothing_added("a.csv", added=0, known=3, refused=0)
    'Nothing was added: the campaign has everything in a.csv already.'
    >>> why_nothing_added("a.csv", added=1, known=3, refused=0)
    ''
    """
    if added:
        return ""
    if refused:
        rest = " or known before" if known else ""
        return f"Nothing was added: every line of {file} was refused{rest}."
    if known:
        return f"Nothing was added: the campaign has everything in {file} already."
    return f"Nothing was added: {file} has no lines."


@contextmanager
def progress_bar(unit: str) -> Iterator[Progress]:
    """Yield a progress callback that draws a bar on a terminal and nothing elsewhere."""
    with tqdm(unit=unit, disable=None) as bar:

        def progress(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield progress

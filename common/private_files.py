"""Keep data and secrets private: only the account that runs Précis can read and write the files."""

import logging
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection


def local_secret(path: Path, random_bytes: int = 64) -> str:
    """Return the secret stored in `path`; the first call generates it, readable by its owner only.

    The file is created atomically. If several processes start at once, the first one wins: unlike a rename, a hard
    link never replaces an existing file.
    """
    if path.exists():
        return _read(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        _write_private(draft, secrets.token_urlsafe(random_bytes))
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink(missing_ok=True)
    return _read(path)


def _write_private(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())


def _read(path: Path) -> str:
    try:
        secret = path.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as error:
        raise ImproperlyConfigured(f"{path} cannot be read ({getattr(error, 'strerror', 'it is no text')}).") from error
    if not secret:
        raise ImproperlyConfigured(f"{path} is empty: delete it, and a new secret is made at the next start.")
    return secret


logger = logging.getLogger(__name__)

OTHERS = stat.S_IRWXG | stat.S_IRWXO


def data_folder(path: Path) -> Path:
    """Create the data folder if necessary, close it to other accounts and make this process's files private.

    Raises
    ------
    ImproperlyConfigured
        If the folder cannot be made or written to, is one that all accounts share, or is open to others and belongs
        to another account.
    """
    os.umask(OTHERS)  # also holds for SQLite, which gives its -wal and -shm files the mode of the database
    try:
        path.mkdir(parents=True, exist_ok=True)
        status = path.stat()
    except OSError as error:
        raise ImproperlyConfigured(f"PRECIS_DATA_DIR: {path} is no folder to be used ({error.strerror}).") from error
    if status.st_mode & stat.S_ISVTX:
        raise ImproperlyConfigured(f"All accounts share {path}. Set PRECIS_DATA_DIR to a folder of its own.")
    try:
        _close(path, status.st_mode)
    except PermissionError as error:
        raise ImproperlyConfigured(
            f"Other accounts can open the data folder {path}. Give it to the account that runs Précis (chown), or "
            "close it to others (chmod 700)."
        ) from error
    if not os.access(path, os.W_OK | os.X_OK):
        raise ImproperlyConfigured(f"PRECIS_DATA_DIR: the account that runs Précis cannot write to {path}.")
    return path


def data_files_close() -> int:
    """Close to other accounts what earlier versions left open to them; return how many files and folders."""
    number = sum(_is_closed_now(each) for path in _data_paths() for each in _with_contents(path))
    if number:
        logger.warning("%s files with data were open to other accounts of this computer. They are closed now.", number)
    return number


def _data_paths() -> list[Path]:
    """What Précis itself puts into the data folder, and its database; other files there are not touched."""
    own = ("scratch", "copies", "pipelines", "queue", "unfinished", "secret_key")
    paths = [settings.DATA_DIR / name for name in (*settings.STORED, *own)]
    if connection.vendor == "sqlite":
        paths += [Path(f"{connection.settings_dict['NAME']}{suffix}") for suffix in ("", "-wal", "-shm", "-journal")]
    return paths


def _with_contents(path: Path) -> Iterator[Path]:
    yield path
    for folder, folders, files in os.walk(path):
        yield from (Path(folder) / name for name in (*folders, *files))


def _is_closed_now(path: Path) -> bool:
    """Whether the file was open to others; one that is gone, or that another account owns, is left alone."""
    try:
        mode = path.lstat().st_mode
        return not stat.S_ISLNK(mode) and _close(path, mode)
    except (FileNotFoundError, PermissionError):
        return False


def _close(path: Path, mode: int) -> bool:
    if not mode & OTHERS:
        return False
    path.chmod(stat.S_IMODE(mode) & ~OTHERS)
    return True

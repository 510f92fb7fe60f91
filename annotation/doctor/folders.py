"""Whether other accounts of this computer can read the data, and this account can read and write them."""

import os
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import connection

from annotation.doctor.registry import Finding, Look, check, fine, unseen, wrong
from annotation.private_files import OTHERS

MOST_FILES = 200_000


def data_paths() -> Iterator[Path]:
    """Yield the data folder with all that is in it, and the files of an SQLite database elsewhere."""
    yield settings.DATA_DIR
    for folder, folders, files in os.walk(settings.DATA_DIR):
        yield from (Path(folder) / name for name in (*folders, *files))
    if connection.vendor == "sqlite":
        path = Path(connection.settings_dict["NAME"])
        if not path.is_relative_to(settings.DATA_DIR):
            yield from (each for each in (path, Path(f"{path}-wal"), Path(f"{path}-shm")) if each.exists())


@check(seconds=30)
def closed_to_others(_look: Look) -> Finding:
    opened: list[Path] = []
    for number, path in enumerate(data_paths()):
        if number >= MOST_FILES and not opened:
            return unseen(f"there are more than {MOST_FILES} files; the first ones are closed to other accounts.")
        if _is_open(path):
            opened.append(path)
    if opened:
        return wrong(
            f"Other accounts of this computer can open {opened[0]}, and {len(opened)} files and folders in all. "
            f"Close them: chmod -R go= {settings.DATA_DIR}."
        )
    return fine(f"Other accounts cannot open the data in {settings.DATA_DIR}.")


def _is_open(path: Path) -> bool:
    try:
        status = path.lstat()
    except FileNotFoundError:  # gone meanwhile
        return False
    return not path.is_symlink() and bool(status.st_mode & OTHERS)


@check(seconds=30)
def owned_by_this_account(_look: Look) -> Finding:
    """Files of another account come about when a command was run as root: the app can no longer write them."""
    account = os.geteuid()
    for number, path in enumerate(data_paths()):
        if number >= MOST_FILES:
            return unseen(f"there are more than {MOST_FILES} files; the first ones belong to this account.")
        if path.exists() and path.lstat().st_uid != account:
            return wrong(
                f"{path} belongs to another account than the one that runs this command. Run web server, worker and "
                f"commands under one account, and give it the files: chown -R ACCOUNT {settings.DATA_DIR}."
            )
    return fine("All data belong to the account that runs this command.")

"""What this computer must have: programs and packages, closed folders, room on the disk, static files, the parser."""

import filecmp
import os
import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.db import connection
from django.db.models import Max, Sum

from common.extras import product_version
from common.private_files import OTHERS
from corpus.models import ReleaseFile
from crowd.models import Campaign
from maintenance.checks.questions import free_bytes
from maintenance.checks.registry import Finding, Look, check, fine, unseen, wrong
from measures.text.spacy_models import load_model, model_is_for

PYTHON = (3, 11)
POSTGRESQL = (14, "14")
SQLITE = (3, 35, 0)  # the first that returns what it has written
PINNED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^ ;\\]+)", re.MULTILINE)
SHOWN = 5


@check("versions")
def python_version(_look: Look) -> Finding:
    found = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < PYTHON:
        return wrong(f"Python is {found}. Précis needs 3.11 or newer: make .venv anew with a newer one.")
    return fine(f"Précis is {product_version()}, Python {found}.")


@check("versions", asks_database=True)
def database_version(_look: Look) -> Finding:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SHOW server_version")
            found = str(cursor.fetchone()[0])
        return _postgresql(found)
    from sqlite3 import sqlite_version_info  # noqa: PLC0415 - only where it is used

    return _sqlite(sqlite_version_info)


def _postgresql(found: str) -> Finding:
    if int(found.partition(".")[0]) < POSTGRESQL[0]:
        return wrong(f"PostgreSQL is {found}. Précis needs {POSTGRESQL[1]} or newer: upgrade the server (pg_upgrade).")
    return fine(f"PostgreSQL is {found}.")


def _sqlite(found: tuple[int, ...]) -> Finding:
    words = ".".join(map(str, found))
    if found < SQLITE:
        return wrong(
            f"SQLite is {words}. Précis needs 3.35 or newer: it comes with Python, so use a newer build of it."
        )
    return fine(f"SQLite is {words}.")


@check("versions")
def packages(_look: Look) -> Finding:
    path = Path(settings.BASE_DIR) / "requirements.txt"
    try:
        pinned = dict(PINNED.findall(path.read_text(encoding="utf-8")))
    except OSError:
        return unseen(f"{path} cannot be read.")
    return compared(pinned)


def compared(pinned: dict[str, str]) -> Finding:
    """Compare the packages that are installed with those that are pinned."""
    others = []
    for name, wanted in pinned.items():
        try:
            found = version(name)
        except PackageNotFoundError:
            found = "missing"
        if found != wanted:
            others.append(f"{name} is {found} instead of {wanted}")
    if others:
        more = f", and {len(others) - SHOWN} more" if len(others) > SHOWN else ""
        return wrong(
            f"Packages differ from requirements.txt: {', '.join(others[:SHOWN])}{more}. "
            "Install them again: pip install -r requirements.txt."
        )
    return fine(f"All {len(pinned)} packages are those of requirements.txt.")


COLLECT = "Run manage.py collectstatic --noinput, and restart the web server."


@check("static_files", seconds=20)
def collected_static_files(_look: Look) -> Finding:
    root = Path(settings.STATIC_ROOT)
    if not root.is_dir() or not any(root.iterdir()):
        return fine("Static files are not collected; the web server serves those of the code.")
    sources = [
        (Path(storage.path(name)), root / (getattr(storage, "prefix", "") or "") / name)
        for finder in get_finders()
        for name, storage in finder.list([])
    ]
    missing = [collected for _source, collected in sources if not collected.is_file()]
    if missing:
        return wrong(f"{len(missing)} static files of this version are not in {root}. {COLLECT}")
    old = [collected for source, collected in sources if not filecmp.cmp(source, collected, shallow=False)]
    if old:
        return wrong(f"{len(old)} static files in {root} are of another version, such as {old[0].name}. {COLLECT}")
    return fine(f"The {len(sources)} static files in {root} are those of this version.")


@check("parser", seconds=60)
def parser_loads(_look: Look) -> Finding:
    name: str = settings.SPACY_MODEL
    if not name:
        return fine("No parser is set (PRECIS_SPACY_MODEL): releases have no ProcessedData.")
    try:
        model = load_model(name)
    except (ImportError, OSError, ValueError) as error:
        return wrong(
            f"The parser {name} does not load: {error}. Install it (python -m spacy download {name}), or correct "
            "PRECIS_SPACY_MODEL; an empty value means no parser."
        )
    return fine(f"The parser {name} loads. Its language is {model.lang}.")


@check("parser", seconds=60, asks_database=True)
def parser_is_of_use(_look: Look) -> Finding:
    name: str = settings.SPACY_MODEL
    languages = set(Campaign.objects.values_list("language", flat=True))
    if not name or not languages:
        return fine("There is no parser or no campaign, so there are no languages to compare.")
    try:
        used = [language for language in languages if model_is_for(name, language)]
    except (ImportError, OSError, ValueError):
        return fine("A parser that does not load has no language to compare.")
    if not used:
        return wrong(
            f"The parser {name} is not for the language of any campaign ({', '.join(sorted(languages))}), so no "
            "release has ProcessedData. Set PRECIS_SPACY_MODEL to a pipeline of such a language, or to an empty value."
        )
    return fine(f"The parser {name} is for texts in {', '.join(sorted(used))}.")


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


@check("folders", seconds=30)
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


@check("folders", seconds=30)
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


LEAST_BYTES = 2 * 1024**3
LEAST_FILES = 10_000
# While a release is written it needs three times its size.
TIMES_A_RELEASE = 3


def largest_release() -> int:
    sizes = ReleaseFile.objects.values("release").annotate(bytes=Sum("size"))
    return sizes.aggregate(largest=Max("bytes"))["largest"] or 0


def size_of_database() -> int:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])
    path = Path(connection.settings_dict["NAME"])
    return path.stat().st_size if path.exists() else 0


def in_words(size: int) -> str:
    return f"{size / 1024**3:.1f} GB"


@check("disk", seconds=30, asks_database=True)
def free_space(_look: Look) -> Finding:
    needed = max(LEAST_BYTES, TIMES_A_RELEASE * largest_release(), size_of_database())
    free = free_bytes(settings.DATA_DIR)
    if free < needed:
        return wrong(
            f"The disk of {settings.DATA_DIR} has {in_words(free)} left. The next release or backup may need "
            f"{in_words(needed)}: make room, or move the folder to a larger disk."
        )
    return fine(f"The disk of {settings.DATA_DIR} has {in_words(free)} left.")


@check("disk")
def free_files(_look: Look) -> Finding:
    found = os.statvfs(settings.DATA_DIR)
    if not found.f_files:
        return unseen("this file system does not count how many files it can hold.")
    if found.f_favail < LEAST_FILES:
        return wrong(
            f"The file system of {settings.DATA_DIR} can hold {found.f_favail} more files (inodes). "
            "Delete what has very many small files, such as old caches, or move the folder."
        )
    return fine(f"The file system of {settings.DATA_DIR} can hold {found.f_favail} more files.")

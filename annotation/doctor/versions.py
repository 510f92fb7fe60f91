"""Whether the programs and packages are those that this version was tested with."""

import re
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from django.conf import settings
from django.db import connection

from annotation.doctor.registry import Finding, Look, check, fine, unseen, wrong

PYTHON = (3, 11)
POSTGRESQL = (14, "14")
SQLITE = (3, 35, 0)  # the first that returns what it has written
PINNED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^ ;\\]+)", re.MULTILINE)
SHOWN = 5


@check()
def python_version(_look: Look) -> Finding:
    found = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < PYTHON:
        return wrong(f"Python is {found}. Précis needs 3.11 or newer: make .venv anew with a newer one.")
    return fine(f"Python is {found}.")


@check(asks_database=True)
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


@check()
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

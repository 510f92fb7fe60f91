"""Which installation a process belongs to, so that a worker can be compared with the web server without naming it."""

import hashlib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from celery.worker.control import inspect_command
from django.conf import settings
from django.db import connection

COMMAND = "precis_installation"


def installation_seen() -> dict[str, str]:
    """Return a mark for each thing that all processes of an installation share. None can be read back."""
    database = connection.settings_dict
    names = [str(database[name]) for name in ("ENGINE", "HOST", "PORT", "NAME")]
    return {
        "database": _mark(*names),
        "secret": _mark(settings.SECRET_KEY),
        "data folder": _mark(str(_inode(settings.DATA_DIR))),
        "version": code_version(),
    }


def code_version() -> str:
    """Return a mark of the migrations that the code has: they differ where two versions cannot share a database."""
    found = sorted(str(path.relative_to(settings.BASE_DIR)) for path in settings.BASE_DIR.glob("*/migrations/0*.py"))
    try:
        django = version("django")
    except PackageNotFoundError:
        django = ""
    return _mark(django, *found)


def _inode(folder: Path) -> int:
    return folder.stat().st_ino


def _mark(*values: str) -> str:
    return hashlib.sha256("\0".join(values).encode()).hexdigest()[:12]


@inspect_command(name=COMMAND)
def answer_for_this_worker(_state: Any) -> dict[str, str]:
    return installation_seen()

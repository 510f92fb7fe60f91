"""The backend (PEP 517) of precis-measures and precis-app: each is built from a copy, laid out as it is published.

In the clone the library is the package `measures`, and the app a folder of packages beside `manage.py`. Names as common
as `measures` or `reports` do not belong into the environments of others: published, the one is `precis_measures`, and
the other lies in one package, `precis_app` (docs/adr/0025-published-names.md). Setuptools builds the copy; the sdist is
the copy, and needs nothing of this.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from setuptools import build_meta

SCIENCE, APP = "precis_measures", "precis_app"
OWN_NAME = re.compile(r"(?<![\w.])measures(?=\.[a-z_])|(?<=\bfrom )measures(?= import)|(?<=\bimport )measures\b")
OWN_BACKEND = re.compile(r"^build-backend = .*\nbackend-path = .*$", re.MULTILINE)
NOT_PUBLISHED = shutil.ignore_patterns(
    *("tests", "conftest.py", "__pycache__", ".*", "build", "build_backend", "*.egg-info"),
)
FOLDERS_OF_THE_APP = ("docs", "locale", "static", "templates")
NOT_OF_THE_APP = {"benchmarks", "tests"}
INIT_OF_THE_APP = '''"""Précis, the app: its command is `precis`."""

from precis_app.measures import __version__ as __version__
'''


def build_wheel(folder: str, settings: Any = None, metadata: str | None = None) -> str:
    """Build a wheel into a folder; its name."""
    return _of_copy(lambda: build_meta.build_wheel(folder, settings, metadata))


def build_sdist(folder: str, settings: Any = None) -> str:
    """Build an sdist into a folder; its name."""
    return _of_copy(lambda: build_meta.build_sdist(folder, settings))


def prepare_metadata_for_build_wheel(folder: str, settings: Any = None) -> str:
    """Write the metadata alone into a folder; its name."""
    return _of_copy(lambda: build_meta.prepare_metadata_for_build_wheel(folder, settings))


def _of_copy(act: Callable[[], str]) -> str:
    with _copied():
        return act()


@contextmanager
def _copied() -> Iterator[None]:
    """Work in a copy of the project of this folder, laid out as published."""
    here = Path.cwd()
    with TemporaryDirectory() as place:
        copy = Path(place)
        if (here / "manage.py").is_file():
            lay_out_app(here, copy)
        else:
            lay_out_science(here, copy)
        os.chdir(copy)
        try:
            yield
        finally:
            os.chdir(here)


def lay_out_science(here: Path, copy: Path) -> None:
    """Copy the folder `measures`, renamed, with the licence of the clone."""
    shutil.copytree(here, copy / SCIENCE, ignore=NOT_PUBLISHED)
    for name in ("pyproject.toml", "README.md"):
        (copy / SCIENCE / name).rename(copy / name)
    shutil.copy(here.parent / "LICENSE", copy)
    _have_setuptools_build(copy)
    for path in (copy / SCIENCE).rglob("*.py"):
        path.write_text(OWN_NAME.sub(SCIENCE, path.read_text(encoding="utf-8")), encoding="utf-8")


def lay_out_app(here: Path, copy: Path) -> None:
    """Copy the rooms and all that they read, as they stand, into one package."""
    rooms = {path.parent.name for path in here.glob("*/__init__.py")} - NOT_OF_THE_APP
    for name in sorted({*rooms, *FOLDERS_OF_THE_APP}):
        shutil.copytree(here / name, copy / APP / name, ignore=NOT_PUBLISHED)
    shutil.copy(here / "manage.py", copy / APP)
    (copy / APP / "__init__.py").write_text(INIT_OF_THE_APP, encoding="utf-8")
    (copy / "docs").mkdir()
    shutil.copy(here / "docs" / "packages.md", copy / "docs")
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(here / name, copy)
    _have_setuptools_build(copy)


def _have_setuptools_build(copy: Path) -> None:
    path = copy / "pyproject.toml"
    plain, found = OWN_BACKEND.subn('build-backend = "setuptools.build_meta"', path.read_text(encoding="utf-8"))
    if found != 1:
        raise ValueError("pyproject.toml does not name this backend")
    path.write_text(plain, encoding="utf-8")

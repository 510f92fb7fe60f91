"""An installation on which faults are staged, and how one fault becomes a row of the table."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.installations import Installation
from tests.support.product import eventually
from tests.support.small_disk import SmallDisk


@dataclass(frozen=True)
class Stage:
    """An installation and what can be done to it."""

    installation: Installation
    disk: SmallDisk  # of the database
    data: SmallDisk  # of the data folder
    slow_flag: Path | None
    real_leases: bool
    expected: dict[str, object] = field(default_factory=dict)  # what each kind of job makes when nothing happens

    @property
    def database(self) -> str:
        postgres = self.installation.postgres
        return f"PostgreSQL {postgres.version()}" if postgres else f"SQLite {sqlite3.sqlite_version}"


@dataclass(frozen=True)
class Row:
    cells: tuple[str, ...]
    problems: list[str]


@dataclass(frozen=True)
class Fault:
    name: str
    when: str
    stage: Callable[[Stage], "Result"]
    applies_to: Callable[[Stage], bool] = lambda _stage: True

    def staged_on(self, stage: Stage) -> Row:
        try:
            found = self.stage(stage)
        except (AssertionError, RuntimeError) as stuck:
            return Row((self.name, self.when, stage.database, *["did not end"] * 5), [f"!!! {stuck}"])
        problems = [*found.problems, *left_behind(stage.installation)]
        numbers = (str(found.lost), str(found.doubled), found.recovered)
        return Row((self.name, self.when, stage.database, *found.seen, *numbers), problems)


@dataclass(frozen=True)
class Result:
    """What people saw, the longest wait and the answers; and what was so afterwards."""

    seen: tuple[str, str]
    lost: int
    doubled: int
    recovered: str
    problems: list[str]


def left_behind(installation: Installation) -> list[str]:
    """Wait until nothing is left of processes and files that were cut off, and say what is."""
    try:
        eventually(lambda: not installation.orphans(), "no process is left", pause=1)
        eventually(lambda: not installation.half_files(), "no file is left that was cut off", pause=1)
    except AssertionError as left:
        return [f"!!! {left}: {installation.orphans()} {installation.half_files()}"]
    return []

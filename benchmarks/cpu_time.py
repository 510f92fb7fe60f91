"""The CPU time of the processes that take part in a benchmark, from Linux's /proc."""

import contextlib
import os
import time
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
# Of /proc/PID/stat, after the command in brackets: the parent, and utime, stime, cutime and cstime.
PARENT, TIMES = 1, slice(11, 15)


def is_readable() -> bool:
    return (PROC / "self" / "stat").exists()


@dataclass(frozen=True)
class Usage:
    """CPU seconds of the crowd, of the web server's processes and of the database's."""

    client: float = 0.0
    web: float = 0.0
    database: float = 0.0

    def __sub__(self, other: "Usage") -> "Usage":
        return Usage(self.client - other.client, self.web - other.web, self.database - other.database)

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(self.client + other.client, self.web + other.web, self.database + other.database)


@dataclass(frozen=True)
class Meter:
    """Reads the CPU time of servers, each given by its first process; without one, it has used none."""

    web: int | None = None
    database: int | None = None

    def read(self) -> Usage:
        return Usage(time.process_time(), _family_seconds(self.web), _family_seconds(self.database))


def parent_of(process: int) -> int:
    return int(_fields(process)[PARENT])


def _family_seconds(process: int | None) -> float:
    """Return the CPU seconds of a process and all its descendants, those that have ended included.

    What has ended is in cutime and cstime of its parent, which has waited for it; so nothing counts twice.
    """
    if process is None:
        return 0.0
    living = _living()
    family, ticks = [process], 0
    for each in family:
        ticks += sum(map(int, living[each][TIMES]))
        family += [other for other, fields in living.items() if int(fields[PARENT]) == each]
    return ticks / os.sysconf("SC_CLK_TCK")


def _living() -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for folder in PROC.iterdir():
        if folder.name.isdecimal():
            with contextlib.suppress(OSError):  # it has ended since
                found[int(folder.name)] = _fields(int(folder.name))
    return found


def _fields(process: int) -> list[str]:
    """Return the fields of /proc/PID/stat after the command, which may itself have blanks and brackets in it."""
    return (PROC / str(process) / "stat").read_text().rpartition(")")[2].split()

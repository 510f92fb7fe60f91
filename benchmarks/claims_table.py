"""The tables of `benchmarks/claims.py`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import nan

from benchmarks.cpu_time import Usage
from benchmarks.crowd_client import Measured


@dataclass(frozen=True)
class Row:
    """One measurement: whose code it was, with what it ran, and what came of it."""

    code: str
    database: str
    work_round: str
    web_workers: int
    people: int
    measured: Measured
    violations: dict[str, int]

    @property
    def is_faulty(self) -> bool:
        return any(self.violations.values()) or bool(self.measured.errors)

    @property
    def setting(self) -> tuple[str, str, int, int]:
        """What two measurements have in common that can be compared."""
        return self.database, self.work_round, self.web_workers, self.people


@dataclass(frozen=True)
class Column:
    name: str
    width: int
    shown: Callable[[Row], str]


CODE = Column("code", -9, lambda row: row.code)
SETTING = (
    Column("database", -11, lambda row: row.database),
    Column("round", -6, lambda row: row.work_round),
    Column("web", 3, lambda row: str(row.web_workers)),
    Column("people", 8, lambda row: str(row.people)),
)
SPEED = (
    Column("loops/s", 9, lambda row: f"{_speed([row.measured]):.1f}"),
    Column("p50 ms", 9, lambda row: f"{_percentile(row, 0.5):.1f}"),
    Column("p95 ms", 9, lambda row: f"{_percentile(row, 0.95):.1f}"),
    Column("p99 ms", 9, lambda row: f"{_percentile(row, 0.99):.1f}"),
)
# CPU milliseconds per loop; what each web process does; and the CPU in use, in % of one core.
CPU = (
    Column("web CPU", 9, lambda row: f"{1000 * _per_loop([row.measured]).web:.2f}"),
    Column("db CPU", 8, lambda row: _if_server(row, f"{1000 * _per_loop([row.measured]).database:.2f}")),
    Column("loops/s/web", 13, lambda row: f"{_speed([row.measured]) / row.web_workers:.1f}"),
    Column("crowd %", 9, lambda row: f"{100 * row.measured.used.client / row.measured.elapsed:.0f}"),
    Column("web %", 7, lambda row: f"{100 * row.measured.used.web / row.measured.elapsed:.0f}"),
    Column("db %", 6, lambda row: _if_server(row, f"{100 * row.measured.used.database / row.measured.elapsed:.0f}")),
)
FAULTS = Column("  violations, errors", -22, lambda row: f"  {_faults(row)}")


def columns(*, cpu: bool, codes: bool) -> list[Column]:
    return [*([CODE] if codes else []), *SETTING, *SPEED, *(CPU if cpu else ()), FAULTS]


def head(shown: Sequence[Column]) -> str:
    return "".join(_aligned(each.name, each.width) for each in shown).rstrip()


def line(shown: Sequence[Column], row: Row) -> str:
    return "".join(_aligned(each.shown(row), each.width) for each in shown).rstrip()


def ratios(rows: Sequence[Row], one: str, other: str) -> list[str]:
    """Return the lines of a table that divides one code's measures by another's, each summed over all its rows."""
    lines = [head(SETTING) + f"{'loops/s':>11}{'web CPU':>11}{'db CPU':>11}{'both':>11}   ({other} / {one})"]
    for setting in dict.fromkeys(row.setting for row in rows):
        same = [row for row in rows if row.setting == setting]
        old = [row.measured for row in same if row.code == one]
        new = [row.measured for row in same if row.code == other]
        then, now = _per_loop(old), _per_loop(new)
        shares = [
            _ratio(_speed(new), _speed(old)),
            _ratio(now.web, then.web),
            _ratio(now.database, then.database),
            _ratio(now.web + now.database, then.web + then.database),
        ]
        lines.append(line(SETTING, same[0]) + "".join(f"{share:>11}" for share in shares))
    return lines


def _aligned(text: str, width: int) -> str:
    """Pad a text, on its right if the width is negative."""
    return text.rjust(width) if width > 0 else text.ljust(-width)


def _speed(several: Sequence[Measured]) -> float:
    elapsed = sum(measured.elapsed for measured in several)
    return sum(len(measured.loops) for measured in several) / elapsed if elapsed else nan


def _per_loop(several: Sequence[Measured]) -> Usage:
    used, loops = sum((each.used for each in several), Usage()), sum(len(each.loops) for each in several)
    return Usage(used.client / loops, used.web / loops, used.database / loops) if loops else Usage(nan, nan, nan)


def _percentile(row: Row, share: float) -> float:
    times = sorted(row.measured.loops)
    return 1000 * times[min(len(times) - 1, int(share * len(times)))] if times else nan


def _if_server(row: Row, shown: str) -> str:
    """SQLite runs within the web processes."""
    return shown if row.database == "postgresql" else "-"


def _ratio(now: float, before: float) -> str:
    return f"{now / before:.3f}" if before else "-"


def _faults(row: Row) -> str:
    found = ", ".join(f"{name} {number}" for name, number in row.violations.items() if number) or "none"
    errors = row.measured.errors
    return f"{found}, {len(errors)}" + (f" ({errors[0]})" if errors else "")

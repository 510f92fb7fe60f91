"""Upgrade an installation on PostgreSQL from the last release while people work in it, and say how it went.

The tree of the last release serves editors over HTTP. A copy of its database is migrated first. Then, as
docs/upgrading.md says: if all pending migrations may run while the earlier version serves, they run, and the server is
restarted with the new code; if one needs a pause (`manage.py upgrade_plan`), the server is stopped meanwhile. People
whose request is refused try again, and whoever has lost the session joins again. At the end the database is checked.

    make migrate-under-load
    make migrate-under-load ARGS="--from HEAD~5 --people 32"
"""

import argparse
import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from throwaway_postgres import postgres_binaries, throwaway_postgres  # noqa: E402
from upgrade_data import LAST_RELEASE, tree_of  # noqa: E402

from benchmarks.answers import ANSWERS  # noqa: E402
from benchmarks.crowd_client import Entrance, Measured, Participant  # noqa: E402
from benchmarks.product import served  # noqa: E402
from tests.support.product import environment, manage, shell, violations  # noqa: E402

WORK_SECONDS = 6.0  # before, between and after the steps
RETRY_SECONDS = 0.1
MOST_SOURCES = 3000
PREPARE = f"""
from tests.support.factories import make_campaign
c = make_campaign(slug="upgraded", sources={MOST_SOURCES}, editor_tasks={MOST_SOURCES}, editors_per_source=4)
print(c.links.get(round="edit").token)
"""


@dataclass
class Waits:
    """What people met: how long each text took them from opening to the acknowledgement, and what was refused."""

    waits: list[float] = field(default_factory=list)
    refused: int = 0
    joined_again: int = 0


class PatientParticipant(Participant):
    """Tries again whatever was refused or cut off, as a page does, until the time is up."""

    def __init__(self, entrance: Entrance, name: str, measured: Measured, waits: Waits) -> None:
        super().__init__(entrance, name, measured)
        self.waits = waits

    async def work_until(self, stopped: threading.Event) -> None:
        while not stopped.is_set():
            began = time.perf_counter()
            while not await self._is_submitted():
                if stopped.is_set():
                    return
                await asyncio.sleep(RETRY_SECONDS)
            self.waits.waits.append(time.perf_counter() - began)
            await asyncio.sleep(self.rng.expovariate(1 / self.entrance.pace))

    async def _is_submitted(self) -> bool:
        """Do one text, or begin anew where that failed."""
        try:
            if not self.claimed.location.startswith("/work/edit/"):
                await self.arrive()
                self.waits.joined_again += 1
            page = await self.browser.get(self.claimed.location)
            if page.status != 200:
                return self._refused(page.status)
            if b"You have submitted this text" in page.body:  # the answer to the submission was cut off
                self.measured.acknowledged.append(int(self.claimed.location.rstrip("/").rpartition("/")[2]))
                self.claimed = await self.browser.post("/work/guidelines/", {})
                return True
            reply = await self._submit(self.claimed.location, ANSWERS["edit"](page.body, self.rng))
        except (OSError, EOFError, asyncio.IncompleteReadError):
            return self._refused(0)
        if reply.status != 302:
            return self._refused(reply.status)
        self.claimed = reply
        return True

    def _refused(self, status: int) -> bool:
        self.waits.refused += 1
        self.browser.close()
        if status in {302, 403, 404}:  # the session or the task is gone
            self.claimed.location = ""
        return False


class Crowd:
    """People at work in a thread of their own."""

    def __init__(self, port: int, token: str, people: int) -> None:
        entrance = Entrance(port, "edit", f"/join/{token}/", pace=0.3)
        self.measured, self.waits, self.stopped = Measured(), Waits(), threading.Event()
        self.people = [PatientParticipant(entrance, f"p-{n}", self.measured, self.waits) for n in range(people)]
        self.thread = threading.Thread(target=lambda: asyncio.run(self._work()), daemon=True)  # ends with the program

    async def _work(self) -> None:
        await asyncio.gather(*(each.arrive() for each in self.people))
        await asyncio.gather(*(each.work_until(self.stopped) for each in self.people))

    def stop(self) -> None:
        self.stopped.set()
        self.thread.join()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--from", dest="commit", default=LAST_RELEASE, help="the version that serves at first")
    parser.add_argument("--people", type=int, default=16)
    options = parser.parse_args()
    binaries = postgres_binaries()
    if binaries is None:
        sys.exit("No PostgreSQL server is installed (Debian: postgresql, Homebrew: postgresql@15).")
    with (
        tempfile.TemporaryDirectory(prefix="precis-upgrade-") as name,
        throwaway_postgres(binaries, durable=True) as url,
    ):
        folder = Path(name)
        with tree_of(options.commit, folder) as tree:
            sys.exit(upgraded(url, folder, tree, binaries, options.people))


def upgraded(url: str, folder: Path, tree: Path, binaries: Path, people: int) -> int:
    (folder / "data").mkdir(mode=0o700)
    env = environment(url, folder / "data")
    manage(env, "migrate", "-v0", root=tree)
    token = shell(env, PREPARE, root=tree)
    with served(env, 2, 4, root=tree) as server:
        crowd = Crowd(server.port, token, people)
        crowd.thread.start()
        time.sleep(WORK_SECONDS)
        with said("The copy was made and migrated"):
            migrate_a_copy(env, folder, binaries)
        safe = plan_is_safe(env)
        if safe:
            with said("The database was migrated while the earlier version served"):
                manage(env, "migrate", "-v0")
            time.sleep(WORK_SECONDS)
        before = len(crowd.waits.waits)
    stopped = time.perf_counter()
    if not safe:
        with said("Stopped: a migration needs a pause. The database was migrated"):
            manage(env, "migrate", "-v0")
    with served(env, 2, 4):
        print(f"Nothing answered for {time.perf_counter() - stopped:.1f} s, until the new version did.")
        time.sleep(2 * WORK_SECONDS)
        crowd.stop()
    return report(crowd, before, violations(env, folder, crowd.measured.acknowledged))


def migrate_a_copy(env: dict[str, str], folder: Path, binaries: Path) -> None:
    """Dump the database and restore it beside itself; a template would need that nobody is connected."""
    url, dump = env["DATABASE_URL"], folder / "dump"
    copy = f"{url.rpartition('/')[0]}/copy"
    run(binaries / "pg_dump", "--format=custom", f"--file={dump}", url)
    run(binaries / "psql", "--quiet", "--command=CREATE DATABASE copy TEMPLATE template0", url)
    run(binaries / "pg_restore", "--exit-on-error", f"--dbname={copy}", dump)
    on_copy = {**env, "DATABASE_URL": copy}
    manage(on_copy, "migrate", "-v0")
    manage(on_copy, "migrate", "--check")


def plan_is_safe(env: dict[str, str]) -> bool:
    command = [sys.executable, "manage.py", "upgrade_plan"]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    print(done.stdout.strip().splitlines()[-1], done.stderr.strip()[-500:])
    return done.returncode == 0


def run(*command: str | Path) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ)


@contextlib.contextmanager
def said(what: str) -> Iterator[None]:
    began = time.perf_counter()
    yield
    print(f"{what} ({time.perf_counter() - began:.1f} s).", flush=True)


def report(crowd: Crowd, before: int, found: dict[str, int]) -> int:
    """Print what people met and what the database holds; the exit code is 1 if anything was lost or is wrong."""
    waits, earlier = crowd.waits, sorted(crowd.waits.waits[:before])
    print(f"{len(waits.waits)} texts were submitted, {len(waits.waits) - before} of them to the new version.")
    print(f"Longest time for a text: {max(waits.waits):.1f} s; before the restart {earlier[-1]:.1f} s.")
    print(f"Requests refused or cut off, and tried again: {waits.refused}. Joined again: {waits.joined_again}.")
    print(f"Lost: {found['missing']}, doubled: {found['doubled']}. All: {json.dumps(found)}")
    return int(any(found.values()) or len(waits.waits) == before)


if __name__ == "__main__":
    main()

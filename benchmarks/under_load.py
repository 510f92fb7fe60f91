"""Benchmark how long participants wait while jobs run: an import, a release, its scores and its agreement report.

Starts Précis with its web server and its worker, on SQLite and on a durable PostgreSQL. Editors and raters work over
HTTP, each with a pause between two texts, and once a second a newcomer joins. Between the jobs are quiet rounds; a job
is compared with the quiet rounds before and after it, so that a busy machine hits both alike. The times are those of
the POST that submits a text, which also claims the next one, and of the POST by which a newcomer joins.

    make bench-load
    .venv/bin/python benchmarks/under_load.py --databases sqlite --jobs import --sources 20000 --people 8

The import goes into the campaign that the people work in. The release is of another one, of the size of Toutanova et
al. 2016 (`benchmarks/release.py`), or smaller with `--size`. The exit code is 1 if anything failed, or if submissions
took more than twice as long at the 95th percentile as in the quiet rounds.
"""

import argparse
import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from benchmarks.claims import CAMPAIGN, PREPARE, repeated_demo  # noqa: E402
from benchmarks.crowd_client import Browser, Entrance, Measured, Participant, Response  # noqa: E402
from benchmarks.fresh_databases import fresh_databases  # noqa: E402
from tests.support.product import environment, manage, shell, started  # noqa: E402

JOBS = ("import", "freeze", "score", "agreement")
ROUNDS = ("edit", "rate")
GROW = "from benchmarks.release import add_logs, import_corpus; import_corpus({size}); add_logs({size})"
WRITTEN = 1_000  # texts to rate, beside the outputs of a system
NEWCOMER_SECONDS = 1.0
BOUND = 2.0
HEAD = f"{'':18} {'seconds':>7} {'submits':>8} {'p50':>6} {'p95':>6} {'max':>6} {'/quiet':>7}   " + (
    f"{'joins':>6} {'p50':>6} {'p95':>6} {'max':>6}"
)


@dataclass
class Timings:
    """When each request began and how long it took, by its kind."""

    submits: list[tuple[float, float]] = field(default_factory=list)
    joins: list[tuple[float, float]] = field(default_factory=list)


@dataclass(frozen=True)
class Phase:
    name: str
    began: float
    ended: float

    def of(self, timed: Sequence[tuple[float, float]]) -> list[float]:
        return sorted(seconds for began, seconds in timed if self.began <= began < self.ended)


class TimedBrowser(Browser):
    """A browser that notes how long submissions and joining take."""

    def __init__(self, port: int, timings: Timings) -> None:
        super().__init__(port)
        self.timings = timings

    async def post(self, path: str, fields: dict[str, str]) -> Response:
        began = time.perf_counter()
        reply = await super().post(path, fields)
        noted = self.timings.joins if path.startswith("/join/") else self.timings.submits
        if not path.startswith("/work/guidelines/"):
            noted.append((began, time.perf_counter() - began))
        return reply


class Crowd:
    """People at work until they are told to stop, and newcomers who join."""

    def __init__(self, port: int, tokens: dict[str, str], pace: float) -> None:
        self.entrances = [Entrance(port, each, f"/join/{tokens[each]}/", pace) for each in ROUNDS]
        self.timings, self.measured = Timings(), Measured()
        self._newcomers = 0

    def participant(self, name: str, number: int) -> Participant:
        person = Participant(self.entrances[number % len(ROUNDS)], name, self.measured)
        person.browser = TimedBrowser(person.entrance.port, self.timings)
        return person

    async def welcome(self) -> None:
        """Let somebody new join now and then, for ever."""
        while True:
            self._newcomers += 1
            newcomer = self.participant(f"new-{self._newcomers}", self._newcomers)
            due = asyncio.create_task(asyncio.sleep(NEWCOMER_SECONDS))
            await newcomer.arrive()
            newcomer.browser.close()
            await due


class Clerk:
    """A process that enqueues jobs and waits for their end."""

    def __init__(self, env: dict[str, str], texts: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("under_load_jobs.py"))],
            env=env | {"PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._answer_to(str(texts))

    def run(self, job: str) -> None:
        states = json.loads(self._answer_to(job))
        if any(state != "done" for state, _message in states):
            sys.exit(f"{job} failed: {states}")

    def close(self) -> None:
        self._process.communicate()

    def _answer_to(self, line: str) -> str:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        print(line, file=stdin, flush=True)
        return stdout.readline()


async def measure(crowd: Crowd, people: int, quiet: float, jobs: Sequence[str], clerk: Clerk) -> list[Phase]:
    """Run the jobs one after the other with quiet rounds in between, and return all phases."""
    everybody = [crowd.participant(f"p-{number}", number) for number in range(people)]
    await asyncio.gather(*(each.arrive() for each in everybody))
    tasks = [asyncio.create_task(each.work(float("inf"))) for each in everybody]
    tasks.append(asyncio.create_task(crowd.welcome()))
    await asyncio.sleep(quiet / 2)  # to warm up
    phases = [await phase("quiet", asyncio.sleep(quiet))]
    for job in jobs:
        phases.append(await phase(job, asyncio.to_thread(clerk.run, job)))
        phases.append(await phase("quiet", asyncio.sleep(quiet)))
    ended_early = [task for task in tasks if task.done()]
    crowd.measured.errors += [f"ended early: {task.exception() or 'no text left'}" for task in ended_early]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return phases


async def phase(name: str, lasting: Awaitable[None]) -> Phase:
    began = time.perf_counter()
    await lasting
    return Phase(name, began, time.perf_counter())


def measured(kind: str, folder: Path, options: argparse.Namespace) -> tuple[list[Phase], Crowd]:
    """Prepare a database, start Précis on it and measure."""
    folder.mkdir()
    with fresh_databases(kind, folder) as databases:
        env = environment(databases.create("load"), folder)
        manage(env, "migrate", "--verbosity=0")
        code = PREPARE.format(campaign=CAMPAIGN, texts=str(repeated_demo(folder)), written=WRITTEN)
        tokens = json.loads(shell(env, code))
        if set(options.jobs) - {"import"}:
            manage(env, "shell", "-v0", "-c", GROW.format(size=options.size))
        databases.settle("load")
        port = 18_200 + os.getpid() % 1000
        with (
            started(env, port) as product,
            contextlib.closing(Clerk(env, more_texts(folder, options.sources))) as clerk,
        ):
            crowd = Crowd(product.port, tokens, options.pace)
            return asyncio.run(measure(crowd, options.people, options.quiet, options.jobs, clerk)), crowd


def more_texts(folder: Path, number: int) -> Path:
    """Write a file of so many texts, made of the demonstration's."""
    rows = [
        json.loads(row)
        for row in (ROOT / "dashboard/simulation/demo_files/sources.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    file = folder / "more.jsonl"
    with file.open("w", encoding="utf-8") as stream:
        for each in range(number):
            row = rows[each % len(rows)]
            stream.write(json.dumps({"id": f"more-{each}", "genre": row["genre"], "text": row["text"]}) + "\n")
    return file


def table(phases: Sequence[Phase], timings: Timings) -> Iterator[tuple[str, bool]]:
    """Yield the lines of a table, and whether each is within the bound."""
    for number, each in enumerate(phases):
        ratio, shown = 0.0, ""
        if each.name != "quiet":
            around = [
                seconds for near in (phases[number - 1], phases[number + 1]) for seconds in near.of(timings.submits)
            ]
            ratio = percentile(each.of(timings.submits), 0.95) / percentile(sorted(around), 0.95)
            shown = f"{ratio:.2f}"
        submits, joins = each.of(timings.submits), each.of(timings.joins)
        columns = f"{each.name:18} {each.ended - each.began:7.1f} {len(submits):8} {spread(submits)} {shown:>7}"
        yield f"{columns}   {len(joins):6} {spread(joins)}", ratio < BOUND


def spread(seconds: Sequence[float]) -> str:
    found = (percentile(seconds, 0.5), percentile(seconds, 0.95), max(seconds, default=float("nan")))
    return " ".join(f"{1000 * each:6.0f}" for each in found)


def percentile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def main() -> None:
    options = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # which removes all that is temporary
    is_well = True
    for kind in options.databases:
        with tempfile.TemporaryDirectory(prefix="precis-load-") as name:
            phases, crowd = measured(kind, Path(name) / kind, options)
        print(f"{kind}, {options.people} people, milliseconds", HEAD, sep="\n")
        for line, is_within in table(phases, crowd.timings):
            print(line if is_within else f"{line}   over {BOUND:g} times", flush=True)
            is_well &= is_within
        for error in crowd.measured.errors[:5]:
            print(f"error: {error}")
        is_well &= not crowd.measured.errors
    sys.exit(not is_well)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--people", type=int, default=16, help="half of them editors, half raters")
    parser.add_argument("--pace", type=float, default=0.5, help="mean pause of each person between two texts, seconds")
    parser.add_argument("--sources", type=int, default=60_000, help="texts to import")
    parser.add_argument(
        "--size", type=float, default=1.0, help="size of the released corpus, as a share of the paper's"
    )
    parser.add_argument("--quiet", type=float, default=15.0, help="seconds of each quiet round")
    parser.add_argument("--jobs", choices=JOBS, nargs="+", default=JOBS, help="score and agreement need freeze before")
    parser.add_argument("--databases", choices=["sqlite", "postgresql"], nargs="+", default=["sqlite", "postgresql"])
    return parser.parse_args()


if __name__ == "__main__":
    main()

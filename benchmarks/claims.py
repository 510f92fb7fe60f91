"""Benchmark how fast tasks are assigned to many concurrent workers, and check that no assignment breaks the rules.

Serves Précis with gunicorn, on SQLite and on a durable PostgreSQL, and has 1, 8 and 32 workers claim a text, open its
page and submit over HTTP, with one submission in ten sent twice. Afterwards the database is checked for violations. Run
it with `make bench-claims`, or with your own texts:

    .venv/bin/python benchmarks/claims.py --sources texts.jsonl --seconds 10
"""

import argparse
import asyncio
import contextlib
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from throwaway_postgres import postgres_binaries, throwaway_postgres  # noqa: E402

from benchmarks.crowd_client import Tally, crowd  # noqa: E402
from benchmarks.product import served  # noqa: E402
from tests.support.product import environment, manage, shell, violations  # noqa: E402

SLOTS = 5
COPIES_OF_DEMO = 60
PREPARE = """
from tests.support.factories import make_campaign
from compressions.services.imports import source_import
campaign = make_campaign(slug="bench", editor_tasks=30000, editors_per_source={slots}, lease_minutes=60)
source_import(campaign=campaign, file_name="texts.jsonl", content=open({file!r}, "rb").read(), seed=1)
print(campaign.links.get(round="edit").token)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sources", type=Path, help="JSONL with id, genre, text (default: the demo's, repeated)")
    parser.add_argument("--seconds", type=float, default=10, help="length of each measurement")
    parser.add_argument("--people", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--web-workers", type=int, default=2, help="web server processes")
    parser.add_argument("--threads", type=int, default=4, help="threads per process")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], nargs="+", default=["sqlite", "postgresql"])
    options = parser.parse_args()
    print(f"{'':12}{'people':>8}{'loops/s':>9}{'p50 ms':>9}{'p95 ms':>9}{'p99 ms':>9}  violations, errors")
    failed = False
    for kind in options.database:
        with tempfile.TemporaryDirectory(prefix="precis-bench-") as folder, database(kind, Path(folder)) as url:
            failed |= measure(kind, url, Path(folder), options)
    sys.exit(failed)


@contextlib.contextmanager
def database(kind: str, folder: Path) -> Iterator[str]:
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'bench.sqlite3'}"
        return
    binaries = postgres_binaries()
    if binaries is None:
        sys.exit("PostgreSQL's initdb and pg_ctl were not found.")
    with throwaway_postgres(binaries, durable=True) as url:
        yield url


def measure(kind: str, url: str, folder: Path, options: argparse.Namespace) -> bool:
    """Measure one database with each number of people; return whether anything went wrong."""
    env = environment(url, folder)
    manage(env, "migrate", "--verbosity=0")
    file = options.sources or repeated_demo(folder)
    token = shell(env, PREPARE.format(slots=SLOTS, file=str(file)))
    failed = False
    with served(env, options.web_workers, options.threads) as port:
        join, acknowledged = f"/join/{token}/", list[int]()
        asyncio.run(crowd(port, join, 8, "warm", 2))
        for people in options.people:
            began = time.perf_counter()
            tally = asyncio.run(crowd(port, join, people, f"p{people}", options.seconds))
            elapsed = time.perf_counter() - began
            acknowledged += tally.acknowledged
            failed |= report(kind, people, elapsed, tally, violations(env, folder, acknowledged))
    return failed


def report(kind: str, people: int, elapsed: float, tally: Tally, counts: dict[str, int]) -> bool:
    times = sorted(tally.loops)
    p50, p95, p99 = (1000 * times[min(len(times) - 1, int(share * len(times)))] for share in (0.5, 0.95, 0.99))
    wrong = ", ".join(f"{name} {count}" for name, count in counts.items() if count) or "none"
    errors = f"{len(tally.errors)} ({tally.errors[0]})" if tally.errors else "0"
    rate = len(times) / elapsed
    print(f"{kind:12}{people:8}{rate:9.1f}{p50:9.1f}{p95:9.1f}{p99:9.1f}  {wrong}, {errors}", flush=True)
    return wrong != "none" or bool(tally.errors)


def repeated_demo(folder: Path) -> Path:
    """Write the demo's texts repeatedly, each copy with its own id, and return the file."""
    rows: list[dict[str, Any]] = [
        json.loads(line) for line in (ROOT / "annotation/demo/sources.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    file = folder / "texts.jsonl"
    with file.open("w", encoding="utf-8") as stream:
        for copy in range(COPIES_OF_DEMO):
            for row in rows:
                copied = {"id": f"{copy}-{row['id']}", "genre": row["genre"], "text": row["text"]}
                stream.write(json.dumps(copied) + "\n")
    return file


if __name__ == "__main__":
    main()

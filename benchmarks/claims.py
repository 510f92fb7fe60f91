"""Benchmark how fast tasks are assigned to many concurrent workers, and check that no assignment breaks the rules.

Serves Précis with gunicorn, on SQLite and on a durable PostgreSQL, and has 1, 8 and 32 people work over HTTP. Editors
claim a text, open its page and submit; raters do the same with texts to judge. A loop is one opening of a page and one
submission, which also claims the next text; one submission in ten is sent twice. All people have joined before anything
is measured. Every number of web processes begins with a fresh copy of a database that was prepared once. Afterwards the
database is checked for violations. The exit code is 1 if there was any, or any error.

    make bench-claims
    .venv/bin/python benchmarks/claims.py --round rate --sources texts.jsonl --seconds 10 --cpu --web-workers 1 2 4

With `--cpu`, each row also has the CPU milliseconds per loop of the web server's processes, and on PostgreSQL of the
database's; the loops per second and web process; and how much of one core the crowd, the web processes and PostgreSQL
used. If their sum is near 100 times the number of cores, the machine is saturated. It needs Linux's /proc.

With `--against`, an earlier commit is served in the same way, in turn with the current files, so that a busy machine
hits both alike. The last table has the ratios of loops/s and of CPU per loop, now divided by before, from the sums over
all `--rounds`. CPU per loop is the better measure where other programs run. It includes `--cpu`. `--floor` compares in
the same way with bare views that run the same statements and send the same bytes (`benchmarks/floor.py`), and `--grown`
with a campaign of 100,000 sources, 500,000 assignments and two million ratings:

    .venv/bin/python benchmarks/claims.py --against ee4fd94d --floor --rounds 3 --people 1 8 --database sqlite
"""

import argparse
import asyncio
import contextlib
import itertools
import json
import math
import signal
import sys
import tempfile
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from benchmarks.claims_table import Row, columns, head, line, ratios  # noqa: E402
from benchmarks.code_trees import GROWN, Tree, trees  # noqa: E402
from benchmarks.cpu_time import Meter, is_readable  # noqa: E402
from benchmarks.crowd_client import Entrance, crowd  # noqa: E402
from benchmarks.fresh_databases import FreshDatabases, fresh_databases  # noqa: E402
from benchmarks.product import Server, served  # noqa: E402
from tests.support.product import environment, manage, shell, violations  # noqa: E402

COPIES_OF_DEMO = 60
WARM_PEOPLE, WARM_SECONDS = 8, 2.0
# Texts of editors for each second of judging, each for three raters: enough for 300 loops/s, since three in ten texts
# are of a system, which has one for every source. Were there too few, raters would be given more texts of the system.
WRITTEN_PER_SECOND = 70
GROWN_SOURCES = 100_000
CAMPAIGN = str(Path(__file__).with_name("claims_campaign.py"))
# The code in `claims_campaign.py` is that of the current files, and runs in the tree that is measured.
PREPARE = """
import runpy
campaign = runpy.run_path({campaign!r})
campaign["prepare"](campaign["fresh"]({texts!r}, {written}))
"""
GROW = """
import runpy
campaign = runpy.run_path({campaign!r})
campaign["prepare"](campaign["grown"]({sources}))
"""


@dataclass(frozen=True)
class Place:
    """A database that is prepared, the code that goes with it, and the tokens of its join links by round."""

    tree: Tree
    databases: FreshDatabases
    folder: Path
    tokens: dict[str, str]


def main() -> None:
    options = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # which removes all that is temporary
    shown = columns(cpu=options.cpu, codes=options.has_several)
    rows: list[Row] = []
    with (
        tempfile.TemporaryDirectory(prefix="precis-bench-") as name,
        trees(options.against, Path(name), floor=options.floor, grown=options.grown > 0) as codes,
    ):
        print(head(shown), flush=True)
        for kind in options.database:
            with contextlib.closing(measure(kind, codes, Path(name), options)) as measured:
                for row in measured:
                    print(line(shown, row), flush=True)
                    rows.append(row)
    for one, other in itertools.combinations([code.name for code in codes], 2):
        print("", *ratios(rows, one, other), sep="\n")
    sys.exit(any(row.is_faulty for row in rows))


def compared(options: argparse.Namespace, folder: Path) -> contextlib.AbstractContextManager[list[Tree]]:
    return trees(options.against, folder, floor=options.floor, grown=options.grown > 0)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--sources", type=Path, help="JSONL with id, genre, text (default: the demo's, repeated)")
    parser.add_argument("--seconds", type=float, default=10, help="length of each measurement")
    parser.add_argument("--people", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--round", choices=["edit", "rate"], nargs="+", default=["edit", "rate"], help="whose work")
    parser.add_argument("--web-workers", type=int, nargs="+", default=[2], help="web server processes")
    parser.add_argument("--threads", type=int, default=4, help="threads per process")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], nargs="+", default=["sqlite", "postgresql"])
    parser.add_argument("--pace", type=float, default=0.0, help="mean pause of each person between two texts, seconds")
    parser.add_argument("--cpu", action="store_true", help="also print the CPU used (needs /proc)")
    parser.add_argument("--against", metavar="COMMIT", help="compare with the code of this commit (includes --cpu)")
    parser.add_argument("--floor", action="store_true", help="compare with bare views (includes --cpu)")
    parser.add_argument(
        "--grown",
        type=int,
        nargs="?",
        const=GROWN_SOURCES,
        default=0,
        metavar="SOURCES",
        help="compare with a campaign that has grown to so many sources (includes --cpu)",
    )
    parser.add_argument("--rounds", type=int, help="how often each is measured (default: 2 with --against, else 1)")
    options = parser.parse_args()
    has_several = bool(options.against or options.floor or options.grown)
    options.cpu |= has_several
    options.has_several = has_several
    if options.cpu and not is_readable():
        sys.exit("CPU times are read from /proc, which this system does not have: leave out --cpu and --against.")
    options.rounds = options.rounds or (2 if has_several else 1)
    return options


def measure(kind: str, codes: list[Tree], folder: Path, options: argparse.Namespace) -> Generator[Row]:
    """Measure on one database each round and number of web processes, with each code in turn."""
    with fresh_databases(kind, folder) as databases:
        places = [prepared(tree, databases, folder / kind / tree.name, options) for tree in codes]
        blocks = itertools.product(range(options.rounds), options.round, options.web_workers, places)
        for _, work_round, web_workers, place in blocks:
            yield from measure_block(kind, place, work_round, web_workers, options)


def prepared(tree: Tree, databases: FreshDatabases, folder: Path, options: argparse.Namespace) -> Place:
    """Prepare a database with the code of a tree."""
    folder.mkdir(parents=True)
    env = environment(databases.create(tree.name), folder)
    manage(env, "migrate", "--verbosity=0", root=tree.root)
    code = GROW.format(campaign=CAMPAIGN, sources=options.grown) if tree is GROWN else preparing(folder, options)
    tokens = json.loads(shell(env, code, root=tree.root))
    databases.settle(tree.name)
    return Place(tree, databases, folder, tokens)


def preparing(folder: Path, options: argparse.Namespace) -> str:
    """Return the code that makes the campaign and prints its tokens."""
    texts = options.sources.resolve() if options.sources else repeated_demo(folder)
    seconds = WARM_SECONDS + options.seconds * len(options.people) if "rate" in options.round else 0
    return PREPARE.format(campaign=CAMPAIGN, texts=str(texts), written=math.ceil(WRITTEN_PER_SECOND * seconds))


def measure_block(
    kind: str, place: Place, work_round: str, web_workers: int, options: argparse.Namespace
) -> Generator[Row]:
    """Serve a fresh copy and measure each number of people on it, one after the other."""
    tree, folder = place.tree, place.folder
    with place.databases.copied(tree.name) as url:
        env = environment(url, folder) | {"DJANGO_SETTINGS_MODULE": tree.settings}
        with served(env, web_workers, options.threads, root=tree.root) as server:
            entrance = Entrance(server.port, work_round, f"/join/{place.tokens[work_round]}/", options.pace)
            meter = meter_of(server, place.databases) if options.cpu else Meter()
            acknowledged = asyncio.run(crowd(entrance, WARM_PEOPLE, "warm", WARM_SECONDS, meter)).acknowledged
            for people in options.people:
                measured = asyncio.run(crowd(entrance, people, f"p{people}", options.seconds, meter))
                acknowledged += measured.acknowledged
                found = violations(env, folder, acknowledged, work_round=work_round, root=tree.root)
                yield Row(tree.name, kind, work_round, web_workers, people, measured, found)


def meter_of(server: Server, databases: FreshDatabases) -> Meter:
    return Meter(server.process, databases.process())


def repeated_demo(folder: Path) -> Path:
    """Write the demo's texts repeatedly, each copy with its own id, and return the file."""
    rows: list[dict[str, Any]] = [
        json.loads(line)
        for line in (ROOT / "dashboard/simulation/demo_files/sources.jsonl").read_text(encoding="utf-8").splitlines()
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

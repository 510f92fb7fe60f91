"""Benchmark the import of a file of texts, beside an earlier commit in the same run.

    make bench-load ARGS=--help            # what participants notice of an import
    .venv/bin/python benchmarks/imports.py --sources 60000 --against ee4fd94d

Each row is an import into an empty campaign on a fresh database, in turn with each code, so that a busy machine hits
both alike: seconds, CPU seconds of the importing process, and the longest transaction, for which others wait on SQLite.
"""

import argparse
import contextlib
import json
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from benchmarks.code_trees import trees  # noqa: E402
from benchmarks.fresh_databases import fresh_databases  # noqa: E402
from benchmarks.under_load import more_texts  # noqa: E402
from tests.support.product import environment, manage, shell  # noqa: E402

IMPORT = """
import json, time
from pathlib import Path
from django.db import connection
from django.db.transaction import Atomic
from compressions.services.imports import source_import
from tests.support.factories import make_campaign
spans, enter, leave = [0.0], Atomic.__enter__, Atomic.__exit__
def entered(self):
    is_outermost = not connection.in_atomic_block
    enter(self)
    if is_outermost:
        spans.append(-time.perf_counter())
def left(self, *why):
    leave(self, *why)
    if not connection.in_atomic_block:
        spans[-1] += time.perf_counter()
campaign, content = make_campaign(), Path({file!r}).read_bytes()
Atomic.__enter__, Atomic.__exit__ = entered, left
began, used = time.perf_counter(), time.process_time()
source_import(campaign=campaign, file_name="more.jsonl", content=content, seed=1)
print(json.dumps([time.perf_counter() - began, time.process_time() - used, max(spans)]))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--sources", type=int, default=60_000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--against", metavar="COMMIT", help="compare with the code of this commit")
    parser.add_argument("--databases", choices=["sqlite", "postgresql"], nargs="+", default=["sqlite", "postgresql"])
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="precis-imports-")))
        codes = stack.enter_context(trees(options.against, folder, floor=False, grown=False))
        code = IMPORT.format(file=str(more_texts(folder, options.sources)))
        print(f"{'code':9} {'database':11} {'seconds':>8} {'CPU':>6} {'longest transaction, ms':>24}")
        for kind in options.databases:
            databases = stack.enter_context(fresh_databases(kind, folder))
            for number in range(options.rounds):
                for tree in codes:
                    env = environment(databases.create(f"{tree.name}_{number}"), folder)
                    manage(env, "migrate", "--verbosity=0", root=tree.root)
                    seconds, used, longest = json.loads(shell(env, code, root=tree.root))
                    print(f"{tree.name:9} {kind:11} {seconds:8.1f} {used:6.1f} {1000 * longest:24.0f}", flush=True)


if __name__ == "__main__":
    main()

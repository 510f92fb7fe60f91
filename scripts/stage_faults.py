"""Stage real faults in real processes, and print what people saw of them and what was lost.

For each database, Précis is served as in public, behind Caddy and with Redis, its database and its data folder each on
a file system of its own. People shorten texts over HTTPS and send the same request again until they have an answer, and
jobs are under way, while processes are killed, disks are full or slow, and Redis is away. Afterwards the database is
asked for what was acknowledged.

    make faults
    .venv/bin/python scripts/stage_faults.py --database sqlite --only redis --real-leases

A job whose worker or database was killed is taken over when its lease of two minutes has ended. To save time the leases
are ended by hand, but for one of each database; `--real-leases` waits for all. The exit code is 1 if anything was lost,
doubled, or left behind. Needs Linux, root, and what the tests need: PostgreSQL, Caddy, Redis, and a C compiler.
"""

import argparse
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from fault_stage import Row, Stage  # noqa: E402
from faults_in_jobs import expected_results  # noqa: E402
from staged_faults import FAULTS  # noqa: E402

from tests.support.installations import Wanted, installed  # noqa: E402
from tests.support.small_disk import small_disk  # noqa: E402

DISK_MEGABYTES, VAR_MEGABYTES = 512, 64
HEAD = ("fault", "when", "database", "longest wait", "answers", "lost", "doubled", "recovered after")
SLOW_FSYNC = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
static void wait_if_slow(void) {
    const char *flag = getenv("SLOW_FSYNC_WHILE");
    if (flag && access(flag, F_OK) == 0) usleep(500000);
}
int fsync(int fd) { wait_if_slow(); return ((int (*)(int)) dlsym(RTLD_NEXT, "fsync"))(fd); }
int fdatasync(int fd) { wait_if_slow(); return ((int (*)(int)) dlsym(RTLD_NEXT, "fdatasync"))(fd); }
"""


def main() -> None:
    options = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # which ends all that was started
    rows: list[Row] = []
    for database in options.database:
        with stage(database, real_leases=options.real_leases) as staged:
            for fault in FAULTS:
                if fault.applies_to(staged) and options.only in fault.name:
                    row = fault.staged_on(staged)
                    print(line(row.cells), *row.problems, sep="\n", flush=True)
                    rows.append(row)
    print("", line(HEAD), line(("---",) * len(HEAD)), *(line(row.cells) for row in rows), sep="\n")
    sys.exit(any(row.problems for row in rows))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], nargs="+", default=["sqlite", "postgresql"])
    parser.add_argument("--only", default="", help="only faults whose name contains this")
    parser.add_argument("--real-leases", action="store_true", help="wait until the leases of jobs have ended")
    return parser.parse_args()


@contextlib.contextmanager
def stage(database: str, *, real_leases: bool) -> Iterator[Stage]:
    """Serve Précis with all that can break around it."""
    with tempfile.TemporaryDirectory(prefix="precis-faults-") as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        slow_flag = slow_fsync(folder)
        disk = stack.enter_context(small_disk(DISK_MEGABYTES))
        data = stack.enter_context(small_disk(VAR_MEGABYTES, folder / "var"))
        is_postgres = database == "postgresql"
        wanted = Wanted(postgres=is_postgres, redis=True, front=True, database_on=disk.path, texts=1000)
        installation = stack.enter_context(installed(folder, wanted))
        staged = Stage(installation, disk, data, slow_flag, real_leases)
        staged.expected.update(expected_results(installation))
        yield staged


def slow_fsync(folder: Path) -> Path | None:
    """Let every process that is started from now on wait for the disk while a file is there; return that file."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    folder.chmod(0o755)  # PostgreSQL runs as another account
    (folder / "slow.c").write_text(SLOW_FSYNC)
    command = [compiler, "-shared", "-fPIC", "-o", str(folder / "slow.so"), str(folder / "slow.c"), "-ldl"]
    subprocess.run(command, check=True)
    os.environ |= {"LD_PRELOAD": str(folder / "slow.so"), "SLOW_FSYNC_WHILE": str(folder / "slow")}
    return folder / "slow"


def line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()

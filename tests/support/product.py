"""The real product in processes of its own: management commands, `manage.py start`, its children by their roles."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE_SECONDS = 90.0
VIOLATIONS = """
import json
from django.db.models import Count, F, Q
from compressions.models import Compression
from crowd.models import Assignment, Campaign, Item
from ratings.models import Rating, RatingVersion
ok = json.load(open({file!r}))
HELD = Q(assignments__state__in=["leased", "submitted"])
held = Assignment.objects.filter(state__in=["leased", "submitted"])
crowded = held.values("item").annotate(n=Count("pk")).filter(n__gt=F("item__wanted")).count()
twice = Assignment.objects.values("item", "worker").annotate(n=Count("pk")).filter(n__gt=1).count()
stored = list({stored})
def rated_in_part(campaign):
    ratings = Rating.objects.filter(assignment__item__campaign=campaign).annotate(n=Count("scores"))
    return ratings.exclude(n=len(campaign.rating_scales)).count()
print(json.dumps(dict(
    crowded=crowded, twice=twice, missing=len(set(ok) - set(stored)), doubled=len(stored) - len(set(stored)),
    partial=sum(map(rated_in_part, Campaign.objects.all())),
    miscounted=sum(
        1 for item in Item.objects.filter(round={work_round!r}).annotate(n=Count("assignments", filter=HELD))
        if item.open_slots + item.n != item.wanted
    ),
)))
"""
# What a submission stores, by its assignment. A judgement that is taken for another one becomes a second version.
STORED = {
    "edit": 'Compression.objects.values_list("assignment_id", flat=True)',
    "rate": 'RatingVersion.objects.exclude(rating__assignment=None).values_list("rating__assignment_id", flat=True)',
}


def environment(url: str, folder: Path) -> dict[str, str]:
    """Return the environment variables that set the database and the data folder."""
    return os.environ | {
        "DATABASE_URL": url,
        "PRECIS_DATA_DIR": str(folder),
        "DJANGO_SETTINGS_MODULE": "annotation.settings",
        # The people of tests and benchmarks are as quick as no person is, and come from one address.
        "PRECIS_TASKS_PER_MINUTE": "1000000",
        "PRECIS_JOINS_PER_HOUR": "1000000",
    }


def manage(env: dict[str, str], *arguments: str, root: Path = ROOT) -> str:
    """Run a management command of the code in `root` and return its output."""
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=root, env=env, check=True, stdout=subprocess.PIPE, text=True).stdout


def shell(env: dict[str, str], code: str, *, root: Path = ROOT) -> str:
    """Run code in the Django shell and return the last line of its output."""
    return manage(env, "shell", "-v0", "-c", code, root=root).strip().splitlines()[-1]


def violations(
    env: dict[str, str], folder: Path, acknowledged: list[int], *, work_round: str = "edit", root: Path = ROOT
) -> dict[str, int]:
    """Count what must never be: work acknowledged and lost, stored twice or in part, or beyond what was wanted."""
    file = folder / "acknowledged.json"
    file.write_text(json.dumps(acknowledged))
    code = VIOLATIONS.format(file=str(file), work_round=work_round, stored=STORED[work_round])
    found: dict[str, int] = json.loads(shell(env, code, root=root))
    return found


def eventually(is_so: Callable[[], object], what: str, pause: float = 0.05) -> None:
    """Wait until something is so; the limit is far beyond what any machine needs."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        if time.monotonic() > until:
            raise AssertionError(f"still not so: {what}")
        time.sleep(pause)


class Product:
    """`manage.py start` with its web server and worker."""

    def __init__(self, env: dict[str, str], port: int) -> None:
        self.env, self.port = env, port
        self._health = f"http://127.0.0.1:{port}/health/"
        command = [sys.executable, "manage.py", "start", "--no-demo", "--port", str(port)]
        self._supervisor = subprocess.Popen(command, cwd=ROOT, env=env)

    def is_healthy(self) -> bool:
        # As a front would say it: a public installation sends other requests to HTTPS.
        asked = urllib.request.Request(self._health, headers={"X-Forwarded-Proto": "https"})
        with contextlib.suppress(OSError), urllib.request.urlopen(asked, timeout=5) as reply:
            return bool(reply.status == 200)
        return False

    def worker(self) -> int:
        """Return the process id of the Celery worker."""
        return self._child("celery")

    def web_master(self) -> int:
        return self._child("gunicorn")

    def web_workers(self) -> list[int]:
        return children(self.web_master(), "gunicorn")

    def _child(self, name: str) -> int:
        found: list[int] = []

        def is_there() -> bool:
            found[:] = children(self._supervisor.pid, name)
            return len(found) == 1

        eventually(is_there, f"one process of {name}")
        return found[0]

    def processes(self) -> set[int]:
        """All that belong to it, the supervisor included."""
        return {self._supervisor.pid, *descendants(self._supervisor.pid)}

    def stop(self) -> None:
        self._supervisor.send_signal(signal.SIGTERM)
        self._supervisor.wait(60)


@contextlib.contextmanager
def started(env: dict[str, str], port: int) -> Iterator[Product]:
    product = Product(env, port)
    try:
        eventually(product.is_healthy, "the web server answers")
        yield product
    finally:
        product.stop()


def children(parent: int, name: str) -> list[int]:
    """Return the ids of the living children of a process whose command has this name in it."""
    return [each.pid for each in processes() if each.parent == parent and name in each.command]


def descendants(ancestor: int) -> list[int]:
    """Return the ids of all living processes that a process has begun, directly or through others."""
    known = processes()
    found = [ancestor]
    for pid in found:
        found += [each.pid for each in known if each.parent == pid]
    return found[1:]


class Process(NamedTuple):
    pid: int
    parent: int
    command: str


def processes() -> list[Process]:
    """All that are alive."""
    listed = subprocess.run(["ps", "-axo", "pid=,ppid=,stat=,args="], check=True, capture_output=True, text=True).stdout
    rows = (line.split(None, 3) for line in listed.splitlines())
    return [Process(int(pid), int(parent), command) for pid, parent, state, command in rows if state[0] != "Z"]

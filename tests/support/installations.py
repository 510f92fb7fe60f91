"""A whole installation in processes of its own, with which something can happen: databases, people, jobs."""

import contextlib
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from tests.support.front import OwnFront, own_front
from tests.support.patient_browser import Door, PatientBrowser
from tests.support.product import Product, environment, eventually, manage, processes, shell, started, violations
from tests.support.servers import OwnPostgres, OwnRedis, free_port, own_postgres, own_redis
from tests.support.tables import tables_in

SOURCES = 1500
PEOPLE = 4
OWNER, PASSWORD = "owner", "correct horse battery"
PREPARE = """
from tests.support.factories import make_campaign, make_staff
owner = make_staff("owner")
editing = dict(sources={texts}, editor_tasks={texts}, editors_per_source=4)
print(make_campaign(slug="editing", owner=owner, **editing).links.get(round="edit").token)
make_campaign(slug="imports", owner=owner)
"""
PUBLIC = {
    "ALLOWED_HOSTS": "localhost",
    "SECRET_KEY": "a-key-for-tests-of-faults-that-nobody-else-will-ever-use-0123456789-abcdefg",
    "PRECIS_TRUSTED_PROXIES": "127.0.0.1",
}


@dataclass(frozen=True)
class Wanted:
    """What an installation consists of."""

    postgres: bool = False
    redis: bool = False
    front: bool = False
    database_on: Path | None = None  # the folder of the database, if not that of the installation
    texts: int = 600
    sources: int = SOURCES  # of the corpus that is frozen and scored; 0 for none


@dataclass(frozen=True)
class Installation:
    product: Product
    env: dict[str, str]
    folder: Path
    join: str
    door: Door
    sqlite: Path
    postgres: OwnPostgres | None = None
    redis: OwnRedis | None = None
    front: OwnFront | None = None

    @property
    def releases(self) -> Path:
        return self.folder / "releases"

    @property
    def scratch(self) -> Path:
        """Where files are written before they are stored."""
        return self.folder / "scratch"

    def query(self, statement: str) -> list[tuple[Any, ...]]:
        """Ask the database itself, without Django."""
        if self.postgres:
            with psycopg.connect(self.postgres.url) as server:
                cursor = server.execute(statement.encode())
                return cursor.fetchall() if cursor.description else []
        with closing(sqlite3.connect(self.sqlite, timeout=30)) as file, file:
            return file.execute(statement).fetchall()

    def settle(self) -> None:
        """Leave SQLite no room in its log that it could use again: on a full disk it would go on for long."""
        if not self.postgres:
            self.query("PRAGMA wal_checkpoint(TRUNCATE)")

    def orphans(self) -> list[str]:
        """Return the commands of processes that have this data folder and no longer belong to the supervisor."""
        known, own = processes(), self.product.processes()
        return [each.command for each in known if each.pid not in own and each.parent == 1 and self._has(each.pid)]

    def _has(self, pid: int) -> bool:
        with contextlib.suppress(OSError):
            return f"PRECIS_DATA_DIR={self.folder}".encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        return False

    def half_files(self) -> list[Path]:
        """Return what is left of files that were being written, and of those that no row names."""
        unnamed = self.query("SELECT storage, path, is_given_up FROM common_unnamedpath")
        left = [
            path
            for storage, name, is_given_up in unnamed
            if (path := self.folder / storage / name).exists() or not is_given_up
        ]
        return [*self.scratch.glob("*"), *left]


@contextlib.contextmanager
def installed(folder: Path, wanted: Wanted) -> Iterator[Installation]:
    """Start Précis with what is wanted around it."""
    data, sqlite = folder / "var", (wanted.database_on or folder) / "precis.sqlite3"
    with ExitStack() as stack:
        postgres = stack.enter_context(own_postgres(wanted.database_on)) if wanted.postgres else None
        redis = stack.enter_context(own_redis(folder)) if wanted.redis else None
        env = environment(postgres.url if postgres else f"sqlite:///{sqlite}", data)
        env |= ({"CELERY_BROKER_URL": redis.url} if redis else {}) | (PUBLIC if wanted.front else {})
        token = prepared(env, folder, wanted, postgres)
        product = stack.enter_context(started(env, free_port()))
        ports = free_port(), free_port(), product.port
        front = stack.enter_context(own_front(folder, *ports)) if wanted.front else None
        door = Door(front.https, encrypted=True) if front else Door(product.port)
        yield Installation(product, env, data, f"/join/{token}/", door, sqlite, postgres, redis, front)


def prepared(env: dict[str, str], folder: Path, wanted: Wanted, postgres: OwnPostgres | None) -> str:
    """Make the campaigns and return the token of the link for editors."""
    if postgres:
        manage(env, "migrate", "--verbosity=0")
    else:
        tables_in(wanted.database_on or folder)
    token = shell(env, PREPARE.format(texts=wanted.texts))
    if wanted.sources:
        corpus = rated_corpus(folder, wanted.sources)
        manage(env, "import_release", str(corpus), "--campaign=frozen", "--language=en", "--owner=owner")
    return token


def rated_corpus(folder: Path, sources: int = SOURCES) -> Path:
    """Write a corpus in the public format, so large that its freezing can be caught in the middle."""
    lines = [
        f"{number}\tNews\tThe two old men number {number} went home late last night. ||| "
        f"Two men number {number} went home.\t1\t2\t6\tx\t7\ty ||| "
        f"The old men number {number} went home.\t2\t1\t6\tx"
        for number in range(sources)
    ]
    (folder / "corpus" / "RawData").mkdir(parents=True)
    (folder / "corpus" / "RawData" / "train.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "corpus"


# In the middle of submissions


def people_at_work(
    installation: Installation,
    prefix: str,
    meanwhile: Callable[[list[PatientBrowser]], object],
    *,
    people: int = PEOPLE,
    texts: int = 3,
    pause: float = 0.0,
) -> list[PatientBrowser]:
    """Let people shorten texts until they have been at it before, during and after something happens."""
    browsers = [PatientBrowser(installation.door, installation.join, f"{prefix}-{n}") for n in range(people)]
    happened, faults = threading.Event(), list[BaseException]()

    def work(browser: PatientBrowser) -> None:
        try:
            address, after = browser.begin(), 0
            while after < texts:
                address = browser.shorten(address)
                time.sleep(pause)
                after += happened.is_set()
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work, args=(browser,), daemon=True) for browser in browsers]
    for thread in threads:
        thread.start()
    try:
        eventually(lambda: faults or all(browser.acknowledged for browser in browsers), "everybody has submitted")
        meanwhile(browsers)
    finally:
        happened.set()
    for thread in threads:
        thread.join(180)
    assert faults == []
    assert not any(thread.is_alive() for thread in threads)
    return browsers


def acknowledged_by(browsers: list[PatientBrowser]) -> list[int]:
    return [number for browser in browsers for number in browser.acknowledged]


def statuses_of(browsers: list[PatientBrowser]) -> Counter[int]:
    return sum((browser.seen.statuses for browser in browsers), Counter[int]())


def assert_nothing_lost(installation: Installation, browsers: list[PatientBrowser]) -> None:
    acknowledged = acknowledged_by(browsers)
    assert len(acknowledged) == len(set(acknowledged)) >= 4 * len(browsers)
    found = violations(installation.env, installation.folder, acknowledged)
    assert found == dict.fromkeys(found, 0)

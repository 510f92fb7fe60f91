"""Processes are killed and stopped in the middle of submissions and of jobs: nothing acknowledged is lost.

Each test starts `manage.py start` with real processes, on SQLite and on a PostgreSQL server that keeps what it
acknowledges.
"""

import hashlib
import json
import os
import signal
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.support.patient_browser import PatientBrowser
from tests.support.product import Product, environment, eventually, manage, shell, started, violations
from tests.support.servers import OwnPostgres, free_port, own_postgres

SOURCES = 1500
PEOPLE = 4
PREPARE = """
from django.contrib.auth.models import User
from tests.support.factories import make_campaign
print(make_campaign(slug="editing", sources=600, editor_tasks=600, editors_per_source=4).links.get(round="edit").token)
"""
FREEZE = """
from crowd.models import Campaign
from corpus.services.release import release_request
release = release_request(campaign=Campaign.objects.get(slug="frozen"), user=None)
print(release.job_id)
"""
RUN = "from common.jobs import job_run; print(job_run(job_id={job}))"
IMPORT = """
import json
from crowd.models import Campaign
from compressions.services.imports import source_import_request
text = "Someone asked the two old men at noon whether they knew the way to the nearest town, and they did not."
content = json.dumps(dict(id="one-more", genre="News", text=text)).encode()
record = source_import_request(
    campaign=Campaign.objects.get(slug="editing"), file_name="one.jsonl", content=content, strict=True, user=None
)
print(record.job_id)
"""


@dataclass(frozen=True)
class Installation:
    product: Product
    env: dict[str, str]
    folder: Path
    join: str
    postgres: OwnPostgres | None

    @property
    def releases(self) -> Path:
        return self.folder / "releases"

    def query(self, statement: str) -> list[tuple[Any, ...]]:
        """Ask the database itself, without Django."""
        if self.postgres:
            with psycopg.connect(self.postgres.url) as server:
                cursor = server.execute(statement.encode())
                return cursor.fetchall() if cursor.description else []
        with closing(sqlite3.connect(self.folder.parent / "precis.sqlite3", timeout=30)) as file, file:
            return file.execute(statement).fetchall()


@pytest.fixture(scope="module", params=["SQLite", "PostgreSQL"])
def installation(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    folder = tmp_path_factory.mktemp("installation")
    with ExitStack() as stack:
        postgres = stack.enter_context(own_postgres()) if request.param == "PostgreSQL" else None
        env = environment(postgres.url if postgres else f"sqlite:///{folder / 'precis.sqlite3'}", folder / "var")
        manage(env, "migrate", "--verbosity=0")
        token = shell(env, PREPARE)
        manage(env, "import_release", str(rated_corpus(folder)), "--campaign=frozen", "--language=en")
        product = stack.enter_context(started(env, free_port()))
        yield Installation(product, env, folder / "var", f"/join/{token}/", postgres)


def rated_corpus(folder: Path) -> Path:
    """Write a corpus in the public format, so large that its freezing can be caught in the middle."""
    lines = [
        f"{number}\tNews\tThe two old men number {number} went home late last night. ||| "
        f"Two men number {number} went home.\t1\t2\t6\tx\t7\ty"
        for number in range(SOURCES)
    ]
    (folder / "corpus" / "RawData").mkdir(parents=True)
    (folder / "corpus" / "RawData" / "train.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "corpus"


# In the middle of submissions


def people_at_work(installation: Installation, prefix: str, meanwhile: Callable[[], None]) -> list[PatientBrowser]:
    """Let people shorten texts until they have been at it before, during and after something happens."""
    browsers = [PatientBrowser(installation.product.port, installation.join, f"{prefix}-{n}") for n in range(PEOPLE)]
    happened, faults = threading.Event(), list[BaseException]()

    def work(browser: PatientBrowser) -> None:
        try:
            address, after = browser.begin(), 0
            while after < 3:
                address = browser.shorten(address)
                after += happened.is_set()
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work, args=(browser,), daemon=True) for browser in browsers]
    for thread in threads:
        thread.start()
    try:
        eventually(lambda: faults or all(browser.acknowledged for browser in browsers), "everybody has submitted")
        meanwhile()
    finally:
        happened.set()
    for thread in threads:
        thread.join(180)
    assert faults == []
    assert not any(thread.is_alive() for thread in threads)
    return browsers


def kill_one_web_process(product: Product) -> None:
    before = product.web_workers()
    os.kill(before[0], signal.SIGKILL)
    eventually(lambda: {*product.web_workers()} - {*before}, "another web process")


def assert_nothing_lost(installation: Installation, browsers: list[PatientBrowser]) -> None:
    acknowledged = [number for browser in browsers for number in browser.acknowledged]
    assert len(acknowledged) == len(set(acknowledged)) >= 4 * PEOPLE
    found = violations(installation.env, installation.folder, acknowledged)
    assert found == dict.fromkeys(found, 0)


def test_a_web_process_killed_in_mid_submit_loses_nothing_acknowledged(installation: Installation) -> None:
    def kill_web_processes() -> None:
        for _ in range(3):
            kill_one_web_process(installation.product)
        master = installation.product.web_master()
        os.kill(master, signal.SIGKILL)
        eventually(installation.product.is_healthy, "the web server answers again")

    assert_nothing_lost(installation, people_at_work(installation, "web", kill_web_processes))


def test_a_database_restarted_in_mid_submit_loses_nothing_acknowledged(installation: Installation) -> None:
    if installation.postgres is None:
        pytest.skip("SQLite has no server: its processes are those of the web server")

    browsers = people_at_work(installation, "database", installation.postgres.restart)

    assert_nothing_lost(installation, browsers)
    assert any(browser.retries for browser in browsers)


# In the middle of jobs


def state_of(installation: Installation, job: int) -> tuple[str, int, str | None]:
    """Return the state of a job, how often it was begun, and the state of its release if it has one."""
    joined = "common_job LEFT JOIN corpus_release ON corpus_release.job_id = common_job.id"
    ((state, attempts, release),) = installation.query(
        f"SELECT common_job.state, attempts, corpus_release.state FROM {joined} WHERE common_job.id = {job}"
    )
    return state, attempts, release


def end_lease(installation: Installation, job: int) -> None:
    installation.query(f"UPDATE common_job SET lease_ends_at = '2020-01-01 00:00:00+00:00' WHERE id = {job}")


def is_done(installation: Installation, job: int) -> bool:
    state, attempts, _ = state_of(installation, job)
    assert state != "failed", attempts
    return state == "done"


def freeze_stopped_in_the_middle(installation: Installation) -> tuple[int, int]:
    """Ask for releases until the worker is stopped while it writes one; return the ids of job and worker."""
    for _ in range(10):
        job, worker = stop_worker_at_partial_folder(installation)
        if state_of(installation, job)[::2] == ("running", "building"):
            return job, worker
        os.kill(worker, signal.SIGCONT)  # it was quicker than this test
        eventually(partial(is_done, installation, job), "the freeze is done")
    raise AssertionError("no freeze could be caught in the middle")


def stop_worker_at_partial_folder(installation: Installation) -> tuple[int, int]:
    worker = installation.product.worker()
    job = int(shell(installation.env, FREEZE))
    eventually(
        lambda: list(installation.releases.glob("*/*.partial-*")) or state_of(installation, job)[0] == "done",
        "a freeze under way",
        pause=0.002,
    )
    os.kill(worker, signal.SIGSTOP)
    return job, worker


def assert_release_whole(installation: Installation, job: int) -> dict[str, str]:
    """Compare the files of the release with its manifest; return the checksums of all."""
    ((campaign, version),) = installation.query(f"SELECT campaign_id, version FROM corpus_release WHERE job_id = {job}")
    folder = installation.releases / f"campaign-{campaign}" / f"v{version}"
    for file in json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["files"]:
        assert checksum(folder / file["name"]) == file["sha256"]
    return {str(path): checksum(path) for path in folder.rglob("*") if path.is_file()}


def checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_worker_killed_in_mid_freeze_is_replaced_and_the_release_completed(installation: Installation) -> None:
    job, worker = freeze_stopped_in_the_middle(installation)
    os.kill(worker, signal.SIGKILL)
    end_lease(installation, job)

    eventually(lambda: is_done(installation, job), "the job is done", pause=1)

    assert state_of(installation, job) == ("done", 2, "ready")
    assert assert_release_whole(installation, job)
    assert list(installation.releases.glob("*/*.partial-*")) == []


def test_a_worker_stopped_in_mid_freeze_spoils_nothing_when_it_goes_on(installation: Installation) -> None:
    job, worker = freeze_stopped_in_the_middle(installation)
    try:
        end_lease(installation, job)
        shell(installation.env, RUN.format(job=job))
        assert state_of(installation, job) == ("done", 2, "ready")
        finished = assert_release_whole(installation, job)
    finally:
        os.kill(worker, signal.SIGCONT)
    # A worker does one job after the other: once it has done the next, it has ended this one.
    later = int(shell(installation.env, IMPORT))
    eventually(lambda: is_done(installation, later), "the worker went on", pause=1)

    assert installation.product.worker() == worker
    assert state_of(installation, job) == ("done", 2, "ready")
    assert assert_release_whole(installation, job) == finished
    assert list(installation.releases.glob("*/*.partial-*")) == []


def test_a_lost_job_is_found_after_the_database_was_restarted(installation: Installation) -> None:
    if installation.postgres is None:
        pytest.skip("SQLite has no server to restart")
    worker = installation.product.worker()
    installation.postgres.restart()
    # Nobody announces this job: only the timer of the worker can find it.
    job = int(shell(installation.env, "from common import jobs; jobs._announce = lambda _: None\n" + FREEZE))
    end_lease(installation, job)

    eventually(lambda: is_done(installation, job), "the timer found the job", pause=1)

    assert installation.product.worker() == worker
    assert state_of(installation, job) == ("done", 1, "ready")

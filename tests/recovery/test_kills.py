"""Processes are killed and stopped in the middle of submissions and of jobs: nothing acknowledged is lost.

Each test starts `manage.py start` with real processes, on SQLite and on a PostgreSQL server that keeps what it
acknowledges.
"""

import os
import signal
from collections.abc import Iterator

import pytest

from tests.support.installations import Installation, Wanted, assert_nothing_lost, installed, people_at_work
from tests.support.jobs_under_way import (
    FREEZE,
    IMPORT,
    KINDS,
    RUN,
    end_lease,
    is_done,
    job_stopped_in_the_middle,
    release_whole,
    state_of,
)
from tests.support.product import Product, eventually, shell


@pytest.fixture(scope="module", params=["SQLite", "PostgreSQL"])
def installation(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    wanted = Wanted(postgres=request.param == "PostgreSQL")
    with installed(tmp_path_factory.mktemp("installation"), wanted) as installation:
        yield installation


# In the middle of submissions


def kill_one_web_process(product: Product) -> None:
    before = product.web_workers()
    os.kill(before[0], signal.SIGKILL)
    eventually(lambda: {*product.web_workers()} - {*before}, "another web process")


def test_a_web_process_killed_in_mid_submit_loses_nothing_acknowledged(installation: Installation) -> None:
    def kill_web_processes(_people: object) -> None:
        for _ in range(3):
            kill_one_web_process(installation.product)
        master = installation.product.web_master()
        os.kill(master, signal.SIGKILL)
        eventually(installation.product.is_healthy, "the web server answers again")

    assert_nothing_lost(installation, people_at_work(installation, "web", kill_web_processes))


def test_a_database_restarted_in_mid_submit_loses_nothing_acknowledged(installation: Installation) -> None:
    if installation.postgres is None:
        pytest.skip("SQLite has no server: its processes are those of the web server")

    postgres = installation.postgres

    def kill_and_start(_people: object) -> None:
        postgres.kill()
        postgres.start()

    browsers = people_at_work(installation, "database", kill_and_start)

    assert_nothing_lost(installation, browsers)
    assert any(browser.retries for browser in browsers)


# In the middle of jobs

# What workers do every quarter of an hour: a worker killed between writing and naming a file leaves it to that.
TIDY_UP = "from common.stores.unnamed_paths import unnamed_paths_remove; print(unnamed_paths_remove())"


def test_a_worker_killed_in_mid_freeze_is_replaced_and_the_release_completed(installation: Installation) -> None:
    job, worker, _ = job_stopped_in_the_middle(installation, KINDS["freeze"], "freeze")
    os.kill(worker, signal.SIGKILL)
    end_lease(installation, job)

    eventually(lambda: is_done(installation, job), "the job is done", pause=1)

    assert state_of(installation, job) == ("done", 2, "ready")
    assert release_whole(installation, job)
    shell(installation.env, TIDY_UP)
    assert installation.half_files() == []


@pytest.mark.parametrize("name", ["scoring run", "import"])
def test_a_worker_killed_in_mid_job_is_replaced_and_the_result_is_the_same(
    installation: Installation, name: str
) -> None:
    kind = KINDS[name]
    undisturbed = int(shell(installation.env, kind.request("undisturbed")))
    eventually(lambda: is_done(installation, undisturbed), "the undisturbed job is done", pause=0.2)
    expected = kind.result(installation, undisturbed, "undisturbed")

    job, worker, this = job_stopped_in_the_middle(installation, kind, "killed")
    os.kill(worker, signal.SIGKILL)
    end_lease(installation, job)
    eventually(lambda: is_done(installation, job), "the job is done", pause=0.2)

    assert kind.result(installation, job, this) == expected
    shell(installation.env, TIDY_UP)
    assert installation.half_files() == []


def test_a_worker_stopped_in_mid_freeze_spoils_nothing_when_it_goes_on(installation: Installation) -> None:
    job, worker, _ = job_stopped_in_the_middle(installation, KINDS["freeze"], "freeze")
    try:
        end_lease(installation, job)
        shell(installation.env, RUN.format(job=job))
        assert state_of(installation, job) == ("done", 2, "ready")
        finished = release_whole(installation, job)
    finally:
        os.kill(worker, signal.SIGCONT)
    # A worker does one job after the other: once it has done the next, it has ended this one.
    later = int(shell(installation.env, IMPORT.format(name="later", rows=1)))
    eventually(lambda: is_done(installation, later), "the worker went on", pause=1)

    assert installation.product.worker() == worker
    assert state_of(installation, job) == ("done", 2, "ready")
    assert release_whole(installation, job) == finished
    assert installation.half_files() == []


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

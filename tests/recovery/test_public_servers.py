"""A public installation loses its front or its broker: people go on, and whoever asks for a job gets an answer."""

import http.client
import os
import signal
import time
from collections.abc import Iterator
from functools import partial

import pytest

from tests.support.installations import (
    OWNER,
    PASSWORD,
    Installation,
    Wanted,
    assert_nothing_lost,
    installed,
    people_at_work,
    statuses_of,
)
from tests.support.jobs_under_way import end_lease, is_done, state_of
from tests.support.patient_browser import StaffBrowser
from tests.support.product import eventually
from tests.support.servers import OwnRedis

ASKED = "/campaigns/frozen/quality/apply/"
# Three seconds is what the broker is given; a busy machine may need as long for the rest.
SOON_SECONDS = 15.0


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    wanted = Wanted(redis=True, front=True, texts=200, sources=20)
    with installed(tmp_path_factory.mktemp("installation"), wanted) as installation:
        yield installation


@pytest.fixture
def staff(installation: Installation) -> StaffBrowser:
    staff = StaffBrowser(installation.door)
    staff.log_in(OWNER, PASSWORD)
    return staff


@pytest.fixture
def redis(installation: Installation) -> OwnRedis:
    assert installation.redis
    return installation.redis


def job_asked_for(installation: Installation, staff: StaffBrowser) -> int:
    """Ask for a job on a page, and return its id."""
    began = time.monotonic()
    reply = staff.ask("POST", ASKED)
    assert (reply.status, time.monotonic() - began < SOON_SECONDS) == (http.client.FOUND, True), reply.text[:500]
    ((job,),) = installation.query("SELECT max(id) FROM common_job")
    return int(job)


def test_a_front_killed_in_mid_submit_loses_nothing_acknowledged(installation: Installation) -> None:
    front = installation.front
    assert front

    def kill_and_start(_people: object) -> None:
        front.kill()
        front.start()

    browsers = people_at_work(installation, "front", kill_and_start)

    assert_nothing_lost(installation, browsers)
    assert statuses_of(browsers).keys() <= {200, 302, 0}


def test_a_job_asked_for_while_the_broker_is_away_is_done_when_it_is_back(
    installation: Installation, staff: StaffBrowser, redis: OwnRedis
) -> None:
    jobs = list[int]()

    def lose_the_broker(_people: object) -> None:
        redis.kill()
        jobs.append(job_asked_for(installation, staff))

    try:
        browsers = people_at_work(installation, "broker", lose_the_broker)
    finally:
        redis.start()

    assert statuses_of(browsers).keys() <= {200, 302}  # nobody noticed
    assert_nothing_lost(installation, browsers)
    eventually(partial(is_done, installation, jobs[0]), "the job is done", pause=0.5)
    assert state_of(installation, jobs[0])[1] == 1


def test_a_broker_that_is_silent_holds_nobody_up_for_long(
    installation: Installation, staff: StaffBrowser, redis: OwnRedis
) -> None:
    with redis.standing_still():
        job = job_asked_for(installation, staff)
        assert state_of(installation, job)[0] == "queued"

    eventually(partial(is_done, installation, job), "the job is done", pause=0.5)


def test_a_worker_looks_for_lost_jobs_after_its_broker_was_away(
    installation: Installation, staff: StaffBrowser, redis: OwnRedis
) -> None:
    worker = installation.product.worker()
    os.kill(worker, signal.SIGSTOP)  # so that nobody hears of the job before the broker forgets it
    try:
        eventually(lambda: "blocked_clients:0" in redis.told("INFO clients"), "nobody waits for a message")
        job = job_asked_for(installation, staff)
        redis.kill()
        redis.start()
    finally:
        os.kill(worker, signal.SIGCONT)
    end_lease(installation, job)

    eventually(partial(is_done, installation, job), "the timer found the job", pause=0.5)

    assert installation.product.worker() == worker

"""What happens while people submit, and what they see of it."""

import http.client
import os
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial

from fault_stage import Result, Stage

from tests.support.installations import (
    OWNER,
    PASSWORD,
    Installation,
    acknowledged_by,
    people_at_work,
    statuses_of,
)
from tests.support.jobs_under_way import is_done
from tests.support.patient_browser import PatientBrowser, StaffBrowser
from tests.support.product import eventually, violations
from tests.support.servers import OwnRedis

PAUSE_SECONDS = 0.4
SLOW_SECONDS = 5.0
AWAY_SECONDS = 60.0
ASKED = "/campaigns/editing/quality/apply/"


def in_mid_submit(
    happen: Callable[[Stage, list[PatientBrowser]], object], *, pause: float = PAUSE_SECONDS
) -> Callable[[Stage], Result]:
    """Let people work while something happens."""

    def stage_it(stage: Stage) -> Result:
        times = list[float]()

        def meanwhile(people: list[PatientBrowser]) -> None:
            times.append(time.monotonic())
            happen(stage, people)
            times.append(time.monotonic())

        name = f"p{time.monotonic_ns()}"
        people = people_at_work(stage.installation, name, meanwhile, pause=pause)
        return submissions_of(stage.installation, people, *times)

    return stage_it


def submissions_of(installation: Installation, people: list[PatientBrowser], begun: float, ended: float) -> Result:
    acknowledged = acknowledged_by(people)
    found = violations(installation.env, installation.folder, acknowledged)
    lost, doubled = found.pop("missing"), found.pop("doubled") + len(acknowledged) - len(set(acknowledged))
    again = max(next(at for at in each.acknowledged_at if at > ended) for each in people)
    problems = [f"!!! {number} {name}" for name, number in found.items() if number]
    problems += ["!!! work is lost or doubled"] if lost or doubled else []
    longest = max(each.seen.longest_wait for each in people)
    return Result((f"{longest:.1f} s", answers(people)), lost, doubled, f"{again - begun:.1f} s", problems)


def answers(people: list[PatientBrowser]) -> str:
    counted = sorted(statuses_of(people).items(), key=lambda each: (each[0] == 0, each[0]))
    return ", ".join(f"{status or 'none'} × {number}" for status, number in counted)


def kill_web_worker(stage: Stage, _people: object) -> None:
    product = stage.installation.product
    before = product.web_workers()
    os.kill(before[0], signal.SIGKILL)
    eventually(lambda: {*product.web_workers()} - {*before}, "another web process")


def kill_web_master(stage: Stage, _people: object) -> None:
    os.kill(stage.installation.product.web_master(), signal.SIGKILL)
    time.sleep(0.5)  # until its children have noticed
    eventually(stage.installation.product.is_healthy, "the web server answers again")


def kill_worker(stage: Stage, _people: object) -> None:
    worker = stage.installation.product.worker()
    os.kill(worker, signal.SIGKILL)
    eventually(lambda: stage.installation.product.worker() != worker, "another worker")


def kill_front(stage: Stage, _people: object) -> None:
    assert stage.installation.front
    stage.installation.front.kill()
    stage.installation.front.start()


def kill_postgres(stage: Stage, _people: object = None) -> None:
    assert stage.installation.postgres
    stage.installation.postgres.kill()
    stage.installation.postgres.start()


def fill_the_disk(stage: Stage, people: list[PatientBrowser]) -> None:
    stage.installation.settle()
    stage.disk.fill()
    try:
        eventually(
            lambda: all(max(each.seen.statuses) >= http.client.INTERNAL_SERVER_ERROR for each in people),
            "everybody was refused",
        )
    finally:
        stage.disk.free()


def stop_the_database(stage: Stage, _people: object) -> None:
    """Keep PostgreSQL from doing anything, or hold SQLite's lock."""
    with ExitStack() as stack:
        if stage.installation.postgres:
            stack.enter_context(stage.installation.postgres.standing_still())
        else:
            other = stack.enter_context(closing(sqlite3.connect(stage.installation.sqlite, isolation_level=None)))
            other.execute("BEGIN IMMEDIATE")
        time.sleep(SLOW_SECONDS)


def slow_the_disk(stage: Stage, _people: object) -> None:
    assert stage.slow_flag
    stage.slow_flag.touch()
    try:
        time.sleep(2 * SLOW_SECONDS)
    finally:
        stage.slow_flag.unlink()


# The broker


def lose_redis(stage: Stage, _people: object) -> None:
    assert stage.installation.redis
    stage.installation.redis.kill()
    time.sleep(1)
    stage.installation.redis.start()


def away(redis: OwnRedis, ask: Callable[[], None]) -> None:
    redis.kill()
    ask()
    time.sleep(AWAY_SECONDS)
    redis.start()


def silent(redis: OwnRedis, ask: Callable[[], None]) -> None:
    with redis.standing_still():
        ask()
        time.sleep(2 * SLOW_SECONDS)


def with_a_job_asked_for(lose: Callable[[OwnRedis, Callable[[], None]], None]) -> Callable[[Stage], Result]:
    """Let people work and staff ask for a job on a page while Redis does not answer, and wait for the job."""

    def stage_it(stage: Stage) -> Result:
        installation, seconds = stage.installation, list[float]()
        redis = installation.redis
        assert redis

        def happen(_stage: Stage, _people: object) -> None:
            lose(redis, lambda: seconds.append(seconds_to_ask(installation)))
            back = time.monotonic()
            ((job,),) = installation.query("SELECT max(id) FROM common_job")
            eventually(partial(is_done, installation, job), "the job is done", pause=0.1)
            seconds.append(time.monotonic() - back)

        found = in_mid_submit(happen)(stage)
        told = f"staff were answered in {seconds[0]:.1f} s; job done {seconds[1]:.0f} s after Redis was back"
        return replace(found, recovered=told)

    return stage_it


def seconds_to_ask(installation: Installation) -> float:
    staff = StaffBrowser(installation.door)
    staff.log_in(OWNER, PASSWORD)
    began = time.monotonic()
    reply = staff.ask("POST", ASKED)
    assert reply.status == http.client.FOUND, reply
    return time.monotonic() - began

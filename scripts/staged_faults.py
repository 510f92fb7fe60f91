"""The faults that `stage_faults.py` stages: what breaks, what was under way, and what must be so afterwards."""

import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.support.installations import (
    OWNER,
    PASSWORD,
    Installation,
    acknowledged_by,
    people_at_work,
    statuses_of,
)
from tests.support.jobs_under_way import (
    FREEZE,
    KINDS,
    checksum,
    end_lease,
    is_done,
    job_stopped_in_the_middle,
    state_of,
)
from tests.support.patient_browser import PatientBrowser, StaffBrowser
from tests.support.product import eventually, shell, violations
from tests.support.small_disk import SmallDisk

DISK_MEGABYTES, VAR_MEGABYTES = 512, 64
PAUSE_SECONDS = 0.4
SLOW_SECONDS = 5.0
AWAY_SECONDS = 60.0
TOO_LITTLE = 64 * 1024  # for a release
NOBODY = ("–", "–")
ASKED = "/campaigns/editing/quality/apply/"


@dataclass(frozen=True)
class Stage:
    """An installation and what can be done to it."""

    installation: Installation
    disk: SmallDisk  # of the database
    data: SmallDisk  # of the data folder
    slow_flag: Path | None
    real_leases: bool
    expected: dict[str, object] = field(default_factory=dict)  # what each kind of job makes when nothing happens

    @property
    def database(self) -> str:
        postgres = self.installation.postgres
        return f"PostgreSQL {postgres.version()}" if postgres else f"SQLite {sqlite3.sqlite_version}"


@dataclass(frozen=True)
class Row:
    cells: tuple[str, ...]
    problems: list[str]


@dataclass(frozen=True)
class Fault:
    name: str
    when: str
    stage: Callable[[Stage], "Result"]
    applies_to: Callable[[Stage], bool] = lambda _stage: True

    def staged_on(self, stage: Stage) -> Row:
        found = self.stage(stage)
        problems = [*found.problems, *left_behind(stage.installation)]
        numbers = (str(found.lost), str(found.doubled), found.recovered)
        return Row((self.name, self.when, stage.database, *found.seen, *numbers), problems)


@dataclass(frozen=True)
class Result:
    """What people saw, the longest wait and the answers; and what was so afterwards."""

    seen: tuple[str, str]
    lost: int
    doubled: int
    recovered: str
    problems: list[str]


def left_behind(installation: Installation) -> list[str]:
    """Wait until nothing is left of processes and files that were cut off, and say what is."""
    try:
        eventually(lambda: not installation.orphans(), "no process is left", pause=1)
        eventually(lambda: not installation.half_files(), "no file is left that was cut off", pause=1)
    except AssertionError as left:
        return [f"!!! {left}: {installation.orphans()} {installation.half_files()}"]
    return []


def expected_results(installation: Installation) -> dict[str, object]:
    """Let a job of each kind run undisturbed, and return what it makes."""
    found = {}
    for name, kind in KINDS.items():
        job = int(shell(installation.env, kind.request("undisturbed")))
        eventually(partial(is_done, installation, job), f"the undisturbed {name}", pause=0.5)
        found[name] = kind.result(installation, job, "undisturbed")
    return found


# In the middle of submissions


def in_mid_submit(happen: Callable[[Stage, list[PatientBrowser]], object]) -> Callable[[Stage], Result]:
    """Let people work while something happens."""

    def stage_it(stage: Stage) -> Result:
        times = list[float]()

        def meanwhile(people: list[PatientBrowser]) -> None:
            times.append(time.monotonic())
            happen(stage, people)
            times.append(time.monotonic())

        name = f"p{time.monotonic_ns()}"
        people = people_at_work(stage.installation, name, meanwhile, pause=PAUSE_SECONDS)
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
    stage.disk.fill()
    try:
        eventually(lambda: all(max(each.seen.statuses) >= 500 for each in people), "everybody was refused")
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


def redis_away(stage: Stage) -> Result:
    """Redis is gone for a minute, in which staff ask for a job on a page."""
    installation, job, asked_for = stage.installation, list[int](), list[float]()
    redis = installation.redis
    assert redis

    def happen(_stage: Stage, _people: object) -> None:
        redis.kill()
        job.append(asked(installation, asked_for))
        time.sleep(AWAY_SECONDS)
        redis.start()

    found = in_mid_submit(happen)(stage)
    return with_job(installation, found, job[0], asked_for[0])


def redis_silent(stage: Stage) -> Result:
    installation, job, asked_for = stage.installation, list[int](), list[float]()
    redis = installation.redis
    assert redis

    def happen(_stage: Stage, _people: object) -> None:
        with redis.standing_still():
            job.append(asked(installation, asked_for))
            time.sleep(2 * SLOW_SECONDS)

    found = in_mid_submit(happen)(stage)
    return with_job(installation, found, job[0], asked_for[0])


def asked(installation: Installation, seconds: list[float]) -> int:
    staff = StaffBrowser(installation.door)
    staff.log_in(OWNER, PASSWORD)
    began = time.monotonic()
    reply = staff.ask("POST", ASKED)
    seconds.append(time.monotonic() - began)
    assert reply.status == 302, reply
    return int(installation.query("SELECT max(id) FROM common_job")[0][0])


def with_job(installation: Installation, found: Result, job: int, seconds: float) -> Result:
    back = time.monotonic()
    eventually(partial(is_done, installation, job), "the job is done", pause=0.1)
    recovered = f"staff were answered in {seconds:.1f} s, their job was done {time.monotonic() - back:.0f} s after it"
    return Result(found.seen, found.lost, found.doubled, recovered, found.problems)


# In the middle of jobs


def in_mid_job(
    name: str, kill: Callable[[Stage, int], object], *, is_patient: bool = False, loses_runner: bool = True
) -> Callable[[Stage], Result]:
    """Stop the worker in the middle of a job, kill something, and wait until the job is done all the same."""

    def stage_it(stage: Stage) -> Result:
        installation, kind = stage.installation, KINDS[name]
        job, worker, this = job_stopped_in_the_middle(installation, kind, f"staged-{time.monotonic_ns()}")
        kill(stage, worker)
        began, is_patient_now = time.monotonic(), is_patient or stage.real_leases
        if loses_runner and not is_patient_now:
            eventually(lambda: state_of(installation, job)[0] == "running", "a job without a worker")
            end_lease(installation, job)
        wait_patiently(installation, job)
        seconds = time.monotonic() - began
        is_right = kind.result(installation, job, this) == stage.expected[name]
        more = " after its lease" if loses_runner and not is_patient_now else ""
        problems = [] if is_right else [f"!!! the {name} came out differently"]
        return Result(NOBODY, int(not is_right), 0, f"{seconds:.0f} s{more}", problems)

    return stage_it


def wait_patiently(installation: Installation, job: int) -> None:
    """Leases are of two minutes, and those who look for them come every 15 seconds."""
    until = time.monotonic() + 300
    while not is_done(installation, job):
        if time.monotonic() > until:
            raise AssertionError(f"job {job} is {state_of(installation, job)}")
        time.sleep(0.2)


def kill_stopped_worker(_stage: Stage, worker: int) -> None:
    os.kill(worker, signal.SIGKILL)


def kill_postgres_under(stage: Stage, worker: int) -> None:
    kill_postgres(stage)
    os.kill(worker, signal.SIGCONT)


def kill_redis_under(stage: Stage, worker: int) -> None:
    lose_redis(stage, None)
    os.kill(worker, signal.SIGCONT)


def release_without_room(stage: Stage) -> Result:
    installation = stage.installation
    stage.data.fill()
    stage.data.free(TOO_LITTLE)
    failed = int(shell(installation.env, FREEZE))
    eventually(lambda: state_of(installation, failed)[0] == "failed", "the job says that it failed")
    problems = [f"!!! left: {installation.half_files()}"] if installation.half_files() else []
    stage.data.free()
    began = time.monotonic()
    later = int(shell(installation.env, FREEZE))
    eventually(partial(is_done, installation, later), "the release is frozen")
    is_right = KINDS["freeze"].result(installation, later, "") == stage.expected["freeze"]
    return Result(NOBODY, int(not is_right), 0, f"{time.monotonic() - began:.0f} s, asked for again", problems)


def backup_without_room(stage: Stage) -> Result:
    """A backup for which there is no room is refused, and the one before is as it was."""
    before, target = stage.data.path / "before", stage.data.path / "backup"
    assert back_up(stage, before) == 0
    digest = checksum(before)
    stage.data.fill()
    code = back_up(stage, target)
    stage.data.free()
    problems = [] if code else ["!!! a backup that found no room was taken for one"]
    problems += [] if checksum(before) == digest else ["!!! the backup before has changed"]
    target.unlink(missing_ok=True)
    again = back_up(stage, target)
    target.unlink()
    before.unlink()
    return Result(("–", f"exit code {code}"), again, 0, "at once, asked for again", problems)


def back_up(stage: Stage, target: Path) -> int:
    postgres = stage.installation.postgres
    if postgres:
        command = [str(postgres.binaries / "pg_dump"), "--format=custom", f"--file={target}", postgres.url]
        return subprocess.run(command, check=False, capture_output=True).returncode
    try:
        with closing(sqlite3.connect(stage.installation.sqlite)) as file, closing(sqlite3.connect(target)) as copy:
            file.backup(copy)
    except sqlite3.OperationalError:
        return 1
    return 0


def has_postgres(stage: Stage) -> bool:
    return stage.installation.postgres is not None


SUBMIT, KILLED = "mid-submit", "kill -9"
FAULTS = [
    Fault(f"{KILLED}: a web process", SUBMIT, in_mid_submit(kill_web_worker)),
    Fault(f"{KILLED}: the web server's first process", SUBMIT, in_mid_submit(kill_web_master)),
    Fault(f"{KILLED}: the worker", SUBMIT, in_mid_submit(kill_worker)),
    Fault(f"{KILLED}: the front", SUBMIT, in_mid_submit(kill_front)),
    Fault(f"{KILLED}: Redis", SUBMIT, in_mid_submit(lose_redis)),
    Fault(f"{KILLED}: PostgreSQL", SUBMIT, in_mid_submit(kill_postgres), has_postgres),
    Fault("full disk of the database", SUBMIT, in_mid_submit(fill_the_disk)),
    Fault(f"database stands still for {SLOW_SECONDS:.0f} s", SUBMIT, in_mid_submit(stop_the_database)),
    Fault(
        f"slow disk, 0.5 s for each fsync, for {2 * SLOW_SECONDS:.0f} s",
        SUBMIT,
        in_mid_submit(slow_the_disk),
        lambda stage: stage.slow_flag is not None,
    ),
    Fault(f"Redis away for {AWAY_SECONDS:.0f} s", "mid-submit, and a job asked for", redis_away),
    Fault(f"Redis silent for {2 * SLOW_SECONDS:.0f} s", "mid-submit, and a job asked for", redis_silent),
    Fault(
        f"{KILLED}: the worker", "mid-freeze, real lease", in_mid_job("freeze", kill_stopped_worker, is_patient=True)
    ),
    *(Fault(f"{KILLED}: the worker", f"mid-{name}", in_mid_job(name, kill_stopped_worker)) for name in KINDS),
    *(
        Fault(f"{KILLED}: PostgreSQL", f"mid-{name}", in_mid_job(name, kill_postgres_under), has_postgres)
        for name in KINDS
    ),
    *(
        Fault(f"{KILLED}: Redis", f"mid-{name}", in_mid_job(name, kill_redis_under, loses_runner=False))
        for name in KINDS
    ),
    Fault("full disk of the data folder", "a freeze, and again with room", release_without_room),
    Fault("full disk of the data folder", "a backup, and again with room", backup_without_room),
]

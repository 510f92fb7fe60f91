"""What happens in the middle of jobs and of backups, and what becomes of their results."""

import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

from fault_stage import Result, Stage
from faults_in_submissions import kill_postgres, lose_redis

from tests.support.installations import Installation
from tests.support.jobs_under_way import (
    FREEZE,
    KINDS,
    checksum,
    end_lease,
    is_done,
    job_stopped_in_the_middle,
    state_of,
)
from tests.support.product import eventually, shell

TOO_LITTLE = 64 * 1024  # for a release
NOBODY = ("–", "–")


def expected_results(installation: Installation) -> dict[str, object]:
    """Let a job of each kind run undisturbed, and return what it makes."""
    found = {}
    for name, kind in KINDS.items():
        job = int(shell(installation.env, kind.request("undisturbed")))
        eventually(partial(is_done, installation, job), f"the undisturbed {name}", pause=0.5)
        found[name] = kind.result(installation, job, "undisturbed")
    return found


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

"""The periodic work: by every worker, or by one process for all."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.celery import periodic_maintenance
from common.periodic import periodic_tasks
from maintenance.management.commands import beat as beat_command
from maintenance.management.commands.beat import beat
from tests.support.tables import tables_in
from tests.support.web_server import PATIENCE, ROOT, Installation


class Timer:
    def __init__(self) -> None:
        self.tasks: list[Any] = []

    def call_repeatedly(self, _seconds: float, _maintain: Any, arguments: tuple[Any]) -> None:
        self.tasks += arguments


@pytest.mark.parametrize(("apart", "wanted"), [(False, [task for _, task in periodic_tasks()]), (True, [])])
@pytest.mark.django_db
def test_workers_do_the_periodic_work_unless_there_is_a_beat(settings: Any, apart: bool, wanted: list[Any]) -> None:
    settings.BEAT_APART = apart
    timer = Timer()

    periodic_maintenance(SimpleNamespace(timer=timer))

    assert timer.tasks == wanted


def test_each_task_is_done_again_and_again_and_a_long_or_failing_one_holds_up_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beat_command, "maintain", lambda task: task())
    monkeypatch.setattr(beat_command, "connection", SimpleNamespace(close=lambda: None))
    stopping, released, done = Event(), Event(), Event()
    count: list[int] = []

    def quick() -> None:
        count.append(1)
        if len(count) == 3:
            done.set()

    def long() -> None:
        released.wait(PATIENCE)

    alive = tmp_path / "alive"
    thread = Thread(target=beat, args=(stopping, alive, [(0.01, quick), (0.01, long)]))
    thread.start()
    assert done.wait(PATIENCE)
    assert alive.exists()
    stopping.set()
    thread.join(0.2)
    assert thread.is_alive()  # what has begun is finished
    released.set()
    thread.join(PATIENCE)

    assert not thread.is_alive()
    assert not alive.exists()


def test_without_the_setting_there_would_be_two_that_do_the_work(settings: Any) -> None:
    settings.BEAT_APART = False
    with pytest.raises(CommandError, match="PRECIS_BEAT=1"):
        call_command("beat")


@pytest.mark.slow
def test_the_process_works_until_it_is_told_to_stop(tmp_path: Path) -> None:
    installation = Installation(tmp_path, {"PRECIS_BEAT": "1"})
    tables_in(tmp_path)
    command = [sys.executable, "manage.py", "beat"]
    with subprocess.Popen(command, cwd=ROOT, env=installation.environment, stderr=subprocess.PIPE) as process:
        until = time.monotonic() + PATIENCE
        while not (tmp_path / "beat").exists() and time.monotonic() < until:
            time.sleep(0.1)  # until it says that it is alive, it may be ended in the middle of its start
        time.sleep(1)
        assert process.poll() is None
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
        assert process.stderr
        assert process.stderr.read() == b""

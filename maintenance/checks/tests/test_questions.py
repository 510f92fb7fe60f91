"""The condition of an installation: each question has an answer, also when what it asks about is gone or hangs."""

import contextlib
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from unittest import mock

import pytest
from django.core.files.storage import Storage
from django.db import OperationalError, connection
from pytest_django.fixtures import DjangoAssertNumQueries, Settings

from common.clock import override_clock
from common.models import Job
from maintenance.checks import questions
from tests.support.buckets import Bucket, s3_server
from tests.support.clock import Clock
from tests.support.factories import make_campaign
from tests.support.processes import free_port

pytestmark = pytest.mark.both_databases

REDIS = shutil.which("redis-server")


@pytest.fixture
def clock() -> Iterator[Clock]:
    clock = Clock()
    with override_clock(clock):
        yield clock


def make_job(clock: Clock, *, state: str, minutes_ago: float, lease_ended_ago: float = -1) -> None:
    job = Job.objects.create(
        campaign=make_campaign(sources=0),
        kind="release",
        state=state,
        lease_ends_at=clock.now - timedelta(minutes=lease_ended_ago),
    )
    Job.objects.filter(pk=job.pk).update(created_at=clock.now - timedelta(minutes=minutes_ago))


@pytest.fixture(autouse=True)
def own_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A question that hangs in one test keeps no other from asking the same."""
    monkeypatch.setattr(questions, "_unanswered", set())


@pytest.mark.django_db
def test_the_database_answers_until_it_does_not() -> None:
    @contextmanager
    def broken() -> Iterator[None]:
        raise OperationalError("gone")
        yield

    assert questions.database_answers()
    with mock.patch.object(connection, "cursor", broken):
        assert not questions.database_answers()


@pytest.mark.django_db
def test_no_job_waits_where_there_is_none(clock: Clock) -> None:
    assert questions.oldest_waiting_job_seconds() is None
    for state in (Job.State.DONE, Job.State.FAILED, Job.State.RUNNING):
        make_job(clock, state=state, minutes_ago=90)
    assert questions.oldest_waiting_job_seconds() is None


@pytest.mark.django_db
def test_a_job_waits_from_when_it_was_asked_for_or_lost(
    clock: Clock, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make_job(clock, state=Job.State.RUNNING, minutes_ago=90, lease_ended_ago=7)
    assert questions.oldest_waiting_job_seconds() == pytest.approx(7 * 60)
    make_job(clock, state=Job.State.QUEUED, minutes_ago=3)
    assert questions.oldest_waiting_job_seconds() == pytest.approx(7 * 60)
    make_job(clock, state=Job.State.QUEUED, minutes_ago=20)
    with django_assert_num_queries(1):
        assert questions.oldest_waiting_job_seconds() == pytest.approx(20 * 60)


def test_the_free_space_is_that_of_the_disk(tmp_path: Path) -> None:
    assert questions.free_bytes(tmp_path) == pytest.approx(shutil.disk_usage(tmp_path).free, rel=0.1)


def test_folders_are_a_broker_if_they_can_be_written_to(settings: Settings, tmp_path: Path) -> None:
    settings.CELERY_BROKER_URL = "filesystem://localhost"
    folder = tmp_path / "messages"
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = {"data_folder_in": str(folder), "data_folder_out": str(folder)}
    assert questions.broker_answers()
    folder.write_text("A file is no folder.")
    assert not questions.broker_answers()


@contextlib.contextmanager
def redis(folder: Path) -> Iterator[int]:
    port = free_port()
    command = [str(REDIS), "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            yield port
        finally:
            process.terminate()


@pytest.mark.skipif(REDIS is None, reason="no Redis server is installed")
def test_redis_answers_until_it_is_stopped(settings: Settings, tmp_path: Path) -> None:
    with redis(tmp_path) as port:
        settings.CELERY_BROKER_URL = f"redis://127.0.0.1:{port}/0"
        until = time.monotonic() + 30
        while not questions.broker_answers() and time.monotonic() < until:
            time.sleep(0.05)
        assert questions.broker_answers()
    assert not questions.broker_answers()


@pytest.mark.parametrize("scheme", ["redis", "amqp"])
def test_a_broker_that_takes_connections_and_says_nothing_does_not_answer(settings: Settings, scheme: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.CELERY_BROKER_URL = f"{scheme}://127.0.0.1:{silent.getsockname()[1]}//"
        begun = time.monotonic()
        assert not questions.broker_answers(0.3)
        assert time.monotonic() - begun < 5


def test_a_folder_stores_files_if_it_can_be_written_to(settings: Settings, tmp_path: Path) -> None:
    backend = "django.core.files.storage.FileSystemStorage"
    location = tmp_path / "releases"
    settings.STORAGES = {**settings.STORAGES, "releases": {"BACKEND": backend, "OPTIONS": {"location": location}}}
    assert questions.storage_answers("releases"), "the folder is made with the first file"
    location.mkdir()
    assert questions.storage_answers("releases")
    location.rmdir()
    location.write_text("A file is no folder.")
    assert not questions.storage_answers("releases")


class Elsewhere(Storage):
    """A store that is not a folder of this computer."""

    seconds, error = 0.0, False

    def exists(self, name: str) -> bool:  # noqa: ARG002 - the signature of the store
        time.sleep(self.seconds)
        if self.error:
            raise PermissionError("the key is not known")
        return False


@pytest.mark.parametrize(("seconds", "error", "answers"), [(0.0, False, True), (0.0, True, False), (9.0, False, False)])
def test_another_store_is_asked_and_not_waited_for(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, *, seconds: float, error: bool, answers: bool
) -> None:
    settings.STORAGES = {**settings.STORAGES, "releases": {"BACKEND": f"{__name__}.Elsewhere"}}
    monkeypatch.setattr(Elsewhere, "seconds", seconds)
    monkeypatch.setattr(Elsewhere, "error", error)
    assert questions.storage_answers("releases", 0.5) is answers


def test_a_bucket_is_asked_for_itself(settings: Settings) -> None:
    with s3_server() as address:
        bucket = Bucket(address)
        bucket.use(settings)
        assert questions.storage_answers("releases", 30)
        bucket.client.delete_bucket(Bucket=bucket.name)
        assert not questions.storage_answers("releases", 30)

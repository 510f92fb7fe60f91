"""Is the app alive, and can it do its work?"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from threading import Event
from unittest import mock

import pytest
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django.fixtures import Settings

from common.models import PeriodicRun
from common.periodic import periodic_tasks
from maintenance import health
from maintenance.checks.questions import KeptAnswer
from maintenance.health import _is_hanging, readiness_forget
from tests.support.processes import served
from tests.support.tables import tables_in

pytestmark = pytest.mark.django_db
ALL_WELL: dict[str, bool | None] = {"database": True, "broker": True, "disk": True, "storages": True, "jobs": True}
ALL_WELL |= {"periodic": None, "backups": None}  # none was ever done or made here


@pytest.fixture(autouse=True)
def asked_for_the_first_time(db: None) -> Iterator[None]:
    MigrationRecorder.Migration.objects.update(applied=timezone.now())
    readiness_forget()
    yield
    readiness_forget()


@contextmanager
def broken() -> Iterator[None]:
    raise DatabaseError("gone")
    yield


@pytest.mark.parametrize("path", ["/health/", "/health/ready/"])
def test_it_says_ok_to_anybody(path: str) -> None:
    reply = Client().get(path)

    assert (reply.status_code, reply.json()) == (200, {"status": "ok", "checks": ALL_WELL, "messages": []})
    assert not reply.cookies


def test_being_alive_needs_nothing() -> None:
    with CaptureQueriesContext(connection) as captured, mock.patch.object(connection, "cursor", broken):
        reply = Client().get("/health/live/")

    assert (reply.status_code, reply.json()) == (200, {"status": "ok"})
    assert (len(captured), dict(reply.cookies)) == (0, {})


def test_without_its_database_it_is_not_ready_and_nothing_is_known_of_jobs() -> None:
    with mock.patch.object(connection, "cursor", broken):
        reply = Client().get("/health/ready/")

    assert reply.status_code == 503
    assert reply.json() == {
        "status": "unavailable",
        "checks": {**ALL_WELL, "database": False, "jobs": None},
        "messages": ["The database does not answer."],
    }


@pytest.mark.parametrize(
    ("check", "function", "outcome"),
    [
        ("broker", "broker_answers", lambda *_: False),
        ("disk", "free_bytes", lambda _: 499_999_999),
        ("storages", "storage_answers", lambda alias, _: alias != "scores"),
        ("jobs", "oldest_waiting_job_seconds", lambda: 30 * 60 + 1.0),
        ("periodic", "late_periodic_work", lambda: {"notices_send": 901.0}),
        ("backups", "backups_are_in_order", lambda: False),
    ],
)
def test_what_participants_can_do_without_is_only_reported(
    monkeypatch: pytest.MonkeyPatch, check: str, function: str, outcome: object
) -> None:
    monkeypatch.setattr(health, function, outcome)
    reply = Client().get("/health/ready/")

    assert reply.status_code == 200
    assert (reply.json()["status"], reply.json()["checks"]) == ("degraded", {**ALL_WELL, check: False})
    assert len(reply.json()["messages"]) == 1


def test_periodic_work_that_was_never_done_is_late_some_minutes_after_an_upgrade() -> None:
    MigrationRecorder.Migration.objects.update(applied=timezone.now() - timedelta(minutes=6))
    reply = Client().get("/health/").json()
    assert (reply["status"], reply["checks"]) == ("degraded", {**ALL_WELL, "periodic": False})


def test_all_periodic_work_is_to_be_done() -> None:
    now, names = timezone.now(), [task.__name__ for _seconds, task in periodic_tasks()]
    PeriodicRun.objects.bulk_create(PeriodicRun(name=name, done_at=now) for name in names)
    assert Client().get("/health/").json()["checks"]["periodic"] is True
    PeriodicRun.objects.filter(name="notices_send").update(done_at=now - timedelta(minutes=20))
    readiness_forget()
    assert Client().get("/health/").json()["checks"]["periodic"] is False


def test_the_bounds_are_settings(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.MIN_FREE_MB, settings.MAX_JOB_AGE_MINUTES = 700, 2
    monkeypatch.setattr(health, "free_bytes", lambda _: 699_000_000)
    monkeypatch.setattr(health, "oldest_waiting_job_seconds", lambda: 121.0)
    assert Client().get("/health/").json()["checks"] == {**ALL_WELL, "disk": False, "jobs": False}


def test_strangers_cannot_make_it_work() -> None:
    for _ in range(2):
        with CaptureQueriesContext(connection) as captured:
            Client().get("/health/ready/")
    assert len(captured) == 0


def test_an_answer_is_worked_out_anew_when_it_is_old() -> None:
    answers = iter([1, 2])
    kept = KeptAnswer(lambda: next(answers), seconds=60.0)
    assert (kept.get(), kept.get()) == (1, 1)
    kept.seconds = 0.0
    assert kept.get() == 2


def test_an_answer_that_takes_too_long_is_not_covered_by_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    is_asked, is_over = Event(), Event()

    def hang() -> str:
        is_asked.set()
        assert is_over.wait(10)
        return "late"

    kept = KeptAnswer(lambda: "in time", seconds=0.0, overdue=lambda: "overdue")
    assert kept.get() == "in time"
    kept.work_out = hang
    with ThreadPoolExecutor(1) as pool:
        late = pool.submit(kept.get)
        assert is_asked.wait(10)
        assert kept.get() == "in time"
        monkeypatch.setattr("maintenance.checks.questions.OVERDUE_SECONDS", -1.0)
        assert kept.get() == "overdue"
        is_over.set()
        assert late.result(10) == "late"


def test_a_database_that_hangs_makes_it_unready() -> None:
    assert _is_hanging().status == "unavailable"
    assert not _is_hanging().is_ready


@pytest.mark.parametrize("path", ["/health/", "/health/live/", "/health/ready/", "/metrics"])
def test_it_cannot_be_written_to(path: str) -> None:
    assert Client().post(path).status_code == 405


GUNICORN = ("-m", "gunicorn", "annotation.wsgi", "--config", "python:annotation.gunicorn_conf", "--workers=1")


@pytest.mark.slow
def test_a_public_site_answers_probes_by_address_and_without_tls_and_nothing_else(tmp_path: Path) -> None:
    public = {
        "ALLOWED_HOSTS": "precis.example.org",
        "SECRET_KEY": "qD7-k2_Zr9vXw4TnYb8mLc3sGh6jPf1aQe5uKo0iVxHyWzEt-NRSJU",
        "DJANGO_SETTINGS_MODULE": "annotation.settings",
    }
    tables_in(tmp_path / "data")
    with served(tmp_path / "data", (*GUNICORN, "--bind=127.0.0.1:{port}"), **public) as server:
        for path in ("/health/", "/health/live/", "/health/ready/"):
            assert server.ask(path, Host="10.0.0.7:8000").status == 200
        assert server.ask("/metrics", Host="10.0.0.7:8000").status == 404
        assert server.ask("/login/", Host="precis.example.org").status == 301
        assert server.ask("/login/", Host="10.0.0.7:8000", X_Forwarded_Proto="https").status == 400

"""The command that shows workers, queues, jobs and leases, and Celery's own tools beside it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from annotation.celery import app
from common.clock import database_now
from common.models import Job
from crowd.models import Assignment, Campaign
from maintenance import work
from maintenance.management.commands import show_work
from maintenance.work import BrokerState, WorkerSeen, work_now
from scoring.models import ScorePart
from scoring.services.runs import scores_request
from scoring.tests.releases import FEW, released_with, varied
from tests.support.factories import EDIT, enrol, make_campaign
from tests.support.product import environment, eventually, manage
from tests.support.redis_server import own_redis
from tests.support.reports import printed
from tests.support.tables import tables_in

ROOT = django_settings.BASE_DIR


def job_of(campaign: Campaign, **fields: Any) -> Job:
    return Job.objects.create(campaign=campaign, kind="freeze_release", lease_ends_at=database_now(), **fields)


@pytest.fixture
def silent_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(show_work, "broker_state", lambda: BrokerState(error="OperationalError"))


@pytest.mark.django_db
@pytest.mark.usefixtures("silent_broker")
def test_without_a_broker_the_table_of_jobs_is_shown() -> None:
    campaign = make_campaign(slug="demo")
    job = job_of(campaign, state=Job.State.RUNNING, attempts=2, done=3, total=9)
    Job.objects.update(lease_ends_at=database_now() - timedelta(seconds=61))

    said = printed("show_work")

    assert "The broker does not answer (OperationalError)." in said
    assert "3 of 9" in said
    assert "ran out 1 min 1 s ago" in said
    assert f"Job {job.pk} was lost by its worker." in said
    assert "No participant holds a text." in said


@pytest.mark.django_db
def test_workers_queues_and_parts_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    state = BrokerState({"celery": 4}, [WorkerSeen("celery@one", ["celery"], [7])])
    monkeypatch.setattr(show_work, "broker_state", lambda: state)
    monkeypatch.setattr("common.jobs._announce", lambda _job: None)
    scores_request(release=released_with(varied()), settings=FEW, user=None)
    job = Job.objects.get()
    ScorePart.objects.update(job=job, lease_ends_at=database_now() + timedelta(minutes=1))

    said = json.loads(printed("show_work", "--format=json"))

    assert said["broker"]["messages"] == {"celery": 4}
    assert said["broker"]["workers"] == [{"name": "celery@one", "queues": ["celery"], "jobs": [7]}]
    assert (said["jobs"][0]["state"], said["jobs"][0]["parts"]) == ("queued", [0])
    table = printed("show_work")
    assert "celery@one" in table
    assert "Messages waiting" in table


@pytest.mark.django_db
@pytest.mark.usefixtures("silent_broker")
def test_leases_of_participants_are_counted_by_campaign_and_round() -> None:
    campaign = make_campaign(slug="demo", sources=3)
    for name in ("ann", "ben", "cem"):
        lease(enrol(campaign, EDIT, name))
    Assignment.objects.filter(worker__external_id="cem").update(lease_ends_at=database_now() - timedelta(seconds=5))

    (line,) = work_now().leases

    assert (line.campaign, line.round, line.live, line.run_out) == ("demo", "edit", 2, 1)
    assert line.next_end is not None
    assert line.next_end > 0
    assert "demo" in printed("show_work")


def lease(enrolment: Any) -> None:
    from crowd.services.claims import assignment_claim  # noqa: PLC0415

    assert assignment_claim(enrolment=enrolment)


@pytest.mark.django_db
@pytest.mark.usefixtures("silent_broker")
def test_any_amount_of_work_is_as_many_queries(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    queries = 4 if connection.vendor == "sqlite" else 5  # PostgreSQL is asked for its time
    for number in range(3):
        job_of(make_campaign(slug=f"c{number}"))
        with django_assert_num_queries(queries):
            assert len(work_now().jobs) == number + 1


def test_nothing_that_answers_is_an_error_within_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "CONNECT_SECONDS", 1)
    monkeypatch.setitem(app.conf, "broker_transport", "redis")
    monkeypatch.setitem(app.conf, "broker_url", "redis://127.0.0.1:1/0")
    monkeypatch.setitem(app.conf, "broker_read_url", "redis://127.0.0.1:1/0")

    assert work.broker_state().error


@pytest.fixture(scope="module", params=["folder", "Redis"])
def installation(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """An installation with a worker, whose messages go through a folder or through Redis."""
    folder = tmp_path_factory.mktemp("w")
    tables_in(folder)
    env = environment(f"sqlite:///{folder / 'precis.sqlite3'}", folder / "var")
    if request.param == "folder":
        yield from with_worker(env | {"CELERY_BROKER_URL": ""})
        return
    with own_redis(folder) as server:
        yield from with_worker(env | {"CELERY_BROKER_URL": server.url.replace("unix://", "redis+socket://")})


def with_worker(env: dict[str, str]) -> Iterator[dict[str, str]]:
    command = [sys.executable, "-m", "celery", "--quiet", "-A", "annotation", "worker", "--concurrency=1"]
    worker = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield env
    finally:
        worker.terminate()
        worker.wait(60)


def celery(env: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, "-m", "celery", "-A", "annotation", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    return done.stdout


@pytest.mark.slow
def test_the_command_and_the_tools_of_celery_see_the_worker(installation: dict[str, str]) -> None:
    def seen() -> Any:
        return json.loads(manage(installation, "show_work", "--format=json"))["broker"]["workers"]

    eventually(seen, "a worker that answers", pause=1)
    (worker,) = seen()
    assert worker["name"].startswith("celery@")
    assert worker["queues"] == ["celery"]
    assert "pong" in celery(installation, "inspect", "ping")
    assert "empty" in celery(installation, "inspect", "active")
    assert "common.run_job" in celery(installation, "inspect", "registered")
    assert "1 node online" in celery(installation, "status")

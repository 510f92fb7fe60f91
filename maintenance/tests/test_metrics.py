"""Metrics: what is counted, who may read it, and that the counts of several processes are one."""

import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from http.client import HTTPConnection
from pathlib import Path

import pytest
from django.db import DatabaseError, connection
from django.test import Client
from pytest_django.fixtures import DjangoAssertNumQueries, Settings

from common import jobs
from common.clock import database_now
from common.errors import Refused
from common.jobs import JobKind, job_run
from common.metrics_folder import metrics_folder_make, metrics_folder_remove
from common.models import Job
from common.telemetry import metrics
from compressions.models import Source
from maintenance import metrics as maintenance_metrics
from maintenance.health import readiness_forget
from maintenance.metrics import answer, known_forget
from tests.support.factories import (
    EDIT,
    editor_at_work,
    fields_of,
    make_campaign,
    make_staff,
    submission_of,
    worker_client,
)
from tests.support.processes import free_port, python, served
from tests.support.tables import tables_in

TOKEN = "a-token-of-a-test-0123456789abcdef"
SAMPLE = re.compile(r"^(\w+)(?:\{(.*)\})? (\S+)$", re.MULTILINE)


def parsed(page: str) -> dict[str, float]:
    return {name + (f"{{{labels}}}" if labels else ""): float(value) for name, labels, value in SAMPLE.findall(page)}


@pytest.fixture
def counting(settings: Settings) -> Iterator[Callable[[], dict[str, float]]]:
    """Metrics from 0; the fixture reads them as Prometheus does."""
    settings.METRICS_TOKEN = TOKEN
    metrics.cache_clear()
    known_forget()
    readiness_forget()

    def scrape() -> dict[str, float]:
        known_forget()
        reply = Client().get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})
        assert reply.status_code == 200
        assert reply.headers["Content-Type"].startswith("text/plain; version=")
        return parsed(reply.content.decode())

    yield scrape
    metrics.cache_clear()


@pytest.mark.django_db
def test_without_a_token_there_is_no_such_page() -> None:
    for headers in ({}, {"authorization": "Bearer "}, {"authorization": f"Bearer {TOKEN}"}):
        assert Client().get("/metrics", headers=headers).status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize(
    "given", ["", "Bearer", "Bearer ", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", "Bearer é"]
)
def test_only_the_token_opens_the_page(settings: Settings, given: str) -> None:
    settings.METRICS_TOKEN = TOKEN
    reply = Client().get("/metrics", headers={"authorization": given})
    assert (reply.status_code, reply.content) == (401, b"")


@pytest.mark.django_db
def test_what_participants_do_is_counted(counting: Callable[[], dict[str, float]]) -> None:
    campaign = make_campaign(sources=3, editor_tasks=3)
    client, assignment = editor_at_work(campaign)
    address = f"/work/edit/{assignment.pk}/"
    assert client.post(address, {"text": "", "log": "[]", "started_from": "empty"}).status_code == 422
    fields = fields_of(submission_of(Source.objects.get(item=assignment.item_id)))
    assert client.post(address, fields).status_code == 302

    found = counting()
    assert found['precis_submissions_total{round="edit"}'] == 1
    assert found['precis_claims_total{round="edit"}'] == 2, "the first, and the one taken along"
    assert sum(value for name, value in found.items() if name.startswith("precis_refusals_total")) == 1
    assert found['precis_http_requests_total{method="POST",status="4xx",view="compressions:task"}'] == 1
    assert found['precis_http_requests_total{method="POST",status="3xx",view="compressions:task"}'] == 1
    assert found['precis_http_request_duration_seconds_count{method="POST",view="compressions:task"}'] == 2
    assert found['precis_live_leases{round="edit"}'] == 1
    assert found['precis_live_leases{round="rate"}'] == 0


@pytest.mark.django_db
def test_labels_name_views_and_never_what_stands_in_an_address(counting: Callable[[], dict[str, float]]) -> None:
    client = Client()
    client.get("/no/such/page/5f1c0ffee/?PROLIFIC_PID=5f1c0ffee")
    client.get("/join/5f1c0ffee/?PROLIFIC_PID=5f1c0ffee")
    client.generic("5F1C0FFEE", "/login/")

    found = counting()
    assert found['precis_http_requests_total{method="GET",status="4xx",view="none"}'] == 1
    assert found['precis_http_requests_total{method="OTHER",status="4xx",view="login"}'] == 1
    assert "5f1c0ffee" not in str(found).lower()


@pytest.mark.django_db
def test_failed_logins_and_limits_are_counted(counting: Callable[[], dict[str, float]]) -> None:
    make_staff("owner")
    for _ in range(6):
        Client().post("/login/", {"username": "owner", "password": "a wrong one"})

    found = counting()
    assert found["precis_failed_logins_total"] == 5
    assert found['precis_throttled_total{limit="login-account-and-address"}'] == 1


@pytest.mark.django_db
def test_jobs_are_counted_by_how_they_end(
    counting: Callable[[], dict[str, float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(handler: Callable[..., str]) -> None:
        monkeypatch.setitem(jobs._kinds, "count", JobKind(handler, "Counting"))
        job_run(job_id=make_job("count").pk)

    def refuse(*_: object) -> str:
        raise Refused("The file is empty.")

    run(lambda *_: "Counted.")
    run(refuse)
    run(lambda *_: str(1 // 0))

    found = counting()
    for result in ("done", "refused", "failed"):
        assert found[f'precis_job_attempts_total{{kind="count",result="{result}"}}'] == 1
    assert found['precis_job_duration_seconds_count{kind="count"}'] == 3


def make_job(kind: str) -> Job:
    return Job.objects.create(campaign=make_campaign(sources=0), kind=kind, lease_ends_at=database_now())


@pytest.mark.django_db
def test_jobs_that_wait_are_read_from_the_database(counting: Callable[[], dict[str, float]]) -> None:
    make_job("release")
    Job.objects.update(created_at=database_now() - timedelta(minutes=9))

    found = counting()
    assert found['precis_unfinished_jobs{kind="release",state="queued"}'] == 1
    assert found['precis_unfinished_jobs{kind="release",state="running"}'] == 0
    assert found["precis_oldest_waiting_job_seconds"] == pytest.approx(9 * 60, abs=30)


@pytest.mark.django_db
def test_a_scrape_costs_a_fixed_number_of_queries(
    settings: Settings, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    settings.METRICS_TOKEN = TOKEN
    most = 6 if connection.vendor == "sqlite" else 9  # PostgreSQL is asked for its time
    for sources in (1, 5):
        campaign = make_campaign(sources=sources)
        worker_client(campaign, EDIT, f"ann{sources}").get("/work/")
        with django_assert_num_queries(most):
            assert maintenance_metrics.of_database() is not None


@pytest.mark.django_db
def test_without_its_database_the_page_still_answers(
    counting: Callable[[], dict[str, float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone() -> None:
        raise DatabaseError("gone")

    monkeypatch.setattr(maintenance_metrics, "database_now", gone)
    found = counting()
    assert not any(name.startswith("precis_live_leases") for name in found)
    assert found["precis_data_folder_free_bytes"] > 0
    assert found['precis_check_passed{check="database"}'] == 1


def test_a_worker_shows_its_metrics_to_whoever_has_the_token(settings: Settings) -> None:
    settings.METRICS_TOKEN = TOKEN
    heard: list[str] = []

    def ask(path: str, authorization: str) -> bytes:
        request = {"PATH_INFO": path, "HTTP_AUTHORIZATION": authorization}
        return b"".join(answer(request, lambda status, _headers: heard.append(status)))

    assert ask("/metrics", "") == ask("/", f"Bearer {TOKEN}") == b""
    assert b"precis_job_duration_seconds" in ask("/metrics", f"Bearer {TOKEN}")
    assert heard == ["401 Unauthorized", "404 Not Found", "200 OK"]


def test_the_folder_of_counts_is_private_and_those_left_behind_are_removed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("common.metrics_folder.IN_MEMORY", tmp_path)
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", "")
    left = tmp_path / f"precis-metrics-{os.getuid()}-{2**22 + 7}-abc"
    of_a_process_that_runs = tmp_path / f"precis-metrics-{os.getuid()}-{os.getppid()}-abc"
    other = tmp_path / "of-another-program"
    for folder in (left, of_a_process_that_runs, other):
        folder.mkdir()
    made = metrics_folder_make()
    assert made.stat().st_mode & 0o777 == 0o700
    assert {*tmp_path.iterdir()} == {made, of_a_process_that_runs, other}
    metrics_folder_remove()
    assert not made.exists()


GUNICORN = ("-m", "gunicorn", "annotation.wsgi", "--config", "python:annotation.gunicorn_conf", "--workers=2")
LOGINS = 'precis_http_requests_total{method="GET",status="2xx",view="login"}'


@pytest.mark.slow
def test_the_counts_of_all_processes_add_up_and_outlive_them(tmp_path: Path) -> None:
    environment = {"PRECIS_METRICS_TOKEN": TOKEN, "DJANGO_SETTINGS_MODULE": "annotation.settings"}
    tables_in(tmp_path / "data")
    with served(tmp_path / "data", (*GUNICORN, "--bind=127.0.0.1:{port}"), **environment) as server:

        def counted() -> float:
            connected = HTTPConnection("127.0.0.1", server.port, timeout=60)
            connected.request("GET", "/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
            page = connected.getresponse().read().decode()
            connected.close()
            return parsed(page).get(LOGINS, 0.0)

        for _ in range(40):
            assert server.ask("/login/").status == 200
        assert counted() == 40
        folder = next(Path("/dev/shm").glob(f"precis-metrics-{os.getuid()}-{server.process.pid}-*"))
        processes = {int(name.stem.rpartition("_")[2]) for name in folder.glob("counter_*.db")}
        os.kill(processes.pop(), signal.SIGKILL)
        until = time.monotonic() + 60
        while server.messages() == "" and time.monotonic() < until:
            time.sleep(0.1)
        for _ in range(10):
            assert server.ask("/login/").status == 200
        assert counted() == 50
    assert not folder.exists()


@pytest.mark.slow
def test_a_worker_counts_its_jobs(tmp_path: Path) -> None:
    port = free_port()
    environment = {
        "PRECIS_METRICS_TOKEN": TOKEN,
        "PRECIS_WORKER_METRICS": f"127.0.0.1:{port}",
        "DJANGO_SETTINGS_MODULE": "annotation.settings",
        "PYTHONWARNINGS": "default",
        "PYTHONPATH": ".",
    }
    tables_in(tmp_path / "data")
    run = python(tmp_path / "data", "-c", WORKER.format(port=port, token=TOKEN), **environment)
    found = parsed(run.stdout)
    assert found['precis_job_attempts_total{kind="count",result="done"}'] == 1, run.stderr
    assert found['precis_job_duration_seconds_count{kind="count"}'] == 1


WORKER = """
import threading, time, urllib.request
import django
django.setup()
from annotation.celery import app
from common.jobs import job_enqueue, job_handler
from common.models import Job
from tests.support.factories import make_campaign
@job_handler("count", label="Counting")
def count(job, progress):
    return "Counted."
job_enqueue(campaign_id=make_campaign(sources=0).pk, kind="count", parameters={{}}, user=None)
def stop_when_done():
    while not Job.objects.filter(state="done").exists():
        time.sleep(0.1)
    time.sleep(0.5)
    request = urllib.request.Request("http://127.0.0.1:{port}/metrics", headers={{"Authorization": "Bearer {token}"}})
    print(urllib.request.urlopen(request, timeout=30).read().decode(), flush=True)
    app.control.shutdown()
threading.Thread(target=stop_when_done, daemon=True).start()
app.worker_main(["--quiet", "worker", "--pool=prefork", "--concurrency=2", "--loglevel=warning"])
"""

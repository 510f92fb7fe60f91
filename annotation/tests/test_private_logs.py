"""What processes print: enough to find an error, and nothing about people."""

import logging
import socket
import sys
from pathlib import Path

import pytest
from django.core.exceptions import TooManyFieldsSent

from annotation.private_logs import PrivateFormatter
from tests.support.processes import Server, python, served

ID, TYPED, COOKIE = "5f1c0ffee-platform-id", "what-somebody-typed", "what-a-cookie-held"
PRIVATE = (ID, TYPED, COOKIE)
# A view and a job that fail, as the database does when a row breaks a constraint.
FAILING = """
import annotation.wsgi
from django.db import IntegrityError
from crowd.views import join
def fail(request, link):
    try:
        raise KeyError(request.GET.urlencode())
    except KeyError as error:
        raise IntegrityError(f"DETAIL: Key (external_id)=({request.GET.urlencode()}) already exists.") from error
join.ids_of_arrival = fail
def application(environment, start_response):
    if environment["PATH_INFO"] == "/broken/":
        raise KeyError(environment["QUERY_STRING"])  # which only gunicorn catches
    return annotation.wsgi.application(environment, start_response)
"""
LINK = """
import django
django.setup()
from tests.support.factories import make_campaign, link_of
print(link_of(make_campaign(sources=1), "edit").token)
"""
DJANGO = {"DJANGO_SETTINGS_MODULE": "annotation.settings"}
GUNICORN = (
    "-m",
    "gunicorn",
    "--config",
    "python:annotation.gunicorn_conf",
    "--bind",
    "127.0.0.1:{port}",
    "--workers=1",
)


@pytest.fixture
def token(tmp_path: Path) -> str:
    """The token of a join link in a new database."""
    assert python(tmp_path / "data", "manage.py", "migrate", "--verbosity=0").returncode == 0
    return python(tmp_path / "data", "-c", LINK, **DJANGO).stdout.strip()


def send_raw(server: Server, request: str) -> None:
    """Send something that is no request, or none that an HTTP client would send."""
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(request.encode())
        connection.settimeout(60)
        while connection.recv(65536):
            pass


def provoke(server: Server, token: str) -> None:
    """Everything that makes the server say something."""
    query = f"?PROLIFIC_PID={ID}&participant={ID}&text={TYPED}"
    cookie = f"precis_worker={COOKIE}; sessionid={COOKIE}; csrftoken={COOKIE}"
    for path in (f"/join/{token}/", "/no/such/page/", "/login/", "/work/", f"/join/{token}/more/", "/campaigns/"):
        for method in ("GET", "POST", "DELETE"):
            server.ask(
                path + query, method, f"text={TYPED}".encode(), Cookie=cookie, Referer=f"https://x.example/{query}"
            )
    server.ask(f"/join/{token}/{query}", Host="elsewhere.example", Cookie=cookie)
    server.ask("/login/", "POST", TYPED.encode(), Content_Type="multipart/form-data; boundary=" + TYPED)
    server.ask("/login/", Cookie=cookie, Origin=f"https://{ID}.example")
    server.ask(f"/broken/{query}", Cookie=cookie)
    for line in (
        f"GET /join/{token}/{query} and {ID} HTTP/1.1\r\n\r\n",
        f"GET /join/{token}/{query} HTTP/9.9\r\n\r\n",
        f"{TYPED} /\r\n\r\n",
        f"GET / HTTP/1.1\r\nHost: localhost\r\nCookie {COOKIE}\r\n\r\n",
        f"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: a\r\n {COOKIE}\r\n\r\n",
        f"POST /login/{query} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n{TYPED}\r\n",
        f"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: {TYPED}\r\n\r\n",
        f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {TYPED}\r\n\r\n",
        f"GET / HTTP/1.1\r\nHost: localhost\r\nExpect: {TYPED}\r\n\r\n",
    ):
        send_raw(server, line)


def assert_nothing_private(messages: str) -> None:
    assert [line for line in messages.splitlines() if any(each in line for each in PRIVATE)] == []


def test_the_web_server_prints_nothing_about_people(tmp_path: Path, token: str) -> None:
    (tmp_path / "failing.py").write_text(FAILING)
    command = (*GUNICORN, "--access-logfile=-", "failing:application")
    environment = {**DJANGO, "PYTHONPATH": str(tmp_path)}
    with served(tmp_path / "data", command, **environment) as server:
        provoke(server, token)
        messages = server.messages()

    assert_nothing_private(messages)
    # It does say what failed, where and why.
    for said in (f'"GET /join/{token}/" 500', f"Internal Server Error: /join/{token}/", "IntegrityError", "KeyError"):
        assert said in messages
    assert "in fail" in messages
    assert "Error handling request GET /broken/?…" in messages
    assert "Not Found: /no/such/page/" in messages
    assert "Invalid request from ip=127.0.0.1: …" in messages


JOB = """
import sys, django
django.setup()
from common.jobs import job_handler
from annotation.celery import app
@job_handler("fail", label="Failing")
def fail(job, progress):
    raise ValueError(job.parameters["text"])
if __name__ == "__main__":
    from common.jobs import job_enqueue
    from crowd.models import Campaign
    job_enqueue(campaign_id=Campaign.objects.get().pk, kind="fail", parameters={"text": sys.argv[1]}, user=None)
"""


def test_the_worker_prints_nothing_about_people(tmp_path: Path, token: str) -> None:
    (tmp_path / "failing_job.py").write_text(JOB)
    environment = {**DJANGO, "PYTHONPATH": f"{tmp_path}:."}
    sent = python(tmp_path / "data", str(tmp_path / "failing_job.py"), TYPED, **environment)
    assert sent.returncode == 0, sent.stderr
    worker = """
import threading, time
from failing_job import app
from common.models import Job
def stop_when_done():
    while not Job.objects.filter(state="failed").exists():
        time.sleep(0.1)
    app.control.shutdown()
threading.Thread(target=stop_when_done, daemon=True).start()
app.worker_main(["--quiet", "worker", "--pool=solo", "--loglevel=debug"])
"""
    # Celery warns of an account with all rights, which that of a test may be.
    run = python(tmp_path / "data", "-c", worker, **environment, PYTHONWARNINGS="default")
    assert "(fail) failed" in run.stderr
    assert "ValueError" in run.stderr
    assert_nothing_private(run.stdout + run.stderr)


def test_a_request_that_is_refused_unread_is_one_line() -> None:
    try:
        raise TooManyFieldsSent("The number of GET/POST parameters exceeded settings.DATA_UPLOAD_MAX_NUMBER_FIELDS.")
    except TooManyFieldsSent:
        record = logging.LogRecord("django", logging.ERROR, "", 1, "Bad request", (), sys.exc_info())
    assert PrivateFormatter().format(record) == "Bad request"

"""The log in both formats: enough to find an error, the request and job of each line, and nothing about people."""

import json
import logging
import re
import socket
import sys
from collections.abc import Callable
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from celery.app.task import Context
from django.core.exceptions import ImproperlyConfigured, TooManyFieldsSent
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pytest_django.fixtures import Settings

from annotation.logs import JsonFormatter, PrivateFormatter, chosen_formatter, private
from common import jobs
from common.models import Job
from common.telemetry import NO_TRACE, Trace, current_trace, sane_request_id, traced
from tests.support.addresses import addresses
from tests.support.factories import make_campaign
from tests.support.processes import Server, python, served
from tests.support.tables import tables_in

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
    tables_in(tmp_path / "data")
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
    assert token not in messages
    # It does say what failed, where and why.
    for said in ('"GET /join/…" 500', "Internal Server Error: /join/…", "IntegrityError", "KeyError"):
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


@pytest.mark.slow
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


TYPED_TEXTS = st.text(st.characters(exclude_categories=()), min_size=1).map(lambda text: f"typed\ud800{text}")
FORMATTERS = (PrivateFormatter(), JsonFormatter())


def record_of(message: str, *values: object, error: BaseException | None = None) -> logging.LogRecord:
    info = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord("django.request", logging.ERROR, "", 1, message, values, info)


@given(typed=TYPED_TEXTS)
def test_no_message_of_an_error_and_no_query_string_is_repeated(typed: str) -> None:
    secret = f"5f1c0ffee{typed}5f1c0ffee"
    try:
        try:
            raise KeyError(secret)
        except KeyError as earlier:
            raise IntegrityError(f"Key (external_id)=({secret}) already exists.") from earlier
    except IntegrityError as error:
        address = f"/join/x/?PROLIFIC_PID={quote(secret, errors='surrogatepass')}"
        record = record_of("Internal Server Error: %s", address, error=error)
    for formatter in FORMATTERS:
        line = formatter.format(record)
        assert "5f1c0ffee" not in line
        assert "IntegrityError" in line


@given(message=TYPED_TEXTS, value=TYPED_TEXTS)
def test_a_record_is_one_line_of_json_whatever_it_says(message: str, value: str) -> None:
    line = JsonFormatter().format(record_of(message.replace("%", "") + " %s", value))
    assert line.isascii()
    assert len(line.splitlines()) == 1
    assert {"time", "level", "logger", "message"} <= json.loads(line).keys()


@pytest.mark.parametrize("name", ["join", "invitation", "password-reset-confirm", "shared-file"])
def test_no_line_repeats_the_secret_of_an_address(name: str) -> None:
    for each, pattern in addresses():
        if each.rpartition(":")[2] == name:
            path = "/" + re.sub(r"<[^>]+>", "S3cret-of_this", str(pattern.pattern))
            message = f"Not Found: {path} and Forbidden ({path}): {path}"
            assert path.count("S3cret") >= 1
            assert "S3cret" not in private(message)
            assert private(message).startswith("Not Found: /")
            break
    else:
        raise AssertionError(name)
    assert private("/api/v1/campaigns/x/releases/1/files/README.md").endswith("/files/README.md")
    assert private("GET /campaigns/letters/join/") == "GET /campaigns/letters/join/"


# As links, invitations, passwords to reset and shared files have them (signed, so of several parts).
SECRETS = (
    "ov3w-Yy0Ge_VQ1hT4bKxZA",
    "n7-3cU0xkq8GJ5hV2mLr_sB9tEwXyZaP",
    "cqkb8k-0f5d8a1b2c3d4e5f60718293a4b5c6d7",
    "eyJmaWxlIjoxfQ:1uXyZa:Zk3v9-xT0bq_W5sYh2LmNcRfG7dJp1KeUaQo4iVtEyM",
)


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize(
    "address",
    [
        "/de/join/{}/",
        "/campaigns/join/{}/",
        "/JOIN/{}/",
        "/join={}",
        '/join/"{}/',
        "/join/'{}/",
        "/join/<{}/",
        "/join/ {}/",
        "/_join/{}/",
        "/de/invitations/{}",
        "/password-reset/MQ/{}/",
        "/file/{}",
    ],
)
def test_no_misspelt_address_shows_its_secret(secret: str, address: str) -> None:
    part = max(secret.split(":"), key=len)
    path = address.format(secret)
    assert part not in private(f"Not Found: {path} and Forbidden ({path}): {path}")
    assert part not in private(f"Invalid HTTP_HOST header: 'h{path}'. You may need to add 'h{path}' to ALLOWED_HOSTS.")
    assert part not in private(f"Invalid HTTP_HOST header: '{secret}'.")


@pytest.mark.parametrize(
    "message",
    [
        "The number of GET/POST parameters exceeded settings.DATA_UPLOAD_MAX_NUMBER_FIELDS.",
        "Not Found: /campaigns/some-letters-of-the-summer/the-page-of-its-questions/",
        "the counts of some-letters-of-the-summer-of-2026 could not be brought up to date",
        "rate_counts_forget_old: the database does not answer (ConnectionResetError)",
    ],
)
def test_what_is_no_secret_can_be_read(message: str) -> None:
    assert private(message) == message


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: Client().get("/no/such/page/"), "Not Found: /no/such/page/"),
        (lambda: Client().get("/api/v1/campaigns/"), "Unauthorized: /api/v1/campaigns/"),
        (
            lambda: Client().get("/login/", headers={"Host": "elsewhere.example"}),
            "Invalid HTTP_HOST header: 'elsewhere.example'.",
        ),
        (lambda: Client(enforce_csrf_checks=True).post("/login/"), "Forbidden (CSRF cookie not set.): /login/"),
        (lambda: Client().delete("/health/"), "Method Not Allowed (DELETE): /health/"),
    ],
)
def test_every_line_about_a_refused_request_has_its_id_once(ask: Callable[[], HttpResponse], said: str) -> None:
    lines: list[str] = []
    handler = logging.Handler()
    handler.setFormatter(PrivateFormatter())
    handler.emit = lambda record: lines.append(handler.format(record))  # type: ignore[method-assign]
    logging.getLogger().addHandler(handler)
    try:
        reply = ask()
    finally:
        logging.getLogger().removeHandler(handler)
    assert all(line.endswith(f"(request {reply.headers['X-Request-ID']})") for line in lines)
    assert sum(said in line for line in lines) == 1


def test_a_line_says_which_request_and_job_it_belongs_to() -> None:
    with traced(Trace("abcdef0123", 7, "release", 2)):
        line = json.loads(JsonFormatter().format(record_of("It failed.")))
        text = PrivateFormatter().format(record_of("It failed."))
    assert {name: line[name] for name in ("request", "job", "kind", "attempt")} == {
        "request": "abcdef0123",
        "job": 7,
        "kind": "release",
        "attempt": 2,
    }
    assert text == "It failed. (request abcdef0123)"
    assert PrivateFormatter().format(record_of("It failed.")) == "It failed."


def test_another_format_is_refused_by_the_name_of_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRECIS_LOG_FORMAT", "xml")
    with pytest.raises(ImproperlyConfigured, match="PRECIS_LOG_FORMAT is text or json, and not 'xml'"):
        chosen_formatter()


# Ids of requests


@pytest.mark.parametrize(
    "given_id", ["", "short", "x" * 65, "a b c d e f g h", "evil\r\nX: y", "é" * 10, "-" * 10, "١" * 10]
)
def test_what_is_no_id_is_not_taken_for_one(given_id: str) -> None:
    assert sane_request_id(given_id) == ""


@pytest.mark.django_db
def test_only_a_proxy_of_ours_names_requests(settings: Settings) -> None:
    def named(given_id: str) -> str:
        reply = Client().get("/health/live/", headers={"X-Request-ID": given_id})
        return str(reply.headers["X-Request-ID"])

    assert named("from-a-stranger-1") != "from-a-stranger-1"
    assert named("from-a-stranger-1") != named("from-a-stranger-1")
    settings.TRUSTED_PROXIES = [ip_network("127.0.0.1/32")]
    assert named("from-our-front-1") == "from-our-front-1"
    assert named("no id at all") != "no id at all"
    settings.TRUSTED_PROXIES = [ip_network("10.0.0.0/8")]
    assert named("from-a-stranger-1") != "from-a-stranger-1"
    assert current_trace() == NO_TRACE


@pytest.mark.django_db
def test_the_page_of_an_error_shows_its_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_request: HttpRequest) -> HttpResponse:
        raise ValueError("what-somebody-typed")

    monkeypatch.setattr("crowd.accounts.views.Reset.get", lambda _view, request: fail(request))
    reply = Client(raise_request_exception=False).get("/password/reset/")
    assert reply.status_code == 500
    assert f"Error reference: {reply.headers['X-Request-ID']}" in reply.content.decode()


@pytest.mark.django_db
def test_a_job_knows_the_request_that_asked_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Trace] = []

    def look(*_: object) -> str:
        seen.append(current_trace())
        return "Seen."

    monkeypatch.setitem(jobs._kinds, "look", jobs.JobKind(look, "Looking"))
    job = Job.objects.create(campaign=make_campaign(sources=0), kind="look")
    headers: dict[str, Any] = {}
    with traced(Trace("of-the-request-1")):
        jobs._name_request(headers=headers)
    jobs.run_job.request_stack.push(Context(headers))  # as a worker does with the headers of a message
    try:
        jobs.run_job.run(job.pk)
    finally:
        jobs.run_job.request_stack.pop()
    assert seen == [Trace("of-the-request-1", job.pk, "look", 1)]


@pytest.mark.slow
def test_lines_of_requests_and_errors_name_views_and_nothing_of_people(tmp_path: Path, token: str) -> None:
    (tmp_path / "failing.py").write_text(FAILING)
    environment = {**DJANGO, "PYTHONPATH": str(tmp_path), "PRECIS_LOG_FORMAT": "json", "PRECIS_LOG_REQUESTS": "1"}
    with served(tmp_path / "data", (*GUNICORN, "failing:application"), **environment) as server:
        provoke(server, token)
        messages = server.messages()

    assert_nothing_private(messages)
    lines = [json.loads(line) for line in messages.splitlines()]
    of_requests = [line for line in lines if line["logger"] == "precis.requests"]
    failed = next(line for line in of_requests if line["view"] == "crowd:join" and line["status"] == 500)
    assert failed["duration_ms"] > 0
    assert not any(token in json.dumps(line) for line in of_requests)
    error = next(line for line in lines if line["logger"] == "django.request" and line["request"] == failed["request"])
    assert (error["level"], error["view"], error["status"]) == ("ERROR", "crowd:join", 500)
    assert "in fail" in error["error"]
    assert {"gunicorn.error", "django.request", "precis.requests"} <= {line["logger"] for line in lines}


WORKER = """
import sys, threading, time
from failing_job import app, job_enqueue_named
from common.models import Job
job_enqueue_named(sys.argv[1])
def stop_when_done():
    while not Job.objects.filter(state="failed").exists():
        time.sleep(0.1)
    app.control.shutdown()
threading.Thread(target=stop_when_done, daemon=True).start()
app.worker_main(["--quiet", "worker", "--pool=prefork", "--concurrency=1", "--loglevel=warning"])
"""
NAMED_JOB = """
import django
django.setup()
from annotation.celery import app
from common.jobs import job_enqueue, job_handler
from common.telemetry import Trace, traced
from crowd.models import Campaign
@job_handler("fail", label="Failing")
def fail(job, progress):
    raise ValueError(job.parameters["text"])
def job_enqueue_named(text):
    with traced(Trace("of-the-request-1")):
        job_enqueue(campaign_id=Campaign.objects.get().pk, kind="fail", parameters={"text": text}, user=None)
"""


@pytest.mark.slow
def test_a_line_of_a_job_names_the_request_over_the_broker(tmp_path: Path, token: str) -> None:
    assert token
    (tmp_path / "failing_job.py").write_text(NAMED_JOB)
    environment = {**DJANGO, "PYTHONPATH": f"{tmp_path}:.", "PYTHONWARNINGS": "default"}
    command = ("-c", WORKER, "what-somebody-typed")
    run = python(tmp_path / "data", *command, **environment, PRECIS_LOG_FORMAT="json", PRECIS_LOG_REQUESTS="1")
    lines = [json.loads(line) for line in run.stderr.splitlines() if line.startswith("{")]
    failed = next(line for line in lines if line["level"] == "ERROR")
    assert (failed["request"], failed["kind"], failed["attempt"]) == ("of-the-request-1", "fail", 1)
    ended = next(line for line in lines if line["logger"] == "precis.jobs")
    assert (ended["request"], ended["result"]) == ("of-the-request-1", "failed")
    assert "what-somebody-typed" not in run.stderr + run.stdout

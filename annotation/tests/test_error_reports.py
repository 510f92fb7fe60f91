"""Reports of errors: what is sent of a request and of a job that fail, and that nothing is sent unasked."""

import json
from pathlib import Path

import pytest

from annotation.tests.test_logs import COOKIE, DJANGO, ID, TYPED, token  # noqa: F401 - a fixture
from tests.support.processes import python

DSN = "http://key@127.0.0.1:9/1"
# A view, a job and a message that fail with everything that must not be sent at hand.
FAILING = """
import json, sys
import django
django.setup()
import sentry_sdk
from sentry_sdk.transport import Transport
sent = []
class Kept(Transport):
    def capture_envelope(self, envelope):
        sent.append(envelope.serialize().decode())
client = sentry_sdk.get_client()
client.transport = Kept(client.options)

import logging
from io import BytesIO
from django.db import IntegrityError, connection
from django.test import RequestFactory
from django.core.handlers.wsgi import WSGIHandler
from common.jobs import job_handler, job_run
from common.models import Job
from crowd.models import Campaign
from crowd.views import join

def fail(request, link):
    typed = request.GET.urlencode()
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s", [typed])
    try:
        raise KeyError(typed)
    except KeyError as error:
        raise IntegrityError(f"Key (external_id)=({typed}) already exists.") from error
join.ids_of_arrival = fail

@job_handler("fail", label="Failing")
def fail_job(job, progress):
    typed = job.parameters["text"]
    try:
        open("/no/such/folder/of-the-system")
    except OSError as error:
        raise ValueError(typed) from error

id, typed, cookie, token = sys.argv[1:]
factory = RequestFactory(headers={
    "host": "localhost", "cookie": f"precis_worker={cookie}; sessionid={cookie}", "authorization": cookie,
    "referer": f"http://localhost/?{id}", "user-agent": typed, "X-Forwarded-For": "203.0.113.7"})
request = factory.get(f"/join/{token}/", {"PROLIFIC_PID": id, "text": typed})
status = []
b"".join(WSGIHandler()(request.environ, lambda line, headers: status.append((line, dict(headers)["X-Request-ID"]))))
job = Job.objects.create(campaign=Campaign.objects.get(), kind="fail", parameters={"text": typed, "id": id})
job_run(job_id=job.pk)
logging.getLogger("other").error("could not read %s of /join/?PROLIFIC_PID=" + id, typed)
sentry_sdk.flush()
print(json.dumps({"status": status, "job": job.pk, "sent": sent}))
"""


@pytest.mark.slow
def test_a_report_holds_where_it_failed_and_nothing_of_people(tmp_path: Path, token: str) -> None:  # noqa: F811
    command = ("-c", FAILING, ID, TYPED, COOKIE, token)
    run = python(tmp_path / "data", *command, **DJANGO, PRECIS_SENTRY_DSN=DSN, PYTHONWARNINGS="default")
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout.splitlines()[-1])
    ((line, request_id),) = found["status"]
    assert line.startswith("500")

    sent = "\n".join(found["sent"])
    for secret in (ID, TYPED, COOKIE, token, "203.0.113.7", "cookie", "PROLIFIC_PID", "external_id", "SELECT"):
        assert secret not in sent
    events = [json.loads(each.splitlines()[-1]) for each in found["sent"]]
    of_request, of_job, of_message = events
    assert [each["type"] for each in of_request["exception"]["values"]] == ["KeyError", "IntegrityError"]
    assert of_request["exception"]["values"][-1]["stacktrace"]["frames"][-1]["function"] == "fail"
    assert of_request["tags"] == {"request": request_id}
    assert [each.get("value") for each in of_job["exception"]["values"]] == [
        "[Errno 2] No such file or directory: '/no/such/folder/of-the-system'",
        None,
    ]
    assert of_job["tags"] == {"job": str(found["job"]), "kind": "fail", "attempt": "1"}
    assert of_message["message"] == "could not read %s of /join/?…"
    allowed = {"event_id", "timestamp", "level", "platform", "logger", "release", "environment", "tags", "transaction"}
    for event in events:
        assert event.keys() <= {*allowed, "exception", "message", "_meta"}
        assert event["release"].startswith("precis@")
        assert "server_name" not in event


def test_without_an_address_the_library_is_not_even_imported(tmp_path: Path) -> None:
    program = "import annotation.wsgi, sys; print([name for name in sys.modules if name.startswith('sentry')])"
    run = python(tmp_path / "data", "-c", program, **DJANGO, PYTHONWARNINGS="default")
    assert run.stdout.strip() == "[]", run.stderr


@pytest.mark.parametrize("dsn", ["yes", "https://sentry.example.org/1", "ftp://key@sentry.example.org/1"])
def test_an_address_that_is_none_is_refused_and_not_repeated(tmp_path: Path, dsn: str) -> None:
    run = python(tmp_path / "data", "-c", "import annotation.settings", **DJANGO, PRECIS_SENTRY_DSN=dsn)
    assert run.returncode != 0
    assert run.stderr.strip().endswith("PRECIS_SENTRY_DSN takes an address such as https://KEY@sentry.example.org/1.")

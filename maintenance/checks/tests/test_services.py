"""Faults of what the app works with: database, broker, worker, mail server, front, backups, files of releases."""

import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import ip_network
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from celery.worker.control import Panel
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotation.celery import app
from common.clock import database_now
from common.environment import mail_settings
from common.models import Job, PeriodicRun
from common.periodic import periodic_tasks
from crowd.models import Notice
from crowd.services.invitations import invitation_create
from maintenance.backups.nightly import BackupState
from maintenance.checks import computer, installation, postgresql, services
from maintenance.checks.services import COMMAND, installation_seen
from maintenance.checks.tests.looking import FINE, UNSEEN, WRONG, look_at
from tests.support.factories import freeze, judged_campaign, make_campaign, make_staff
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db


def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


# PostgreSQL


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The settings of a server in order, for a test to change."""
    said = {
        "server_encoding": "UTF8",
        "fsync": "on",
        "full_page_writes": "on",
        "synchronous_commit": "on",
        "log_error_verbosity": "terse",
        "max_connections": "100",
        "superuser_reserved_connections": "3",
    }
    monkeypatch.setattr(postgresql, "is_used", lambda: True)
    monkeypatch.setattr(postgresql, "shown", said.__getitem__)
    return said


@pytest.mark.parametrize(
    ("check", "change", "sentence"),
    [
        ("encoding", {"server_encoding": "SQL_ASCII"}, "stores text as SQL_ASCII"),
        ("durability", {"fsync": "off"}, "has fsync switched off: a power cut can destroy the database"),
        ("durability", {"fsync": "off", "full_page_writes": "off"}, "fsync = on and full_page_writes = on"),
        ("durability", {"synchronous_commit": "off"}, "loses work that participants were told is saved"),
        ("privacy_of_its_log", {"log_error_verbosity": "default"}, "Set it to terse in postgresql.conf"),
        ("connections", {"max_connections": "12"}, "may open 32. Set max_connections to 52 or more"),
    ],
)
def test_settings_of_postgresql(server: dict[str, str], check: str, change: dict[str, str], sentence: str) -> None:
    assert look_at(check).verdict is FINE
    server |= change
    finding = look_at(check)
    assert finding.verdict is WRONG
    assert sentence in finding.words


def test_more_processes_need_more_connections(server: dict[str, str]) -> None:
    assert look_at("connections", web_processes=18).verdict is FINE
    assert look_at("connections", web_processes=24).verdict is WRONG


@pytest.mark.both_databases
@pytest.mark.skipif(connection.vendor != "postgresql", reason="asks PostgreSQL")
def test_a_real_server_is_asked() -> None:
    assert look_at("encoding").words == "The database stores text as UTF8."
    assert look_at("privacy_of_its_log").verdict is WRONG
    off = postgresql.shown("fsync") == "off"
    assert (look_at("durability").verdict is WRONG) == off
    assert look_at("clocks_agree").verdict is FINE
    assert "PostgreSQL is" in look_at("database_version").words


# Clock and migrations


@pytest.mark.parametrize(("seconds", "verdict"), [(-90, WRONG), (90, WRONG), (1, FINE), (-1, FINE)])
def test_a_clock_that_is_wrong(monkeypatch: pytest.MonkeyPatch, seconds: int, verdict: object) -> None:
    monkeypatch.setattr(services, "connection", SimpleNamespace(vendor="postgresql"))
    monkeypatch.setattr(services, "database_clock", lambda: timezone.now() + timedelta(seconds=seconds))
    finding = look_at("clocks_agree")
    assert finding.verdict is verdict
    assert ("90 seconds apart. Let both follow a time server" in finding.words) == (verdict is WRONG)


@pytest.mark.both_databases
def test_pending_migrations() -> None:
    assert look_at("pending_migrations").verdict is FINE
    applied = MigrationRecorder(connection).migration_qs
    applied.filter(app="edit_operations").latest("name").delete()
    assert "Migrations are pending: 1. Make a backup" in look_at("pending_migrations").words
    MigrationRecorder(connection).record_applied("crowd", "0999_of_tomorrow")
    assert "was made by another version of Précis" in look_at("pending_migrations").words


# Broker and worker


def test_a_broker_that_is_away(settings: Settings) -> None:
    settings.CELERY_BROKER_URL = f"redis://127.0.0.1:{closed_port()}/0"
    assert "that CELERY_BROKER_URL names does not answer" in look_at("broker_is_there").words
    assert look_at("workers_listen").verdict is UNSEEN


def test_a_folder_of_messages_that_cannot_be_written(settings: Settings, tmp_path: Path) -> None:
    assert look_at("workers_listen").verdict is UNSEEN
    blocked = tmp_path / "messages"
    blocked.write_text("a file is no folder")
    options = {"data_folder_in": str(blocked), "data_folder_out": str(blocked)}
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = options
    assert f"Nothing can be written to {blocked}" in look_at("broker_is_there").words


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, object]]:
    """What workers answer, by their names."""
    answers: dict[str, dict[str, object]] = {}
    monkeypatch.setattr(services, "is_folder", lambda: False)
    monkeypatch.setattr(services, "broker_answers", lambda: True)
    monkeypatch.setattr(services, "answers_of_workers", lambda: answers)
    return answers


def test_no_worker_listens(asked: dict[str, dict[str, object]]) -> None:
    assert "No worker listens, so no job begins. Start one" in look_at("workers_listen").words


def test_a_worker_that_sees_another_installation(asked: dict[str, dict[str, object]]) -> None:
    asked["celery@a"] = dict(installation_seen())
    assert look_at("workers_listen").words == "1 workers listen and see what this process sees."
    asked["celery@b"] = {**installation_seen(), "database": "another"}
    assert "The worker celery@b has a different database from this process" in look_at("workers_listen").words


def test_what_a_worker_answers_tells_no_secret(settings: Settings) -> None:
    seen = installation_seen()
    assert all(len(value) == 12 for value in seen.values())
    before = seen["secret"]
    settings.SECRET_KEY = "another" * 10
    assert installation_seen()["secret"] != before


def test_a_worker_knows_what_it_is_asked() -> None:
    app.loader.import_default_modules()  # as a worker does at its start
    assert Panel.data[COMMAND](None) == installation_seen()


# Jobs


def job(**values: object) -> Job:
    return Job.objects.create(campaign=make_campaign(), kind="apply_quality", **values)


@pytest.mark.both_databases
def test_jobs_in_order() -> None:
    job(state="done", finished_at=database_now())
    assert [look_at(name).verdict for name in ("waiting_jobs", "lost_jobs", "failed_jobs")] == [FINE, FINE, FINE]


def test_a_job_that_waits_too_long() -> None:
    waiting = job(state="queued")
    assert look_at("waiting_jobs").verdict is FINE
    Job.objects.filter(pk=waiting.pk).update(created_at=database_now() - timedelta(minutes=40))
    assert "A job has waited for 40 minutes" in look_at("waiting_jobs").words


def test_a_job_that_lost_its_worker() -> None:
    job(state="running", lease_ends_at=database_now() - timedelta(minutes=10))
    assert "1 running jobs have lost their worker" in look_at("lost_jobs").words


def test_jobs_that_failed_lately() -> None:
    job(state="failed", finished_at=database_now() - timedelta(days=3))
    assert look_at("failed_jobs").verdict is FINE
    job(state="failed", finished_at=database_now())
    assert "Jobs failed within the last day: apply_quality (1)" in look_at("failed_jobs").words


def test_a_scheduler_that_never_began() -> None:
    migrations = MigrationRecorder.Migration.objects
    migrations.update(applied=database_now())
    assert look_at("periodic_work").verdict is UNSEEN
    migrations.update(applied=database_now() - timedelta(days=3))
    migrations.filter(app="crowd").update(applied=database_now() - timedelta(minutes=5))  # the last upgrade
    assert look_at("periodic_work").verdict is UNSEEN
    migrations.update(applied=database_now() - timedelta(minutes=6))
    assert "not done when it was due: jobs_requeue for 6 minutes" in look_at("periodic_work").words


def test_a_task_that_fails_while_others_go_on() -> None:
    MigrationRecorder.Migration.objects.update(applied=database_now() - timedelta(days=3))
    now = database_now()
    PeriodicRun.objects.bulk_create(PeriodicRun(name=task.__name__, done_at=now) for _, task in periodic_tasks())
    assert look_at("periodic_work").verdict is FINE
    # Each by its own interval, of 5 minutes and of an hour.
    PeriodicRun.objects.filter(name__in=["notices_send", "jobs_forget_old"]).update(done_at=now - timedelta(minutes=20))
    assert "it was due: notices_send for 20 minutes. Mails" in look_at("periodic_work").words
    PeriodicRun.objects.filter(name="notices_send").delete()  # never done
    assert "it was due: notices_send for 4320 minutes. Mails" in look_at("periodic_work").words


def test_mails_that_wait() -> None:
    assert look_at("mails_and_webhooks_leave").verdict is FINE
    since = database_now() - timedelta(minutes=40)
    campaign = make_campaign()
    Notice.objects.create(campaign=campaign, kind=Notice.Kind.ROUND, key="edit", words="Done.", created_at=since)
    assert "a mail for 40 minutes" in look_at("mails_and_webhooks_leave").words


def test_an_account_near_a_bound_is_named(settings: Settings) -> None:
    settings.INVITATIONS_PER_DAY = 5
    owner = make_staff()
    campaign = make_campaign(owner=owner)
    assert look_at("accounts_within_bounds").verdict is FINE
    for _ in range(4):
        invitation_create(campaign=campaign, role="viewer", days=7, user=owner)
    assert f"{owner.username}: invitations within a day 4 of 5." in look_at("accounts_within_bounds").words


# Mail


class MailServer(socketserver.StreamRequestHandler):
    """Takes connections, and no password; whatever a mail would need is refused."""

    takes_login = False

    def handle(self) -> None:
        self.wfile.write(b"220 mail\r\n")
        for line in self.rfile:
            word = line.split()[0].upper() if line.split() else b""
            if word == b"EHLO":
                self.wfile.write(b"250-mail\r\n250 AUTH PLAIN\r\n")
            elif word == b"AUTH":
                self.wfile.write(b"235 in\r\n" if self.takes_login else b"535 no\r\n")
            elif word == b"QUIT":
                self.wfile.write(b"221 bye\r\n")
                return
            else:
                self.wfile.write(b"550 no mails here\r\n")


@contextmanager
def mail_server(*, takes_login: bool) -> Iterator[int]:
    handler = type("Handler", (MailServer,), {"takes_login": takes_login})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def send_by(settings: Settings, url: str) -> None:
    for name, value in mail_settings(url, "precis@example.org").items():
        setattr(settings, name, value)
    settings.SENDS_MAIL = True


def test_a_mail_server_that_is_in_order_or_refuses_the_login(settings: Settings) -> None:
    assert "No mail server is set" in look_at("mail_server").words
    with mail_server(takes_login=True) as port:
        send_by(settings, f"smtp+plain://ann:secret@127.0.0.1:{port}")
        assert look_at("mail_server").words.endswith("takes connections and the login.")
    with mail_server(takes_login=False) as port:
        send_by(settings, f"smtp+plain://ann:secret@127.0.0.1:{port}")
        finding = look_at("mail_server")
    assert "refuses the user or the password in PRECIS_EMAIL_URL" in finding.words
    assert "secret" not in finding.words


def test_a_mail_server_that_is_away_or_speaks_no_tls(settings: Settings) -> None:
    send_by(settings, f"smtp+plain://127.0.0.1:{closed_port()}")
    assert "does not take connections (ConnectionRefusedError)" in look_at("mail_server").words
    with mail_server(takes_login=True) as port:
        send_by(settings, f"smtps://127.0.0.1:{port}")
        assert "does not speak TLS as PRECIS_EMAIL_URL says" in look_at("mail_server").words


# The front


class Front(BaseHTTPRequestHandler):
    status, location = 200, ""

    def do_GET(self) -> None:
        self.send_response(self.status)
        if self.location:
            self.send_header("Location", self.location)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.parametrize(
    ("status", "location", "sentence"),
    [
        (301, "https://127.0.0.1/health/", "the app does not see that requests come by HTTPS"),
        (400, "", "is refused: add its host to ALLOWED_HOSTS"),
        (502, "", "/health/ answers with 502"),
        (200, "", "answers, and the app sees HTTPS"),
    ],
)
def test_what_the_front_says(status: int, location: str, sentence: str) -> None:
    handler = type("Handler", (Front,), {"status": status, "location": location})
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        finding = look_at("https_is_seen", url=f"http://127.0.0.1:{server.server_address[1]}")
        server.shutdown()
    assert sentence in finding.words
    assert finding.verdict is (FINE if status == 200 else WRONG)


def test_a_front_that_does_not_answer_here(settings: Settings) -> None:
    assert look_at("https_is_seen", url=f"http://127.0.0.1:{closed_port()}").verdict is UNSEEN
    settings.PUBLIC, settings.ALLOWED_HOSTS = True, [".example.org"]
    assert "--url" in look_at("https_is_seen").words


def test_origins_proxies_and_secret(settings: Settings) -> None:
    assert [look_at(name).verdict for name in ("origins_are_hosts", "trusted_proxies", "secret")] == [FINE, FINE, FINE]
    settings.PUBLIC = True
    assert "PRECIS_TRUSTED_PROXIES is empty" in look_at("trusted_proxies").words
    settings.TRUSTED_PROXIES = [ip_network("0.0.0.0/0")]
    assert "everyone may claim any address" in look_at("trusted_proxies").words
    settings.TRUSTED_PROXIES = [ip_network("127.0.0.1")]
    assert look_at("trusted_proxies").verdict is FINE
    settings.CSRF_TRUSTED_ORIGINS = ["https://elsewhere.example.net"]
    assert "has https://elsewhere.example.net, which ALLOWED_HOSTS does not" in look_at("origins_are_hosts").words
    settings.ALLOWED_HOSTS = [".example.net"]
    assert look_at("origins_are_hosts").verdict is FINE
    settings.PUBLIC = False
    assert "ALLOWED_HOSTS is not" in look_at("origins_are_hosts").words
    settings.SECRET_KEY = "short"
    assert "fewer than 50 characters" in look_at("secret").words


# Backups


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"archive": "", "error": "the disk is full"}, "no complete backup yet: the disk is full."),
        ({"hours": 50}, "is 50 hours old. Check that a worker runs"),
        ({"hours": 50, "error": "no space"}, "is 50 hours old. The last attempt failed: no space."),
        ({"is_verified": False}, "is not verified"),
        ({"problems": ("releases/a.zip",)}, "damaged or missing when b.tar was made, such as releases/a.zip"),
        ({"error": "no space"}, "The last attempt at a backup failed: no space."),
    ],
)
def test_backups_that_are_not_in_order(changes: dict[str, Any], sentence: str) -> None:
    assert installation.backup_judged(state()).verdict is FINE
    finding = installation.backup_judged(state(**changes))
    assert finding.verdict is WRONG
    assert sentence in finding.words


def state(*, hours: int = 2, archive: str = "b.tar", **values: Any) -> BackupState:
    finished = timezone.now() - timedelta(hours=hours)
    return BackupState(**{"archive": archive, "finished_at": finished, "is_verified": True, **values})


def test_where_no_backups_are_made(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "newest_backup", lambda: None)
    assert look_at("newest").verdict is UNSEEN
    settings.PUBLIC = True
    assert "No nightly backups are made. Set PRECIS_BACKUP_DIR" in look_at("newest").words


# Parser


def test_a_parser_for_a_language_that_no_campaign_has(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    make_campaign(language="de")
    settings.SPACY_MODEL = "en_core_web_sm"
    monkeypatch.setattr(computer, "model_is_for", lambda name, language: language == name[:2])
    assert "is not for the language of any campaign (de)" in look_at("parser_is_of_use").words
    make_campaign(language="en")
    assert look_at("parser_is_of_use").words == "The parser en_core_web_sm is for texts in en."


# Releases


def test_files_of_releases() -> None:
    assert "no releases yet" in look_at("release_files").words
    release = freeze(judged_campaign())
    assert look_at("release_files").verdict is FINE
    assert look_at("release_files", all_files=True).verdict is FINE
    file = release_folder(release) / "corpus.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole[:-1] + b"x")
    assert look_at("release_files").verdict is FINE  # looks at sizes only
    assert "corpus.jsonl" in look_at("release_files", all_files=True).words
    assert "a different checksum from when it was frozen" in look_at("release_files", all_files=True).words
    file.write_bytes(whole + b"x")
    assert f"has {len(whole) + 1} bytes instead of {len(whole)}" in look_at("release_files").words
    file.unlink()
    assert "corpus.jsonl of" in look_at("release_files").words
    assert "is missing. Restore it from a backup" in look_at("release_files").words

"""What the app works with: the database and its tables, its clock, the broker and its workers, the mail server."""

import hashlib
import smtplib
import ssl
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from celery import current_app
from celery.worker.control import inspect_command
from django.conf import settings
from django.core.mail import get_connection
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from maintenance.checks.questions import broker_answers, database_answers
from maintenance.checks.registry import Finding, Look, check, fine, unseen, wrong
from maintenance.migration_guard import is_of_another_version

COMMAND = "precis_installation"


def installation_seen() -> dict[str, str]:
    """Return a mark for each thing that all processes of an installation share. None can be read back."""
    database = connection.settings_dict
    names = [str(database[name]) for name in ("ENGINE", "HOST", "PORT", "NAME")]
    return {
        "database": _mark(*names),
        "secret": _mark(settings.SECRET_KEY),
        "data folder": _mark(str(_inode(settings.DATA_DIR))),
        "version": code_version(),
    }


def code_version() -> str:
    """Return a mark of the migrations that the code has: they differ where two versions cannot share a database."""
    found = sorted(str(path.relative_to(settings.BASE_DIR)) for path in settings.BASE_DIR.glob("*/migrations/0*.py"))
    try:
        django = version("django")
    except PackageNotFoundError:
        django = ""
    return _mark(django, *found)


def _inode(folder: Path) -> int:
    return folder.stat().st_ino


def _mark(*values: str) -> str:
    return hashlib.sha256("\0".join(values).encode()).hexdigest()[:12]


@inspect_command(name=COMMAND)
def answer_for_this_worker(_state: Any) -> dict[str, str]:
    return installation_seen()


@check("migrations", seconds=20, asks_database=True)
def pending_migrations(_look: Look) -> Finding:
    if is_of_another_version(connection):
        return wrong(
            "The database was made by another version of Précis, and has migrations that this one does not know. "
            "Run the version that made it, or restore a backup of this version's database."
        )
    executor = MigrationExecutor(connection)
    pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if pending:
        return wrong(
            f"Migrations are pending: {len(pending)}. Make a backup, see manage.py upgrade_plan for what each needs, "
            "and run manage.py migrate."
        )
    return fine("All migrations are applied.")


SECONDS = 8


@check("mail", seconds=3 * SECONDS)
def mail_server(_look: Look) -> Finding:
    if not settings.SENDS_MAIL:
        return fine("No mail server is set (PRECIS_EMAIL_URL): invitations are links, and nobody gets mails.")
    where = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    connected = get_connection(timeout=SECONDS)
    try:
        connected.open()
    except smtplib.SMTPAuthenticationError:
        return wrong(f"The mail server {where} refuses the user or the password in PRECIS_EMAIL_URL. Correct them.")
    except ssl.SSLError as error:
        return wrong(
            f"The mail server {where} does not speak TLS as PRECIS_EMAIL_URL says ({error.reason or 'no reason'}). "
            "Use smtps:// for TLS from the start, and smtp:// for STARTTLS."
        )
    except (TimeoutError, OSError, smtplib.SMTPException) as error:
        return wrong(
            f"The mail server {where} does not take connections ({type(error).__name__}). Check the name and port in "
            "PRECIS_EMAIL_URL, and whether a firewall closes that port."
        )
    finally:
        connected.close()
    return fine(f"The mail server {where} takes connections{' and the login' if settings.EMAIL_HOST_USER else ''}.")


TOLERATED_SECONDS = 2.0


def database_clock() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        found: datetime = cursor.fetchone()[0]
    return found


@check("clock", asks_database=True)
def clocks_agree(_look: Look) -> Finding:
    if connection.vendor != "postgresql":
        return fine("The database has the clock of this computer.")
    before, found, after = timezone.now(), database_clock(), timezone.now()
    apart = max((before - found).total_seconds(), (found - after).total_seconds(), 0.0)
    if apart > TOLERATED_SECONDS:
        return wrong(
            f"The clocks of the database and of this computer are {apart:.0f} seconds apart. "
            "Let both follow a time server, for instance with systemd-timesyncd or chrony."
        )
    return fine("The clocks of the database and of this computer agree.")


ANSWER_SECONDS = 3.0


def is_folder() -> bool:
    return str(settings.CELERY_BROKER_URL).startswith("filesystem:")


@check("broker")
def broker_is_there(_look: Look) -> Finding:
    if broker_answers():
        return fine("The broker takes messages.")
    if is_folder():
        folder = settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"]
        return wrong(f"Nothing can be written to {folder}, through which jobs are announced. Give it to this account.")
    return wrong(
        "The broker that CELERY_BROKER_URL names does not answer, so no job begins. "
        "Start it (Redis: systemctl start redis-server), or correct the address."
    )


def answers_of_workers() -> dict[str, dict[str, Any]]:
    """Ask all workers what they see, and return their answers by name."""
    with current_app.connection_for_write(connect_timeout=ANSWER_SECONDS) as connected:
        inspect = current_app.control.inspect(timeout=ANSWER_SECONDS, connection=connected)
        found = inspect._request(COMMAND)
    return found if isinstance(found, dict) else {}


@check("broker", seconds=15)
def workers_listen(_look: Look) -> Finding:
    """The question is a message that workers answer; it starts no job and stays nowhere."""
    if is_folder():
        return unseen("workers cannot be asked where a folder is the broker; the checks of jobs show if none listens.")
    if not broker_answers():
        return unseen("workers cannot be asked while the broker does not answer.")
    answers = answers_of_workers()
    if not answers:
        return wrong(
            "No worker listens, so no job begins. Start one: systemctl start precis-worker@1, or docker compose up -d "
            "worker. If one runs, it has a different CELERY_BROKER_URL."
        )
    return compared(installation_seen(), answers)


def compared(own: dict[str, str], answers: dict[str, dict[str, Any]]) -> Finding:
    """Compare what this process sees with what the workers do: the same database, files, secret and version."""
    for worker, answer in sorted(answers.items()):
        others = [name for name, value in own.items() if answer.get(name) != value]
        if others:
            return wrong(
                f"The worker {worker} has a different {' and '.join(others)} from this process. Start web server and "
                "worker with the same environment and code, and the same data folder."
            )
    return fine(f"{len(answers)} workers listen and see what this process sees.")


MOUNTS = Path("/proc/self/mounts")
NETWORK = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse.sshfs", "9p", "ceph", "glusterfs", "fuse.glusterfs", "afs"}


@check("database")
def database_is_there(_look: Look) -> Finding:
    name = connection.settings_dict["NAME"]
    if database_answers():
        return fine(f"The database {name} answers.")
    return wrong(
        f"The database {name} does not answer. Check that its server runs and that DATABASE_URL leads to it: "
        "manage.py migrate --check shows the message of the server."
    )


@check("database")
def sqlite_is_local(_look: Look) -> Finding:
    if connection.vendor != "sqlite":
        return fine("The database is not a file on this computer.")
    path = Path(connection.settings_dict["NAME"]).resolve()
    kind = file_system_of(path)
    if kind is None:
        return unseen("this system does not list its file systems in /proc/self/mounts.")
    if kind in NETWORK:
        return wrong(
            f"The SQLite database {path} lies on a network file system ({kind}), whose locks can fail and damage it. "
            f"Move {settings.DATA_DIR} to a disk of this computer, or use PostgreSQL."
        )
    return fine(f"The SQLite database lies on a file system of this computer ({kind}).")


def file_system_of(path: Path) -> str | None:
    """Return the kind of file system that a path lies on: that of the longest folder that is mounted above it."""
    try:
        lines = MOUNTS.read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    found = [(line.split()[1].replace("\\040", " "), line.split()[2]) for line in lines]
    above = [(folder, kind) for folder, kind in found if path.is_relative_to(folder)]
    return max(above, key=lambda each: len(each[0]))[1] if above else None

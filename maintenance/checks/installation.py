"""What this installation holds and says of itself: its address, its jobs, its backups, the files of its releases."""

import hashlib
from datetime import timedelta
from http.client import HTTPConnection, HTTPSConnection
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Count
from django.utils import timezone

from common.clock import database_now
from common.environment import SECRET_LENGTH
from common.errors import FilesAway
from common.models import Job
from common.stores import store
from corpus.models import Release, ReleaseFile
from crowd.services.account_bounds import accounts_near_bounds
from maintenance.backups.nightly import OLDEST, BackupState, newest_backup
from maintenance.checks.questions import (
    late_periodic_work,
    oldest_waiting_job_seconds,
    oldest_waiting_mail_seconds,
    oldest_waiting_webhook_seconds,
)
from maintenance.checks.registry import Finding, Look, check, fine, unseen, wrong
from ratings.models import KeptWork
from ratings.selectors.visit_work import people_kept_wrongly

LOCAL = "The installation is local (ALLOWED_HOSTS is empty)."
SECONDS = 8.0
NAMED = 5
LATE_SECONDS = 1800.0


@check("public")
def origins_are_hosts(_look: Look) -> Finding:
    strange = [
        origin
        for origin in settings.CSRF_TRUSTED_ORIGINS
        if not is_allowed(urlsplit(origin).hostname or "", settings.ALLOWED_HOSTS)
    ]
    if strange:
        return wrong(
            f"CSRF_TRUSTED_ORIGINS has {strange[0]}, which ALLOWED_HOSTS does not: forms sent from another site would "
            "be accepted. Remove it, or add the host to ALLOWED_HOSTS."
        )
    if settings.CSRF_TRUSTED_ORIGINS and not settings.PUBLIC:
        return wrong("CSRF_TRUSTED_ORIGINS is set and ALLOWED_HOSTS is not: nobody can come by these addresses.")
    return fine("All origins of forms are hosts of the installation.")


def is_allowed(host: str, allowed: list[str]) -> bool:
    return any(host == each or (each.startswith(".") and host.endswith(each)) for each in allowed)


@check("public")
def secret(_look: Look) -> Finding:
    if len(settings.SECRET_KEY) < SECRET_LENGTH:
        return wrong(
            f"SECRET_KEY has fewer than {SECRET_LENGTH} characters. "
            "Make one with python3 -c 'import secrets; print(secrets.token_urlsafe(64))'; links to files end with it."
        )
    return fine("The secret is long enough.")


@check("public")
def trusted_proxies(_look: Look) -> Finding:
    if not settings.PUBLIC:
        return fine(LOCAL)
    if not settings.TRUSTED_PROXIES:
        return wrong(
            "PRECIS_TRUSTED_PROXIES is empty: all people who come through the front have its address, and share one "
            "limit of logins and of joining. Set it to the front's address, such as 127.0.0.1."
        )
    everyone = [network for network in settings.TRUSTED_PROXIES if network.prefixlen == 0]
    if everyone:
        return wrong(
            f"PRECIS_TRUSTED_PROXIES has {everyone[0]}, so everyone may claim any address. Name the front's only."
        )
    return fine("The front is named in PRECIS_TRUSTED_PROXIES.")


@check("public", seconds=3 * SECONDS)
def https_is_seen(look: Look) -> Finding:
    """Ask for the health check as anyone could, from this computer."""
    if not settings.PUBLIC and not look.url:
        return fine(LOCAL)
    named = [host for host in settings.ALLOWED_HOSTS if host not in settings.LOCAL_HOSTS and host[:1] != "."]
    if not named and not look.url:
        return unseen("no host has a name of its own; give the address with --url.")
    address = look.url or f"https://{named[0]}"
    try:
        status, location = asked(f"{address.rstrip('/')}/health/")
    except OSError as error:
        return unseen(f"{address} does not answer this computer ({type(error).__name__}).")
    return front_judged(address, status, location)


def front_judged(address: str, status: int, location: str) -> Finding:
    """Say what an answer to the health check means."""
    if status in {301, 302, 307, 308} and urlsplit(location).path == "/health/":
        return wrong(
            f"{address} redirects to itself: the app does not see that requests come by HTTPS. Let the front set "
            "X-Forwarded-Proto to https, as deploy/Caddyfile does."
        )
    if status == 400:
        return wrong(f"{address} is refused: add its host to ALLOWED_HOSTS.")
    if status != 200:
        return wrong(f"{address}/health/ answers with {status}. Look at the messages of the web server and the front.")
    return fine(f"{address} answers, and the app sees HTTPS.")


def asked(address: str) -> tuple[int, str]:
    """Return the status and the address that is redirected to; no redirect is followed."""
    parts = urlsplit(address)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connected = kind(parts.netloc, timeout=SECONDS)
    try:
        connected.request("GET", parts.path)
        answer = connected.getresponse()
        return answer.status, answer.getheader("Location", "")
    finally:
        connected.close()


WAITING_MINUTES = 5
FAILED_SINCE = timedelta(days=1)
LOST_SINCE = timedelta(minutes=2)  # every worker looks for lost jobs more often than that


@check("jobs", asks_database=True)
def waiting_jobs(_look: Look) -> Finding:
    seconds = oldest_waiting_job_seconds()
    if seconds is None:
        return fine("No job waits.")
    if seconds > WAITING_MINUTES * 60:
        return wrong(
            f"A job has waited for {seconds / 60:.0f} minutes. If other jobs are running, wait or start more workers; "
            "if none is, start a worker (systemctl start precis-worker@1) and look at its messages."
        )
    return fine(f"The job that has waited longest has waited for {seconds:.0f} seconds.")


@check("jobs", asks_database=True)
def lost_jobs(_look: Look) -> Finding:
    lost = Job.objects.filter(state=Job.State.RUNNING, lease_ends_at__lt=database_now() - LOST_SINCE).count()
    if lost:
        return wrong(
            f"{lost} running jobs have lost their worker, and no other one has taken them over. "
            "Start a worker: it looks for such jobs every 15 seconds."
        )
    return fine("No running job has lost its worker.")


@check("jobs", asks_database=True)
def periodic_work(_look: Look) -> Finding:
    late = late_periodic_work()
    if late is None:
        return unseen("no periodic work was ever done here; start a worker, or manage.py beat where PRECIS_BEAT=1.")
    if late:
        first = sorted(late, key=lambda name: late[name], reverse=True)[:NAMED]
        named = ", ".join(f"{name} for {late[name] / 60:.0f} minutes" for name in first)
        more = f", and {len(late) - NAMED} more" if len(late) > NAMED else ""
        return wrong(
            f"Periodic work was not done when it was due: {named}{more}. Mails, webhooks, lost jobs and backups may "
            "wait. Start a worker, or manage.py beat where PRECIS_BEAT=1; if it runs, its log says what fails."
        )
    return fine("All periodic work was done when it was due.")


@check("mail", asks_database=True)
def mails_and_webhooks_leave(_look: Look) -> Finding:
    waiting = {"mail": oldest_waiting_mail_seconds(), "call of a webhook": oldest_waiting_webhook_seconds()}
    late = [f"a {what} for {ago / 60:.0f} minutes" for what, ago in waiting.items() if ago and ago > LATE_SECONDS]
    if late:
        return wrong(f"Waiting to be sent: {' and '.join(late)}. Look at the messages of the worker, or of beat.")
    return fine("No mail and no webhook has waited for long.")


@check("accounts", asks_database=True)
def accounts_within_bounds(_look: Look) -> Finding:
    near = [
        f"{user.get_username()}: {bound.words} {bound.has} of {bound.most}" for user, bound in accounts_near_bounds()
    ]
    if near:
        more = f", and {len(near) - NAMED} more" if len(near) > NAMED else ""
        return wrong(
            f"Near the bound of an account: {'; '.join(near[:NAMED])}{more}. Ask them, or raise the bound "
            "(docs/settings.md)."
        )
    return fine("No account is near what it may begin in a day.")


@check("jobs", asks_database=True)
def failed_jobs(_look: Look) -> Finding:
    failed = Job.objects.filter(state=Job.State.FAILED, finished_at__gte=database_now() - FAILED_SINCE)
    kinds = list(failed.values_list("kind").annotate(number=Count("pk")).order_by("kind"))
    if kinds:
        listed = ", ".join(f"{kind} ({number})" for kind, number in kinds)
        return wrong(
            f"Jobs failed within the last day: {listed}. The pages of their campaigns say why, and start them again."
        )
    return fine("No job has failed within the last day.")


@check("backups")
def newest(_look: Look) -> Finding:
    state = newest_backup()
    if state is None and settings.PUBLIC:
        return wrong(
            "No nightly backups are made. Set PRECIS_BACKUP_DIR to a folder on another disk; if backups are made "
            "otherwise, this check cannot see them."
        )
    if state is None:
        return unseen("no nightly backups are set (PRECIS_BACKUP_DIR); others cannot be seen from here.")
    return backup_judged(state)


def backup_judged(state: BackupState) -> Finding:
    """Say what is wrong with the newest backup: the worst first."""
    if state.finished_at is None or not state.archive:
        why = f": {state.error}" if state.error else ""
        return wrong(f"There is no complete backup yet{why}. Run manage.py backup, and look at what it says.")
    hours = (timezone.now() - state.finished_at).total_seconds() / 3600
    if hours > OLDEST.total_seconds() / 3600:
        return wrong(
            f"The newest backup, {state.archive}, is {hours:.0f} hours old. {said(state)}"
            "Check that a worker runs, or manage.py beat where PRECIS_BEAT=1: it makes them."
        )
    if not state.is_verified:
        return wrong(f"The newest backup, {state.archive}, is not verified. {said(state)}Make another one.")
    if state.problems:
        return wrong(
            f"Files were damaged or missing when {state.archive} was made, such as {state.problems[0]}. "
            "Restore them from an older backup."
        )
    if state.error:
        return wrong(f"The last attempt at a backup failed: {state.error}. The newest one is {hours:.0f} hours old.")
    return fine(f"The newest backup, {state.archive}, is {hours:.0f} hours old and verified.")


def said(state: BackupState) -> str:
    return f"The last attempt failed: {state.error}. " if state.error else ""


@check("database", asks_database=True)
def kept_work(_look: Look) -> Finding:
    """Compare what is kept of some people's work, for pages of pay and lists of people, with their work."""
    for kept in KeptWork.objects.select_related("campaign").order_by("pk"):
        if people := people_kept_wrongly(kept):
            return wrong(
                f"What is kept of the work in {kept.campaign.slug} is wrong for {len(people)} participants at least, "
                "and so is what the pages of pay and of participants say. Report it. After manage.py shell -c "
                "'from ratings.models import KeptWork; KeptWork.objects.all().delete()' all is counted anew."
            )
    return fine("What is kept of participants' work agrees with their work.")


SAMPLE = 5
RESTORE = "Restore it from a backup: the database promises it to whoever downloads the release."
REACH = "See that its server answers, and check PRECIS_S3_BUCKET, PRECIS_S3_ENDPOINT and the key."
OPEN = "See that the disk is in order and the account that runs Précis may read the data folder."


@check("releases", seconds=3600, asks_database=True)
def release_files(look: Look) -> Finding:
    ready = Release.objects.filter(state=Release.State.READY).select_related("campaign").order_by("-pk")
    chosen = list(ready if look.all_files else ready[:SAMPLE])
    if not chosen:
        return fine("There are no releases yet.")
    number = 0
    for file in ReleaseFile.objects.filter(release__in=chosen).select_related("release__campaign").order_by("pk"):
        try:
            problem = fault(file, checksum=look.all_files)
        except FilesAway as away:
            return wrong(f"The files of releases cannot be reached, and may all be there: {away.reason}. {REACH}")
        except OSError as error:
            return wrong(f"{file.name} of {file.release.name} cannot be read ({error.strerror}). {OPEN}")
        if problem:
            return wrong(f"{file.name} of {file.release.name} {problem}. {RESTORE}")
        number += 1
    how = "have the right checksums" if look.all_files else "are there and have the right size"
    which = "all" if look.all_files else f"the newest {len(chosen)}"
    return fine(f"The {number} files of {which} releases {how}.")


def fault(file: ReleaseFile, *, checksum: bool) -> str:
    """Return what is wrong with a file, in the predicate of a sentence; nothing if it is as its release says."""
    name = f"{file.release.folder}/{file.name}"
    try:
        size = store("releases").size(name)
        if size != file.size:
            return f"has {size} bytes instead of {file.size}"
        if checksum and digest_of(name, size) != file.sha256:
            return "has a different checksum from when it was frozen"
    except FileNotFoundError:
        return "is missing"
    return ""


def digest_of(name: str, size: int) -> str:
    digest = hashlib.sha256()
    for piece in store("releases").pieces(name, range(size)):
        digest.update(piece)
    return digest.hexdigest()

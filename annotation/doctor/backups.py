"""Whether there is a backup of last night, and whether it was verified."""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from annotation.backups.state import BackupState, newest_backup
from annotation.doctor.registry import Finding, Look, check, fine, unseen, wrong

OLDEST = timedelta(hours=36)


@check()
def newest(_look: Look) -> Finding:
    state = newest_backup()
    if state is None and settings.PUBLIC:
        return wrong(
            "No nightly backups are made. Set PRECIS_BACKUP_DIR to a folder on another disk; if backups are made "
            "otherwise, this check cannot see them."
        )
    if state is None:
        return unseen("no nightly backups are set (PRECIS_BACKUP_DIR); others cannot be seen from here.")
    return judged(state)


def judged(state: BackupState) -> Finding:
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

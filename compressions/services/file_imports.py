"""What imports of files have in common: a job for an uploaded file, short transactions, and a report by line."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from django.contrib.auth.models import User
from django.db import transaction

from common.clock import database_now
from common.job_attempts import Attempt
from common.jobs import Progress, job_enqueue
from common.models import Job
from compressions.models import FileImport
from crowd.services.account_bounds import upload_take
from crowd.services.audit import audit_record
from crowd.services.write_locks import campaign_write_lock

MAX_DETAILS = 1_000
MAX_ROWS = 200_000
ADDED = "added"  # of the parameters of a job

Import = TypeVar("Import", bound=FileImport)
Lines = Sequence[tuple[int, str]]


@transaction.atomic
def import_request(*, record: Import, kind: str, user: User | None) -> Import:
    """Store the record of an uploaded file and enqueue the job that imports it."""
    if user is not None:
        upload_take(user, len(record.content))
    record.save()
    record.job = job_enqueue(campaign_id=record.campaign_id, kind=kind, parameters={"import": record.pk}, user=user)
    record.save(update_fields=["job"])
    return record


@contextmanager
def import_transaction(*, record: FileImport) -> Iterator[None]:
    """A transaction in which an import writes, short and without parsing; one import of a campaign at a time."""
    with transaction.atomic():
        Attempt.of(record.job).fence()
        campaign_write_lock(campaign_id=record.campaign_id)
        yield


def import_go_on(*, imports: type[FileImport], run: Callable[..., None], job: Job, progress: Progress) -> str:
    """Let an attempt at a job go on with its import, with what earlier attempts have added; return the outcome."""
    record = imports._default_manager.select_related("campaign").get(pk=job.parameters["import"])
    record.job, record.added = job, job.parameters.get(ADDED, 0)
    if record.finished_at is None:
        run(record=record, progress=progress)
    return record.outcome


def import_count_added(*, record: FileImport, added: int) -> None:
    """Count rows in the transaction that adds them, so that an import that is run again knows of them.

    The count is kept with the job: changing the record, SQLite would go through the whole file that it holds.
    """
    record.added += added
    if record.job is not None:
        record.job.parameters[ADDED] = record.added
        Job.objects.filter(pk=record.job.pk).update(parameters=record.job.parameters)


def import_finish(*, record: FileImport, usable: int, problems: Lines, warnings: Lines = ()) -> None:
    """Store the outcome: of the `usable` rows those that were not added were known before."""
    record.unchanged = max(0, usable - record.added)
    record.refused = len(problems)
    record.problems = sorted(problems)[:MAX_DETAILS]
    record.warnings = sorted(warnings)[:MAX_DETAILS]
    record.content = b""
    record.finished_at = database_now()
    with import_transaction(record=record):
        record.save()
        user = record.job.requested_by if record.job else None
        audit_record(
            campaign=record.campaign,
            user=user,
            action=f"{record.kind} imported",
            subject=record.file_name,
            detail=f"{record.outcome} {_notes(record)}".strip(),
        )


def _notes(record: FileImport) -> str:
    """Return what is known of how the content of a file was made, where its kind has that."""
    return "; ".join(f"{name}: {value}" for name, value in getattr(record, "notes", {}).items())

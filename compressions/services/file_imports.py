"""What imports of files have in common: a job for an uploaded file, short transactions, and a report by line."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import TypeVar

from django.contrib.auth.models import User
from django.db import transaction

from common.clock import database_now
from common.errors import Refused
from common.job_attempts import Attempt
from common.jobs import Progress, job_enqueue
from common.models import Job
from compressions.models import FileImport, SourceImport
from compressions.other_tools import uploaded_table
from compressions.readers import with_columns
from crowd.services.account_bounds import upload_take
from crowd.services.audit import audit_record
from crowd.services.write_locks import campaign_write_lock

MAX_DETAILS = 1_000
MAX_ROWS = 200_000
ADDED, READ_AS = "added", "read_as"  # of the parameters of a job

Import = TypeVar("Import", bound=FileImport)
Lines = Sequence[tuple[int, str]]


@dataclass(frozen=True)
class ReadAs:
    """The tool that has written a file which is no table, and columns of it by the names that are wanted."""

    written_by: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)


AS_IT_IS = ReadAs()


@transaction.atomic
def import_request(*, record: Import, kind: str, user: User | None, read_as: ReadAs = AS_IT_IS) -> Import:
    """Store the record of an uploaded file and enqueue the job that imports it."""
    if user is not None:
        upload_take(user, len(record.content))
    record.save()
    parameters = {"import": record.pk} | ({} if read_as == AS_IT_IS else {READ_AS: asdict(read_as)})
    record.job = job_enqueue(campaign_id=record.campaign_id, kind=kind, parameters=parameters, user=user)
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
        _read_as_table(record, ReadAs(**job.parameters.get(READ_AS, {})))
        run(record=record, progress=progress)
    return record.outcome


def _read_as_table(record: FileImport, read_as: ReadAs) -> None:
    """Make the file the table that is wanted; in the database it stays as it was sent until it is read."""
    try:
        if read_as.written_by:
            read = uploaded_table(
                read_as.written_by, record.file_name, bytes(record.content), with_items=isinstance(record, SourceImport)
            )
            record.file_name, record.content, record.left_out = read
            record.is_export = True
        if read_as.columns:
            record.content = with_columns(record.file_name, bytes(record.content), columns=read_as.columns, values={})
    except Refused as refusal:
        import_finish(record=record, usable=0, problems=[(0, str(refusal))])
        raise


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
    record.warnings = sorted([*record.left_out, *warnings])[:MAX_DETAILS]
    record.content = b""
    if record.is_export:
        record.file_name = record.file_name.removesuffix(".csv")
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

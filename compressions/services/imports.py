"""Import files of sources."""

import random
from itertools import islice

from django.contrib.auth.models import User
from django.db import transaction

from common.clock import database_now
from common.errors import Refused
from common.jobs import Progress, job_enqueue
from compressions.models import Source, SourceImport
from compressions.readers import read_rows
from compressions.rows import CheckedRows, KnownSource, check_rows
from compressions.services.sources import sources_create
from crowd.models import Campaign

MAX_DETAILS = 1_000
MAX_ROWS = 200_000
IMPORT_JOB = "import_sources"


def _silent(_done: int, _total: int) -> None:
    """Report no progress."""


@transaction.atomic
def source_import_request(
    *, campaign: Campaign, file_name: str, content: bytes, strict: bool, user: User
) -> SourceImport:
    """Store an uploaded file and enqueue its import."""
    record = SourceImport.objects.create(campaign=campaign, file_name=file_name[:255], content=content, strict=strict)
    record.job = job_enqueue(campaign_id=campaign.pk, kind=IMPORT_JOB, parameters={"import": record.pk}, user=user)
    record.save(update_fields=["job"])
    return record


def source_import(
    *,
    campaign: Campaign,
    file_name: str,
    content: bytes,
    strict: bool = False,
    seed: int | None = None,
    progress: Progress = _silent,
) -> SourceImport:
    """Import a file of sources immediately; unusable rows are reported by line."""
    record = SourceImport.objects.create(campaign=campaign, file_name=file_name[:255], content=content, strict=strict)
    source_import_run(record=record, seed=seed, progress=progress)
    return record


def source_import_run(*, record: SourceImport, seed: int | None = None, progress: Progress = _silent) -> None:
    """Read the file outside the transaction, then write all its sources in one transaction."""
    campaign = record.campaign
    try:
        rows = list(islice(read_rows(record.file_name, bytes(record.content)), MAX_ROWS + 1))
        if len(rows) > MAX_ROWS:
            raise Refused(f"{record.file_name}: more than {MAX_ROWS:,} rows. Please split the file.")
    except Refused as refusal:
        _report(record, CheckedRows(problems=[(0, str(refusal))]), added=0)
        raise
    existing = _known_sources(campaign)
    checked = check_rows(rows, campaign, existing, lambda done: progress(done, 2 * len(rows)))
    if record.strict and checked.problems:
        _report(record, checked, added=0)
        raise Refused(_refusal_of_all(record, checked))
    with transaction.atomic():
        Campaign.objects.select_for_update().get(pk=campaign.pk)  # one import of a campaign at a time
        if (now_existing := _known_sources(campaign)) != existing:
            existing, checked = now_existing, check_rows(rows, campaign, now_existing, lambda _: None)
        new = [row for row in checked.usable if row.source_id not in existing]
        sources_create(
            campaign=campaign,
            rows=new,
            rng=random.Random(seed),
            on_written=lambda done: progress(len(rows) + done, len(rows) + len(new)),
        )
        _report(record, checked, added=len(new))


def _known_sources(campaign: Campaign) -> dict[str, KnownSource]:
    rows = Source.objects.filter(campaign=campaign).values_list("source_id", "text", "paragraph__source_id")
    return {source_id: KnownSource(text, paragraph_id or "") for source_id, text, paragraph_id in rows}


def _refusal_of_all(record: SourceImport, checked: CheckedRows) -> str:
    line, reason = checked.problems[0]
    return (
        f"{record.file_name}: nothing imported, {len(checked.problems)} rows cannot be used; "
        f"the first is line {line}: {reason}"
    )


def _report(record: SourceImport, checked: CheckedRows, *, added: int) -> None:
    record.added = added
    record.unchanged = 0 if record.strict and checked.problems else len(checked.usable) - added
    record.refused = len(checked.problems)
    record.problems = checked.problems[:MAX_DETAILS]
    record.warnings = checked.warnings[:MAX_DETAILS]
    record.content = b""
    record.finished_at = database_now()
    record.save()

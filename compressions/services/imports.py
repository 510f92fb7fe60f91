"""Import files of sources."""

import random
from collections.abc import Iterable, Sequence
from itertools import islice

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from common.errors import Refused
from common.jobs import Progress
from common.sql import slices
from compressions.models import Source, SourceImport
from compressions.readers import read_rows
from compressions.rows import CheckedRows, KnownSource, UsableRow, check_again, check_rows, paragraphs_first
from compressions.services.file_imports import (
    AS_IT_IS,
    MAX_ROWS,
    ReadAs,
    import_count_added,
    import_finish,
    import_request,
    import_transaction,
)
from compressions.services.sources import sources_create
from crowd.models import Campaign

IMPORT_JOB = "import_sources"
SLICE = 100


def _silent(_done: int, _total: int) -> None:
    """Report no progress."""


def source_import_request(
    *, campaign: Campaign, file_name: str, content: bytes, strict: bool, user: User, read_as: ReadAs = AS_IT_IS
) -> SourceImport:
    """Store an uploaded file and enqueue its import."""
    record = SourceImport(campaign=campaign, file_name=file_name[:255], content=content, strict=strict)
    return import_request(record=record, kind=IMPORT_JOB, user=user, read_as=read_as)


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
    """Read the file outside any transaction, then write its sources in slices, each in a short transaction.

    Run again after it was stopped, it knows the sources that it has written and writes the others.
    """
    campaign = record.campaign
    try:
        rows = list(islice(read_rows(record.file_name, bytes(record.content)), MAX_ROWS + 1))
        if len(rows) > MAX_ROWS:
            words = _("%(file)s: more than %(n)s rows. Split the file.")
            raise Refused(words % {"file": record.file_name, "n": f"{MAX_ROWS:,}"})
    except Refused as refusal:
        import_finish(record=record, usable=0, problems=[(0, str(refusal))])
        raise
    existing = _known_sources(campaign)
    checked = check_rows(rows, campaign, existing, lambda done: progress(done, 2 * len(rows)))
    if record.strict and checked.problems:
        import_finish(record=record, usable=0, problems=checked.problems, warnings=checked.warnings)
        raise Refused(_refusal_of_all(record, checked))
    new = paragraphs_first([row for row in checked.usable if row.source_id not in existing])
    rng, done = random.Random(seed), 0
    for each in slices(new, SLICE):
        _slice_write(record, each, checked, rng)
        done += len(each)
        progress(len(rows) + done, len(rows) + len(new))
    usable = len(checked.usable) + checked.repeated - checked.taken
    import_finish(record=record, usable=usable, problems=checked.problems, warnings=checked.warnings)


def _slice_write(record: SourceImport, rows: Sequence[UsableRow], checked: CheckedRows, rng: random.Random) -> None:
    """Write a slice of the sources; what became of its rows meanwhile, by another import, is noted in `checked`."""
    named = {row.source_id for row in rows} | {row.paragraph_id for row in rows}
    with import_transaction(record=record):
        existing = _known_sources(record.campaign, named)
        again = check_again(rows, existing)
        new = [row for row in again.usable if row.source_id not in existing]
        sources_create(campaign=record.campaign, rows=new, rng=rng)
        import_count_added(record=record, added=len(new))
    checked.taken += len(again.problems)
    checked.problems += again.problems
    checked.warnings += again.warnings


def _known_sources(campaign: Campaign, among: Iterable[str] | None = None) -> dict[str, KnownSource]:
    """Return the sources of a campaign by id: all, or those `among` some ids."""
    rows = Source.objects.filter(campaign=campaign)
    rows = rows if among is None else rows.filter(source_id__in=among)
    return {
        source_id: KnownSource(text, paragraph_id or "", nuggets)
        for source_id, text, paragraph_id, nuggets in rows.values_list(
            "source_id", "text", "paragraph__source_id", "nuggets"
        )
    }


def _refusal_of_all(record: SourceImport, checked: CheckedRows) -> str:
    line, reason = checked.problems[0]
    return (
        f"{record.file_name}: nothing imported, {len(checked.problems)} rows cannot be used; "
        f"the first is line {line}: {reason}"
    )

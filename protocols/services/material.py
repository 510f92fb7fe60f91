"""Import files of material: JSONL, or CSV and TSV, line by line."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import PurePath
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.errors import Refused
from common.jobs import Progress
from common.sql import slices
from compressions.readers import JSON_SUFFIXES, TOO_LONG, BadLine, Row, lines_of, read_rows
from compressions.services.file_imports import (
    MAX_ROWS,
    import_count_added,
    import_finish,
    import_request,
    import_transaction,
)
from crowd.models import Campaign
from protocols.models import DesignRow, Material, MaterialImport, Sound
from protocols.services.elsewhere import answers_import_run
from protocols.services.pieces import material_create, material_of
from protocols.task import MaterialRow, StudyTask, study_task

MATERIAL_JOB = "import_material"
SLICE = 200
MOST_OF_A_NAME = 50
"""Of which each bars all others."""
MADE = gettext_lazy("The pieces of work are made already, so what they are made of can’t be changed any more.")
Copied = TypeVar("Copied", Material, Sound)


def _silent(_done: int, _total: int) -> None:
    """Report no progress."""


def material_import_request(
    *, campaign: Campaign, file_name: str, content: bytes, user: User, answers: str = ""
) -> MaterialImport:
    """Store an uploaded file and enqueue its import; `answers` is the format of a file of answers."""
    return import_request(record=_record(campaign, file_name, content, answers), kind=MATERIAL_JOB, user=user)


def material_import(
    *, campaign: Campaign, file_name: str, content: bytes, answers: str = "", progress: Progress = _silent
) -> MaterialImport:
    """Import a file immediately. Lines that cannot be used are reported by number; the others are imported."""
    record = _record(campaign, file_name, content, answers)
    record.save()
    material_import_run(record=record, progress=progress)
    return record


def _record(campaign: Campaign, file_name: str, content: bytes, answers: str) -> MaterialImport:
    forms = study_task(campaign.rating_task).answer_forms
    if answers and answers not in forms:
        raise Refused(_("The judgement task of %(campaign)s reads no such answers.") % {"campaign": campaign.name})
    return MaterialImport(campaign=campaign, file_name=file_name[:255], content=content, answers=answers)


def material_import_run(*, record: MaterialImport, progress: Progress = _silent) -> None:
    """Read the file outside any transaction, then write in slices; run again, it writes what is not there yet."""
    campaign = record.campaign
    if record.answers:
        answers_import_run(record=record, progress=progress)
        return
    try:
        task = study_task(campaign.rating_task)
        settings = task.settings_read(campaign.task_settings)
        lines = list(islice(_read(record.file_name, bytes(record.content), task), MAX_ROWS + 1))
        if len(lines) > MAX_ROWS:
            words = _("%(file)s: more than %(n)s rows. Split the file.")
            raise Refused(words % {"file": record.file_name, "n": f"{MAX_ROWS:,}"})
    except Refused as refusal:
        import_finish(record=record, usable=0, problems=[(0, str(refusal))])
        raise
    problems = [(line.line, line.reason) for line in lines if isinstance(line, BadLine)]
    usable: list[tuple[int, MaterialRow]] = []
    for each in lines:
        if isinstance(each, BadLine):
            continue
        number, fields = each
        try:
            usable.append((number, task.material_checked(fields, settings)))
        except (ValueError, Refused) as error:
            problems.append((number, str(error)))
    accepted = 0
    for part in slices(usable, SLICE):
        accepted += _slice_write(record, task, part, problems)
        progress(accepted, len(usable))
    import_finish(record=record, usable=accepted, problems=problems)


Line = tuple[int, dict[str, Any]]


def _read(file_name: str, content: bytes, task: StudyTask) -> Iterator[Line | BadLine]:
    """Yield the fields of each line; lists and objects only from JSON, where CSV has text with `|` between."""
    if PurePath(file_name).suffix.lower() not in JSON_SUFFIXES:
        for row in read_rows(file_name, content, task.columns, task.optional):
            yield (row.line, dict(row.fields)) if isinstance(row, Row) else row
        return
    for number, line in enumerate(lines_of(content), start=1):
        if line is None:
            yield BadLine(number, TOO_LONG)
        elif line.strip():
            yield _object(number, line)


def _object(number: int, line: bytes) -> Line | BadLine:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return BadLine(number, "this is not JSON in UTF-8")
    if not isinstance(fields, dict):
        return BadLine(number, "a line is one JSON object")
    return number, fields


def _slice_write(
    record: MaterialImport, task: StudyTask, part: Sequence[tuple[int, MaterialRow]], problems: list[tuple[int, str]]
) -> int:
    """Write the new ones of some lines, with an item of work for each that is not practice; return how many fit.

    What work is made of is no work yet.
    """
    with import_transaction(record=record):
        is_made = _is_made(record.campaign)
        named = [row.name for _number, row in part]
        rows = list(Material.objects.filter(campaign=record.campaign, name__in=named))
        known = {(each.task, each.name, each.system, each.condition): each.digest for each in rows}
        bodies: dict[str, dict[str, Mapping[str, Any]]] = {}
        for each in rows:
            bodies.setdefault(each.name, {})[each.task] = each.body
        new: list[Material] = []
        accepted, is_limited = 0, record.campaign.task.one_of_a_source
        for number, row in part:
            material = material_of(record.campaign, task, row)
            key = (material.task, row.name, row.system, row.condition)
            if key not in known and is_limited and _number_of(row.name, known) >= MOST_OF_A_NAME:
                problems.append((number, f"there are {MOST_OF_A_NAME} lines of this id, and no more can be"))
                continue
            of_name = bodies.setdefault(row.name, {})
            if key not in known and (fault := _untimely(task, row, is_made=is_made) or task.unfit(row, of_name)):
                problems.append((number, fault))
                continue
            if key not in known:
                known[key] = material.digest
                of_name.setdefault(material.task, row.body)
                new.append(material)
            elif known[key] != material.digest:
                problems.append((number, "there is other material of this id, system and condition"))
                continue
            accepted += 1
        material_create(new, record.campaign)
        import_count_added(record=record, added=len(new))
    return accepted


def _untimely(task: StudyTask, row: MaterialRow, *, is_made: bool) -> str:
    """Return why a new line comes too late or too early; nothing if it does not."""
    if row.task not in task.after_work:
        return str(MADE) if is_made else ""
    return "" if is_made else "this comes once the pieces of work are made"


def _number_of(name: str, known: Iterable[tuple[str, str, str, str]]) -> int:
    return sum(key[1] == name for key in known)


def pieces_check(*, campaign: Campaign) -> None:
    """Refuse a change of what work is made of, once the work is made."""
    if _is_made(campaign):
        raise Refused(str(MADE))


def _is_made(campaign: Campaign) -> bool:
    return campaign.task.by_design and DesignRow.objects.filter(campaign=campaign).exists()


def material_copy(*, campaign: Campaign, sandbox: Campaign, most: int) -> None:
    """Copy the practice of a campaign, and the first `most` lines that are work, to a preview of it.

    Of a design all is copied that its work is made of, and this is made anew.
    """
    material = Material.objects.filter(campaign=campaign).order_by("pk")
    if campaign.task.by_design:
        _copies_create(sandbox, material.filter(task_item__isnull=True, expected__isnull=True))
        Sound.objects.bulk_create(_copies(sandbox, Sound.objects.filter(campaign=campaign)))  # of the same files
        study_task(campaign.rating_task).pieces_make(sandbox)
        return
    work = list(material.filter(expected__isnull=True)[:most])
    if not work:
        raise Refused(_("There is no material yet. Import some first."))
    _copies_create(sandbox, [*material.filter(expected__isnull=False), *work])


def _copies_create(sandbox: Campaign, material: Iterable[Material]) -> None:
    material_create(_copies(sandbox, material), sandbox)


def _copies(sandbox: Campaign, rows: Iterable[Copied]) -> list[Copied]:
    """Return rows as those of a preview, not yet stored."""
    copies = list(rows)
    for each in copies:
        each.pk, each.campaign = None, sandbox
        each._state.adding = True
    return copies

"""Import files of material: JSONL, or CSV and TSV, line by line."""

import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import asdict
from itertools import islice, permutations
from pathlib import PurePath
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from common.errors import Refused
from common.jobs import Progress
from common.json_values import json_digest
from common.sql import slices
from compressions.readers import JSON_SUFFIXES, TOO_LONG, BadLine, Row, lines_of, read_rows, text_fault
from compressions.services.file_imports import (
    MAX_ROWS,
    import_count_added,
    import_finish,
    import_request,
    import_transaction,
)
from crowd.models import Campaign, Round
from crowd.services.items import conflicts_create, items_create
from crowd.services.leases import items_block_for_workers_of
from protocols.models import MAX_NAME_LENGTH, Material, MaterialImport, TaskItem
from protocols.task import MaterialRow, Settings, StudyTask, study_task

MATERIAL_JOB = "import_material"
SLICE = 200
MAX_DEPTH = 12
MOST_OF_A_NAME = 50
"""Of which each bars all others."""
_SURROGATES = re.compile("[\ud800-\udfff]")


def _silent(_done: int, _total: int) -> None:
    """Report no progress."""


def material_import_request(*, campaign: Campaign, file_name: str, content: bytes, user: User) -> MaterialImport:
    """Store an uploaded file and enqueue its import."""
    study_task(campaign.rating_task)
    record = MaterialImport(campaign=campaign, file_name=file_name[:255], content=content)
    return import_request(record=record, kind=MATERIAL_JOB, user=user)


def material_import(
    *, campaign: Campaign, file_name: str, content: bytes, progress: Progress = _silent
) -> MaterialImport:
    """Import a file immediately. Lines that cannot be used are reported by number; the others are imported."""
    study_task(campaign.rating_task)
    record = MaterialImport.objects.create(campaign=campaign, file_name=file_name[:255], content=content)
    material_import_run(record=record, progress=progress)
    return record


def material_import_run(*, record: MaterialImport, progress: Progress = _silent) -> None:
    """Read the file outside any transaction, then write in slices; run again, it writes what is not there yet."""
    campaign = record.campaign
    try:
        task = study_task(campaign.rating_task)
        settings = task.settings_read(campaign.task_settings)
        lines = list(islice(_read(record.file_name, bytes(record.content), task), MAX_ROWS + 1))
        if len(lines) > MAX_ROWS:
            words = _("%(file)s: more than %(n)s rows. Please split the file.")
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
            usable.append((number, _checked(task, fields, settings)))
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


def _checked(task: StudyTask, fields: dict[str, Any], settings: Settings) -> MaterialRow:
    """Return the line as material; raise ValueError or Refused with the reason if it is none."""
    missing = [name for name in task.columns if fields.get(name) in (None, "")]
    if missing:
        raise ValueError(f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing")
    unknown = sorted(set(fields) - {*task.columns, *task.optional})
    if unknown:
        raise ValueError(f"unknown: {', '.join(unknown)[:MAX_NAME_LENGTH]}")
    _texts_check(fields)
    row = task.material(fields, settings)
    for what, name in (("id", row.name), ("system", row.system), ("condition", row.condition)):
        if len(name) > MAX_NAME_LENGTH:
            raise ValueError(f"the {what} has more than {MAX_NAME_LENGTH} characters")
    return row


def _texts_check(value: Any, depth: int = 0) -> None:
    """Refuse a text that is too much to be worked on, wherever it stands in a line."""
    if depth > MAX_DEPTH:
        raise ValueError(f"lists and objects stand in each other more than {MAX_DEPTH} deep")
    if isinstance(value, str):
        if fault := text_fault(value):
            raise ValueError(fault)
        if "\x00" in value or (not value.isprintable() and _SURROGATES.search(value)):
            raise ValueError("there is a character that cannot be stored")
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _texts_check(each, depth + 1)


def _slice_write(
    record: MaterialImport, task: StudyTask, part: Sequence[tuple[int, MaterialRow]], problems: list[tuple[int, str]]
) -> int:
    """Write the new ones of some lines, with an item of work for each that is not practice; return how many fit."""
    with import_transaction(record=record):
        named = [row.name for _number, row in part]
        rows = Material.objects.filter(campaign=record.campaign, name__in=named)
        known = {(each.name, each.system, each.condition): each.digest for each in rows}
        new: list[Material] = []
        accepted = 0
        for number, row in part:
            digest, key = json_digest(asdict(row)), (row.name, row.system, row.condition)
            if key not in known and task.is_one_of_a_name and _number_of(row.name, known) >= MOST_OF_A_NAME:
                problems.append((number, f"there are {MOST_OF_A_NAME} lines of this id, and no more can be"))
                continue
            if key not in known:
                known[key] = digest
                new.append(Material(campaign=record.campaign, task=task.key, digest=digest, **asdict(row)))
            elif known[key] != digest:
                problems.append((number, "there is other material of this id, system and condition"))
                continue
            accepted += 1
        Material.objects.bulk_create(new)
        _items_create(record.campaign, task, [each for each in new if each.expected is None])
        import_count_added(record=record, added=len(new))
    return accepted


def _number_of(name: str, known: Iterable[tuple[str, str, str]]) -> int:
    return sum(key[0] == name for key in known)


def _items_create(campaign: Campaign, task: StudyTask, material: Sequence[Material]) -> None:
    rng = random.Random()
    items = items_create(campaign=campaign, work_round=Round.RATE, count=len(material), rng=rng)
    TaskItem.objects.bulk_create(
        [TaskItem(item=item, material=each) for item, each in zip(items, material, strict=True)]
    )
    if task.is_one_of_a_name:
        _conflicts_create(campaign, {item.pk for item in items}, {each.name for each in material})


def _conflicts_create(campaign: Campaign, new: Set[int], names: Set[str]) -> None:
    """Let new items bar all others of their name and be barred by them, also for those who had one of these before."""
    of_names = TaskItem.objects.filter(material__campaign=campaign, material__name__in=names)
    by_name: dict[str, list[int]] = {}
    for name, item in of_names.values_list("material__name", "item_id"):
        by_name.setdefault(name, []).append(item)
    pairs = [pair for items in by_name.values() for pair in permutations(items, 2) if not new.isdisjoint(pair)]
    conflicts_create(pairs=pairs)
    late = [(newer, older) for newer, older in pairs if newer in new and older not in new]
    items_block_for_workers_of(pairs=late, work_round=Round.RATE)


def material_copy(*, campaign: Campaign, sandbox: Campaign, most: int) -> None:
    """Copy the practice of a campaign, and the first `most` lines that are work, to a preview of it."""
    material = Material.objects.filter(campaign=campaign).order_by("pk")
    work = list(material.filter(expected__isnull=True)[:most])
    if not work:
        raise Refused(_("There is no material yet. Please import some first."))
    copies = [*material.filter(expected__isnull=False), *work]
    for each in copies:
        each.pk, each.campaign = None, sandbox
        each._state.adding = True
    Material.objects.bulk_create(copies)
    _items_create(sandbox, study_task(campaign.rating_task), work)

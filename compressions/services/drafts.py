"""Save editors' drafts on the server while they write."""

import json
import math
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.clock import database_now
from common.errors import AlreadySubmitted, Refused, SlotTaken, TooManyRequests
from compressions.models import Draft, Source
from compressions.services.submission import replay_log
from crowd.models import Assignment
from crowd.services.write_locks import writer_lock
from measures.keystrokes.edit_log import dump_log

MAX_DRAFTS = 20
MAX_TOGETHER = 4_000_000
"""Greatest size of all drafts of a task, in bytes. One that is as long as a log may be has room alone."""

TOO_MANY = gettext_lazy("This text is open in too many tabs, so we can’t save this version.")
TOO_SOON = gettext_lazy("This text was saved a moment ago. What is newer will be saved with the next change.")
BETWEEN_SAVES = timedelta(seconds=1)
"""From the same page. The page waits as long itself, so only a program meets this."""

DRAFT_LIFETIME = timedelta(days=14)
State = Assignment.State


@dataclass(frozen=True)
class DraftSave:
    """One save: number `sequence` of the page `page`, which continues the draft of the page `after`, if any."""

    page: str
    sequence: int
    started_from: str
    raw_log: object
    comment: str = ""
    after: str = ""
    leaving: bool = False
    """Whether the page is going away: its last words cannot be sent again later."""


def draft_save(*, assignment: Assignment, source: Source, save: DraftSave, with_leaving: bool = True) -> None:
    """Save a page's draft. Saves may arrive twice or out of order; the one with the highest sequence number wins.

    A draft is saved even after its lease has expired and while somebody else has the slot. `with_leaving` says whether
    its campaign records when pages are left.
    """
    if assignment.state == State.SUBMITTED:
        raise AlreadySubmitted(_("You have already submitted this text."))
    if assignment.state == State.SKIPPED:
        raise SlotTaken(_("You skipped this text."))
    now = database_now()
    stored = Draft.objects.filter(assignment=assignment).values_list("page", "size", "sequence", "saved_at")
    rows = {page: (size, sequence, saved_at) for page, size, sequence, saved_at in stored}
    if save.page in rows:
        _pace_check(save, *rows[save.page][1:], now)
    log = dump_log(replay_log(source, save.started_from, save.raw_log, with_leaving=with_leaving).operations)
    sizes = {page: size for page, (size, _sequence, _saved_at) in rows.items()}
    if sizes.pop(save.page, None) is None and len(sizes) >= MAX_DRAFTS:
        raise Refused(TOO_MANY)
    superseded = _superseded_drafts(assignment, save, log)
    size = draft_size(log, save.comment)
    if size + sum(sizes.values()) - sum(sizes[page] for *_rest, page in superseded) > MAX_TOGETHER:
        raise Refused(TOO_MANY)
    with transaction.atomic():
        writer_lock(assignment.worker_id)
        if _write_draft(assignment, save, log, size, now):
            for pk, sequence, _page in superseded:
                Draft.objects.filter(pk=pk, sequence=sequence).delete()


def draft_size(log: list[list[int | str]], comment: str) -> int:
    """Return what a draft weighs in the editing page, where it is JSON in an attribute."""
    return len(escape(json.dumps([log, comment])))


def _pace_check(save: DraftSave, sequence: int, saved_at: datetime, now: datetime) -> None:
    """Refuse what comes too soon after the page's last save; a save that comes twice is answered as before."""
    if sequence < save.sequence and not save.leaving and timedelta(0) <= now - saved_at < BETWEEN_SAVES:
        raise TooManyRequests(str(TOO_SOON), retry_after=math.ceil(BETWEEN_SAVES.total_seconds()))


def _write_draft(assignment: Assignment, save: DraftSave, log: list[list[int | str]], size: int, now: datetime) -> bool:
    """Write the draft unless the page has a later one; return whether the stored draft is this one.

    The insert waits for a concurrent insert of the same page, so the update finds its row.
    """
    content = {
        "sequence": save.sequence,
        "started_from": save.started_from,
        "edit_log": log,
        "comment": save.comment,
        "size": size,
        "saved_at": now,
    }
    of_page = Draft.objects.filter(assignment=assignment, page=save.page)
    draft = Draft(assignment=assignment, page=save.page, **content)
    Draft.objects.bulk_create([draft], ignore_conflicts=True)
    of_page.filter(sequence__lt=save.sequence).update(**content)
    return of_page.filter(sequence=save.sequence).exists()


def _superseded_drafts(
    assignment: Assignment, save: DraftSave, log: list[list[int | str]]
) -> list[tuple[int, int, str]]:
    """Return the other drafts (id, sequence, page) whose whole log is a prefix of this one, so that no edit is lost.

    The comment must be a prefix too, unless the page continued that very draft and so could edit its comment.
    """
    same_start = Draft.objects.filter(assignment=assignment, started_from=save.started_from)
    others = same_start.exclude(page=save.page).values_list("pk", "sequence", "page", "edit_log", "comment")
    return [
        (pk, sequence, page)
        for pk, sequence, page, other, comment in others
        if other == log[: len(other)] and (page == save.after or save.comment.startswith(comment))
    ]


def drafts_forget_old() -> int:
    """Delete drafts that have not been saved for two weeks; return how many."""
    deleted, _details = Draft.objects.filter(saved_at__lt=database_now() - DRAFT_LIFETIME).delete()
    return deleted

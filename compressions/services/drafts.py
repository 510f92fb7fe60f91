"""Save editors' drafts on the server while they write."""

from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction

from common.clock import database_now
from common.errors import AlreadySubmitted, Refused, SlotTaken
from compressions.edit_logs import replay_log
from compressions.models import Draft, Source
from crowd.models import Assignment
from measures.keystrokes.edit_log import dump_log

MAX_DRAFTS = 20
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


def draft_save(*, assignment: Assignment, source: Source, save: DraftSave) -> None:
    """Save a page's draft. Saves may arrive twice or out of order; the one with the highest sequence number wins.

    A draft is saved even after its lease has expired and while somebody else has the slot.
    """
    if assignment.state == State.SUBMITTED:
        raise AlreadySubmitted("This text has been submitted already.")
    if assignment.state == State.SKIPPED:
        raise SlotTaken("You skipped this text.")
    log = dump_log(replay_log(source, save.started_from, save.raw_log).operations)
    pages = Draft.objects.filter(assignment=assignment).values_list("page", flat=True)
    if save.page not in pages and len(pages) >= MAX_DRAFTS:
        raise Refused("Too many versions of this text are open. Yours is kept in this browser.")
    superseded = _superseded_drafts(assignment, save, log)
    with transaction.atomic():
        if _write_draft(assignment, save, log):
            for pk, sequence in superseded:
                Draft.objects.filter(pk=pk, sequence=sequence).delete()


def _write_draft(assignment: Assignment, save: DraftSave, log: list[list[int | str]]) -> bool:
    """Write the draft unless the page has a later one; return whether the stored draft is this one.

    The insert waits for a concurrent insert of the same page, so the update finds its row.
    """
    content = {
        "sequence": save.sequence,
        "started_from": save.started_from,
        "edit_log": log,
        "comment": save.comment,
        "saved_at": database_now(),
    }
    of_page = Draft.objects.filter(assignment=assignment, page=save.page)
    draft = Draft(assignment=assignment, page=save.page, **content)
    Draft.objects.bulk_create([draft], ignore_conflicts=True)
    of_page.filter(sequence__lt=save.sequence).update(**content)
    return of_page.filter(sequence=save.sequence).exists()


def _superseded_drafts(assignment: Assignment, save: DraftSave, log: list[list[int | str]]) -> list[tuple[int, int]]:
    """Return the drafts (id, sequence) of other pages whose whole log is a prefix of this one, so no edit is lost.

    The comment must be a prefix too, unless the page continued that very draft and so could edit its comment.
    """
    same_start = Draft.objects.filter(assignment=assignment, started_from=save.started_from)
    others = same_start.exclude(page=save.page).values_list("pk", "sequence", "page", "edit_log", "comment")
    return [
        (pk, sequence)
        for pk, sequence, page, other, comment in others
        if other == log[: len(other)] and (page == save.after or save.comment.startswith(comment))
    ]


def drafts_forget_old() -> int:
    """Delete drafts that have not been saved for two weeks; return how many."""
    deleted, _ = Draft.objects.filter(saved_at__lt=database_now() - DRAFT_LIFETIME).delete()
    return deleted

"""Drafts: what editors have written so far, kept on the server while they write."""

from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction

from common.clock import database_now
from common.errors import AlreadySubmitted, Refused, SlotTaken
from compressions.edit_logs import log_replayed
from compressions.models import Draft, Source
from crowd.models import Assignment
from measures.keystrokes.edit_log import dump_log

MAX_DRAFTS = 20
KEPT = timedelta(days=14)
State = Assignment.State


@dataclass(frozen=True)
class DraftSave:
    """One save: the `sequence`th of the page called `page`, which went on from the draft of the page `after`."""

    page: str
    sequence: int
    started_from: str
    raw_log: object
    comment: str = ""
    after: str = ""


def draft_save(*, assignment: Assignment, source: Source, save: DraftSave) -> None:
    """Keep what a page holds. Saves may come twice and out of order: the one with the highest number stays.

    A draft is kept after its lease has run out as well, and while somebody else has the place.
    """
    if assignment.state == State.SUBMITTED:
        raise AlreadySubmitted("This text has been submitted already.")
    if assignment.state == State.SKIPPED:
        raise SlotTaken("You skipped this text.")
    log = dump_log(log_replayed(source, save.started_from, save.raw_log).operations)
    pages = Draft.objects.filter(assignment=assignment).values_list("page", flat=True)
    if save.page not in pages and len(pages) >= MAX_DRAFTS:
        raise Refused("Too many versions of this text are open. Yours is kept in this browser.")
    superseded = _those_gone_on_from(assignment, save, log)
    with transaction.atomic():
        if _saved(assignment, save, log):
            for pk, sequence in superseded:
                Draft.objects.filter(pk=pk, sequence=sequence).delete()


def _saved(assignment: Assignment, save: DraftSave, log: list[list[int | str]]) -> bool:
    """Write the draft unless a later save of its page has come before; the database settles who was first.

    The insertion waits for one of the same page that is on its way, so the update finds its row.
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


def _those_gone_on_from(assignment: Assignment, save: DraftSave, log: list[list[int | str]]) -> list[tuple[int, int]]:
    """Drafts (id, sequence) of other pages whose whole log is the beginning of this one: no edit in them is lost.

    Nor is a comment, unless the page says that it went on from that draft, and so had its comment to change.
    """
    begun_alike = Draft.objects.filter(assignment=assignment, started_from=save.started_from)
    others = begun_alike.exclude(page=save.page).values_list("pk", "sequence", "page", "edit_log", "comment")
    return [
        (pk, sequence)
        for pk, sequence, page, other, comment in others
        if other == log[: len(other)] and (page == save.after or save.comment.startswith(comment))
    ]


def drafts_forget_old() -> int:
    """Forget drafts that nobody has touched for two weeks; returns how many."""
    forgotten, _ = Draft.objects.filter(saved_at__lt=database_now() - KEPT).delete()
    return forgotten

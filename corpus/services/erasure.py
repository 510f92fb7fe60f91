"""Erase a person's data at their request. Released files are not changed: copies of them cannot be recalled.

A database marks deleted rows as free and leaves their bytes in its files. SQLite is told to overwrite them
(`secure_delete` in the settings), but still leaves some where it moves rows between pages, and what an earlier version
deleted; VACUUM rewrites the file. PostgreSQL frees the space for other rows, which overwrite it in time.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import F, Q, QuerySet

from common.clock import database_now
from compressions.flag_kinds import NO_FLAGS
from compressions.models import Compression, Draft, Pair, Target, TextFeatures, VisitRules
from compressions.selectors.writing import texts_only_by
from corpus.models import ErasureToComplete
from crowd.models import (
    ArmDraw,
    Assignment,
    BrowserRequest,
    Enrolment,
    Exclusion,
    Item,
    Outcome,
    PastVisit,
    Remark,
    Worker,
)
from crowd.services.audit import audit_record
from crowd.services.items import items_withdraw
from crowd.services.leases import lease_give_back
from crowd.services.shared_browsers import worker_browsers_forget
from crowd.services.write_locks import writer_stop
from ratings.models import ExpertItem, Inclusion, QualificationSitting, Rating, RatingVersion
from ratings.services.rating_counts import rating_counts_forget
from ratings.services.visit_work import work_forget

CHECKPOINT_SECONDS = 1  # it keeps others from writing while it waits for those who read


def deleted_bytes_overwrite(rooms: Iterable[str]) -> bool:
    """Overwrite the deleted rows of the rooms' tables; return False if somebody who reads just now is in the way."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            return _file_rewrite(cursor)
        models = [model for room in rooms for model in apps.get_app_config(room).get_models()]
        cursor.execute(f"VACUUM {', '.join(connection.ops.quote_name(model._meta.db_table) for model in models)}")
    return True


def _file_rewrite(cursor: CursorWrapper) -> bool:
    cursor.execute("VACUUM")
    # The new file is still in the log before the old one, with everything that was written meanwhile.
    cursor.execute(f"PRAGMA busy_timeout = {1000 * CHECKPOINT_SECONDS}")
    try:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        is_busy = bool(cursor.fetchone()[0])
    finally:
        cursor.execute(f"PRAGMA busy_timeout = {1000 * connection.settings_dict['OPTIONS']['timeout']}")
    return not is_busy


ERASED = "erased at the person's wish"
WRITTEN_TO = ["crowd", "compressions", "ratings"]  # the rooms whose tables hold something about people
_of_rooms_above: list[Callable[[Worker], None]] = []


def erasure_register(room: str, erase: Callable[[Worker], None]) -> None:
    """Register what a room above erases of a person, in the same transaction, and that its tables hold such data."""
    WRITTEN_TO.append(room)
    _of_rooms_above.append(erase)


@dataclass(frozen=True)
class Erasure:
    """The numbers of erased edit logs and texts."""

    logs: int
    texts: int


@transaction.atomic
def worker_erase(*, worker: Worker, user: User | None = None) -> Erasure:
    """Erase a person's identity and edit logs; the campaign decides whether their texts are kept or deleted."""
    writer_stop(worker.pk)
    enrolments = Enrolment.objects.filter(worker=worker).select_related("worker", "link__campaign")
    for enrolment in enrolments:
        lease_give_back(enrolment=enrolment)
    is_first_time = Worker.objects.filter(pk=worker.pk, erased_at=None).update(external_id="", erased_at=database_now())
    BrowserRequest.objects.filter(enrolment__worker=worker).delete()
    worker_browsers_forget(worker=worker)
    QualificationSitting.objects.filter(enrolment__worker=worker).delete()
    PastVisit.objects.filter(enrolment__worker=worker).update(study_id="", session_id="")
    ArmDraw.objects.filter(enrolment__worker=worker).update(enrolment=None)
    enrolments.update(study_id="", session_id="", browser_hash="")
    # What came of a visit stays, since it is what the person is owed for.
    enrolments.filter(outcome=Outcome.WORKING).update(outcome=Outcome.STOPPED_EARLY)
    Exclusion.objects.filter(worker=worker).update(note=ERASED)
    Inclusion.objects.filter(worker=worker).update(note=ERASED)
    _erase_drafts_and_remarks(worker)
    for erase in _of_rooms_above:
        erase(worker)
    written = Compression.objects.filter(worker=worker)
    logs = written.exclude(edit_log=[]).update(edit_log=[])
    written.update(page_record=None)
    RatingVersion.objects.filter(rating__worker=worker).update(page_record=None)
    written.filter(is_flagged=True).update(**NO_FLAGS)
    texts = _delete_texts(worker) if worker.campaign.texts_go_on_erasure else 0
    if is_first_time or logs or texts:
        ErasureToComplete.objects.create()
        subject, detail = f"participant {worker.public_name}", f"{logs} records of edits and {texts} texts"
        audit_record(campaign=worker.campaign, user=user, action="participant erased", subject=subject, detail=detail)
    return Erasure(logs, texts)


def erasures_complete() -> bool:
    """Overwrite what erasures have left in the files of the database; return False if some of it still has to wait.

    Cannot be part of a transaction. A worker tries it from time to time.
    """
    waiting = list(ErasureToComplete.objects.values_list("pk", flat=True))
    if not waiting:
        return True
    if connection.in_atomic_block or not deleted_bytes_overwrite(WRITTEN_TO):
        return False
    ErasureToComplete.objects.filter(pk__in=waiting).delete()
    return True


def _erase_drafts_and_remarks(worker: Worker) -> None:
    """Delete drafts and comments, and clear the texts of other remarks and what staff noted about them."""
    Draft.objects.filter(assignment__worker=worker).delete()
    VisitRules.objects.filter(worker=worker).delete()
    TextFeatures.objects.filter(compression__worker=worker).delete()
    remarks = Remark.objects.filter(assignment__worker=worker)
    remarks.filter(kind=Remark.Kind.COMMENT).delete()
    remarks.update(text="", answer_note="")


def _delete_texts(worker: Worker) -> int:
    """Delete a person's compressions and reopen their slots; texts that others wrote too are kept.

    The assignments stay, as discarded ones: they say how much was submitted, which is paid for.
    """
    written = Compression.objects.filter(worker=worker)
    assignments = Assignment.objects.filter(compression__in=written)
    for item_id in assignments.filter(state=Assignment.State.SUBMITTED).values_list("item_id", flat=True):
        Item.objects.filter(pk=item_id).update(open_slots=F("open_slots") + 1)
    assignments.update(state=Assignment.State.DISCARDED)
    targets = list(texts_only_by(worker).values_list("pk", flat=True))
    number = written.count()
    work_forget(workers=[worker.pk])
    written.delete()
    # Their items stay, closed, with the assignments to them: they say what the raters did, which is paid for.
    items_withdraw(item_ids=targets_delete(Target.objects.filter(pk__in=targets)))
    rating_counts_forget(campaign=worker.campaign)
    return number


def targets_delete(targets: QuerySet[Target]) -> list[int]:
    """Delete texts with their ratings; return the ids of their items in the raters' and experts' work."""
    pairs = Pair.objects.filter(Q(first__in=targets) | Q(second__in=targets))
    experts = ExpertItem.objects.filter(target__in=targets)
    items = [
        *targets.values_list("item_id", flat=True),
        *pairs.values_list("item_id", flat=True),
        *experts.values_list("item_id", flat=True),
    ]
    ratings = Rating.objects.filter(Q(target__in=targets) | Q(pair__in=pairs))
    work_forget(workers=list(ratings.exclude(worker=None).values_list("worker_id", flat=True).distinct()))
    ratings.delete()
    experts.delete()
    pairs.delete()
    targets.delete()
    return items

"""Claim slots of items, block items for workers, and renew, complete, skip, give back and expire leases."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.clock import database_now
from common.errors import AlreadySubmitted, NotYours, SlotTaken, StudyOver, TakenByOther
from common.sql import as_stored
from crowd.models import Assignment, Campaign, Enrolment, Item, Stream
from crowd.selectors.work import WITHDRAWN, is_withdrawn
from crowd.services.claim_statements import ARM_IS_FULL, COMPLETE, FIRST_AVAILABLE, TAKE, TAKE_FIRST
from crowd.services.write_locks import writer_hold, writer_lock

SHORTEST_LIMIT = timedelta(hours=4)
LEASES_AT_MOST = 2  # of campaigns whose leases are longer than that


def longest_hold(campaign: Campaign) -> timedelta:
    """Return how long one person can keep others from a text by renewing its lease."""
    return max(SHORTEST_LIMIT, LEASES_AT_MOST * timedelta(minutes=campaign.lease_minutes))


def lease_end(campaign: Campaign, *, now: datetime, leased_at: datetime | None = None) -> datetime:
    """Return the end of a lease that is taken or renewed now, and was first taken at `leased_at`."""
    begun = leased_at or now
    return min(now + timedelta(minutes=campaign.lease_minutes), begun + longest_hold(campaign))


State = Assignment.State
FINAL_STATES = {State.SUBMITTED, State.SKIPPED, State.DISCARDED}
EXPIRE_BATCH = 200
STUDY_OVER = gettext_lazy("This study has ended, so what you just sent was not saved.")


class NoOpenSlot(Exception):
    """An item has no open slot."""


def slot_claim(item_id: int, enrolment: Enrolment) -> bool:
    """Claim a slot of an item and return whether one was open; if not, the item's row is left unlocked."""
    try:
        with transaction.atomic():
            available = Item.objects.filter(pk=item_id, open_slots__gt=0, is_closed=False)
            if not available.update(open_slots=F("open_slots") - 1) or arm_is_full(item_id, enrolment):
                raise NoOpenSlot
    except NoOpenSlot:
        return False
    return True


def arm_is_full(item_id: int, enrolment: Enrolment) -> bool:
    """Whether the arm of a worker, if they are in one, has all its people on an item.

    That is certain in the transaction that has taken a slot, since others then wait for the item.
    """
    if not enrolment.arm:
        return False
    return ARM_IS_FULL.row(item=item_id, worker=enrolment.worker_id, **of_arm(enrolment)) is not None


def of_arm(enrolment: Enrolment) -> dict[str, Any]:
    """Return the parameters of the statements about the items that the arm of a worker may have."""
    return {"arm": enrolment.arm, "arms": len(enrolment.campaign.arms)}


def available_to(enrolment: Enrolment, stream: str = Stream.WORK) -> dict[str, Any]:
    """Return the parameters of the statements about the items that a worker may have."""
    return {
        "campaign": enrolment.worker.campaign_id,
        "round": enrolment.round,
        "stream": stream,
        "worker": enrolment.worker_id,
    }


def slot_take_first(enrolment: Enrolment) -> int | None:
    """Claim a slot of the first item that a worker may have, without waiting for items that others have locked."""
    row = TAKE_FIRST.row(**available_to(enrolment))
    return row[0] if row else None


def slot_take_among(item_ids: Iterable[int], enrolment: Enrolment) -> int | None:
    """Claim a slot of the first of these items that has one, without waiting for items that others have locked."""
    take = _take_of_arm if enrolment.arm else _take
    return next((item_id for item_id in item_ids if take(item_id, enrolment)), None)


def _take(item_id: int, _enrolment: Enrolment) -> bool:
    return bool(TAKE.run(item=item_id))


def _take_of_arm(item_id: int, enrolment: Enrolment) -> bool:
    """Take a slot unless the arm turns out to have its people, which leaves the item unlocked."""
    try:
        with transaction.atomic():
            if not _take(item_id, enrolment) or arm_is_full(item_id, enrolment):
                raise NoOpenSlot
    except NoOpenSlot:
        return False
    return True


def slot_claim_first(enrolment: Enrolment) -> int | None:
    """Claim a slot of the first item that a worker may have; return the item's id, or None if no slot is open."""
    item_id = slot_take_first(enrolment)
    if item_id is not None:
        return item_id
    # The remaining candidates are locked by others: wait for each until its slot is claimed here or gone.
    while (row := FIRST_AVAILABLE.row(**available_to(enrolment))) is not None:
        if slot_claim(row[0], enrolment):
            return int(row[0])
    return None


def slot_claim_among(item_ids: Sequence[int], enrolment: Enrolment) -> int | None:
    """Claim a slot of the first of these items that still has one; return the item's id, or None."""
    item_id = slot_take_among(item_ids, enrolment)
    return item_id or next((item_id for item_id in item_ids if slot_claim(item_id, enrolment)), None)


def items_block_for_workers_of(*, pairs: Iterable[tuple[int, int]], work_round: str, only_had: bool = False) -> None:
    """For each pair (new item, older item), block the new item for everybody with an assignment to the older one.

    That includes workers for whom the older item is itself blocked, unless `only_had` is set.

    Call inside a transaction. The older items are locked first, so a concurrent claim of one of them is either seen
    here or sees the conflict itself.
    """
    newer_of: dict[int, list[int]] = {}
    for newer, older in pairs:
        newer_of.setdefault(older, []).append(newer)
    list(Item.objects.filter(pk__in=newer_of).order_by("pk").select_for_update(no_key=True))
    had = Assignment.objects.filter(item__in=newer_of).values_list("item_id", "worker_id")
    had = had.exclude(state=State.BLOCKED) if only_had else had
    rows = [
        Assignment(item_id=newer, worker_id=worker_id, round=work_round, state=State.BLOCKED)
        for older, worker_id in had
        for newer in newer_of[older]
    ]
    Assignment.objects.bulk_create(rows, batch_size=1000, ignore_conflicts=True)


# What becomes of a lease


def assignment_renew(*, assignment_id: int, enrolment: Enrolment) -> Assignment:
    """Renew a lease while its page is open. An outdated page does not reclaim a lease next to a newer one."""
    try:
        return _renew(assignment_id, enrolment)
    except IntegrityError:  # the same person claimed another task concurrently
        return _renew(assignment_id, enrolment)


@transaction.atomic
def _renew(assignment_id: int, enrolment: Enrolment) -> Assignment:
    """Renew a task's lease together with the others on its page."""
    assignment = _own_assignment(assignment_id, enrolment)
    leased = [row for row in own_unfinished(enrolment) if row.state == State.LEASED]
    if enrolment.campaign.is_final and assignment.state not in FINAL_STATES:
        raise StudyOver(STUDY_OVER)
    newer = any(row.page_position == assignment.page_position and row.pk != assignment_id for row in leased)
    if assignment.state in FINAL_STATES or newer:
        return assignment
    now = database_now()
    for row in leased:
        if row.pk != assignment_id:
            lease_renew(row, enrolment, now)
    is_renewed = lease_renew(assignment, enrolment, now)
    if not is_renewed and not lease_reclaim(assignment, enrolment, now, assignment.page_position):
        raise _slot_gone(assignment)
    return assignment


def assignment_complete(*, assignment_id: int, enrolment: Enrolment) -> bool:
    """Mark an assignment as submitted; call inside the transaction that stores the work.

    Return False if it was submitted before; the caller then answers as it did the first time. Late work is accepted
    while the item has an open slot.
    """
    now, is_over = database_now(), enrolment.campaign.is_final
    mine = {"assignment": assignment_id, "worker": enrolment.worker_id, "round": enrolment.round}
    if not is_over and COMPLETE.run(now=as_stored(now), **mine):
        return True
    writer_lock(enrolment.worker_id)
    assignment = _own_assignment(assignment_id, enrolment)
    if assignment.state in {State.SUBMITTED, State.DISCARDED}:
        return False
    if is_over:
        raise StudyOver(STUDY_OVER)
    if assignment.state == State.SKIPPED:
        raise SlotTaken(_("You skipped this text, so someone else will work on it."))
    if _is_excluded(enrolment):
        raise SlotTaken(_("Your part in this study has ended, so this text went to someone else."))
    # Another tab may have reclaimed the lease since the update above.
    if assignment.state != State.LEASED and not slot_claim(assignment.item_id, enrolment):
        raise _slot_gone(assignment)
    Assignment.objects.filter(pk=assignment_id).update(state=State.SUBMITTED, submitted_at=now)
    return True


@transaction.atomic
def assignment_skip(*, assignment_id: int, enrolment: Enrolment) -> None:
    """Give a task back for good: its slot goes to somebody else, and this worker will not see it again."""
    writer_lock(enrolment.worker_id)
    assignment = _own_assignment(assignment_id, enrolment)
    if assignment.state in {State.SUBMITTED, State.DISCARDED}:
        raise AlreadySubmitted(_("You have submitted this text, so you can’t skip it any more."))
    Assignment.objects.filter(pk=assignment_id).update(state=State.SKIPPED)
    if assignment.state == State.LEASED:
        Item.objects.filter(pk=assignment.item_id).update(open_slots=F("open_slots") + 1)


@transaction.atomic
def lease_give_back(*, enrolment: Enrolment) -> None:
    """End the worker's leases early; they get the tasks back if they return while the slots are open."""
    for assignment in own_unfinished(enrolment):
        if Assignment.objects.filter(pk=assignment.pk, state=State.LEASED).update(state=State.EXPIRED):
            Item.objects.filter(pk=assignment.item_id).update(open_slots=F("open_slots") + 1)


def leases_expire(*, campaign_id: int, now: datetime, except_worker: int | None = None) -> int:
    """Expire overdue leases, except those of one worker, and reopen their slots; return how many were expired."""
    overdue = Assignment.objects.filter(state=State.LEASED, lease_ends_at__lt=now, worker__campaign_id=campaign_id)
    overdue = overdue.exclude(worker_id=except_worker) if except_worker else overdue
    if not overdue.exists():
        return 0
    with transaction.atomic():
        locked = overdue.select_related("item").select_for_update(skip_locked=True, no_key=True, of=("self", "item"))
        rows = list(locked[:EXPIRE_BATCH])
        Assignment.objects.filter(pk__in=[row.pk for row in rows]).update(state=State.EXPIRED)
        for item_id, slots in Counter(row.item_id for row in rows).items():
            Item.objects.filter(pk=item_id).update(open_slots=F("open_slots") + slots)
    return len(rows)


def _of_worker(enrolment: Enrolment) -> QuerySet[Assignment]:
    return Assignment.objects.filter(worker_id=enrolment.worker_id, round=enrolment.round)


def own_unfinished(enrolment: Enrolment) -> list[Assignment]:
    return list(_of_worker(enrolment).filter(state__in=[State.LEASED, State.EXPIRED]).order_by("pk"))


def may_hold_work(enrolment: Enrolment) -> bool:
    """Whether this person may take a lease, now and until the transaction ends."""
    return writer_hold(enrolment.worker_id) and not _is_excluded(enrolment)


def _is_excluded(enrolment: Enrolment) -> bool:
    """Whether staff have excluded this person since the enrolment was read."""
    return Enrolment.objects.filter(pk=enrolment.pk, is_excluded=True).exists()


def _slot_gone(assignment: Assignment) -> SlotTaken:
    """Return why a slot cannot be had again, in words for the worker."""
    if is_withdrawn(assignment):
        return SlotTaken(WITHDRAWN)
    return TakenByOther(_("Someone else has this text now, because your reservation ran out."))


def _own_assignment(assignment_id: int, enrolment: Enrolment) -> Assignment:
    rows = _of_worker(enrolment).select_for_update(no_key=True).exclude(state=State.BLOCKED)
    assignment = rows.filter(pk=assignment_id).first()
    if assignment is None:
        raise NotYours(_("This text does not exist, or it is not yours."))
    return assignment


def lease_renew(assignment: Assignment, enrolment: Enrolment, now: datetime) -> bool:
    """Extend a live lease; return False if it has ended in the meantime."""
    ends_at = lease_end(enrolment.campaign, now=now, leased_at=assignment.leased_at)
    if not Assignment.objects.filter(pk=assignment.pk, state=State.LEASED).update(lease_ends_at=ends_at):
        return False
    assignment.state, assignment.lease_ends_at = State.LEASED, ends_at
    return True


def lease_reclaim(assignment: Assignment, enrolment: Enrolment, now: datetime, page_position: int) -> bool:
    """Make an expired lease live again; return False if no slot of its item is open."""
    ends_at = lease_end(enrolment.campaign, now=now, leased_at=assignment.leased_at)
    try:
        with transaction.atomic():
            if not may_hold_work(enrolment):
                raise NoOpenSlot
            expired = Assignment.objects.filter(pk=assignment.pk, state=State.EXPIRED)
            live: dict[str, Any] = {"state": State.LEASED, "lease_ends_at": ends_at, "page_position": page_position}
            if not expired.update(**live, link=enrolment.link_id) or not slot_claim(assignment.item_id, enrolment):
                raise NoOpenSlot
    except NoOpenSlot:
        return False
    assignment.state, assignment.lease_ends_at, assignment.page_position = State.LEASED, ends_at, page_position
    return True

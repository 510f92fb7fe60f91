"""Hand out work: claim the next tasks of a worker, and the one after a submission within it.

How a claim works:

1. If the worker holds live leases, they are renewed and returned, so a reload never takes more items. The remaining
   tasks of a page are finished before a new page is filled. How often a lease can be renewed is limited
   (`crowd/services/leases.py`).
2. If one of the worker's own leases has expired, it is reclaimed while a slot of its item is open: their draft is
   kept there.
3. Otherwise, take the first item, in the drawn order, that has an open slot and no row of this worker. On PostgreSQL,
   items locked by others are skipped (SKIP LOCKED), so claims do not queue; the claim waits for them only if nothing
   else is left. On SQLite, the transaction holds the database's single write lock from the start. A round may define
   its own order (`crowd/round_registry.py`); it is read before the transaction, and its items are tried one by one.
4. The slot is claimed, the assignment is written, and the items that conflict with it are blocked for the worker.
5. Only if there is no such item, overdue leases of others are expired and the search is repeated: late work is
   accepted until somebody else needs the slot.
6. If a page holds several tasks, steps 2 to 5 are repeated for each page position.

Most claims follow a submission. Its transaction also claims the next task (`crowd/services/claims.py`) by steps 3
and 4, if that needs no waiting; if not, the claim above comes after it.

Whatever can be read before a transaction is read there. The conditions of each update and the constraints check it
again, so locks are held only for the writes.

Locks are always taken in the same order, the worker's assignments before an item, and a transaction that holds an
item never waits for another: expiring leases skips locked rows, and a failed claim of a slot leaves no lock behind.
So claims do not deadlock. The locks are FOR NO KEY UPDATE: rows that merely reference a locked row can still be
written.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial

from django.db import IntegrityError, transaction

from common.clock import database_now
from common.inserts import insert, insert_unless_there
from common.telemetry import claim_counted
from crowd.models import NO_MORE, Assignment, Enrolment
from crowd.round_registry import round_pages
from crowd.selectors.work import OwnCounts, own_counts
from crowd.services.claim_statements import BLOCK_CONFLICTING, GIVE_BACK
from crowd.services.leases import (
    lease_end,
    lease_reclaim,
    lease_renew,
    leases_expire,
    may_hold_work,
    own_unfinished,
    slot_claim_among,
    slot_claim_first,
    slot_take_among,
    slot_take_first,
)

State = Assignment.State
CLAIM_ATTEMPTS = 5


def assignment_claim(*, enrolment: Enrolment) -> Assignment | None:
    """Lease the tasks of a worker's next page and return the first; None if no work is left for them."""
    if enrolment.outcome in NO_MORE or enrolment.campaign.is_final:
        return None  # nor what they hold: a study that has ended takes nothing more
    now = database_now()
    for _attempt in range(CLAIM_ATTEMPTS - 1):
        with suppress(IntegrityError):  # another tab of the same person made a lease; the next attempt returns it
            return _claim(enrolment, now)
    return _claim(enrolment, now)


def _claim(enrolment: Enrolment, now: datetime) -> Assignment | None:
    """Read outside any transaction; each lease is then taken by a conditional update of its own."""
    counts = own_counts(enrolment)
    own = own_unfinished(enrolment) if counts.unfinished else []
    if live := _renewed_leases(own, enrolment, now):
        return live[0]
    campaign = enrolment.campaign
    remaining = campaign.tasks_per_worker(enrolment.round) - counts.by_link
    if not enrolment.takes_work or remaining <= 0:
        return None
    page: list[Assignment] = []
    for page_position in range(min(remaining, campaign.tasks_per_page(enrolment.round))):
        assignment = _lease_one(own, enrolment, now, counts, page_position)
        if assignment is None:
            break
        page.append(assignment)
    # If nothing was found, another tab of the same person may have claimed it in the meantime.
    return page[0] if page else next((row for row in own_unfinished(enrolment) if row.state == State.LEASED), None)


def _renewed_leases(own: list[Assignment], enrolment: Enrolment, now: datetime) -> list[Assignment]:
    leased = [row for row in own if row.state == State.LEASED]
    return [row for row in sorted(leased, key=lambda row: row.page_position) if lease_renew(row, enrolment, now)]


def _lease_one(
    own: list[Assignment], enrolment: Enrolment, now: datetime, counts: OwnCounts, page_position: int
) -> Assignment | None:
    """Lease a task for a page position; the rows of `own` that are tried are removed from it."""
    while own:
        assignment = own.pop(0)
        if lease_reclaim(assignment, enrolment, now, page_position):
            return assignment
    leased = _new_lease(enrolment, now, counts, page_position)
    if leased is None and leases_expire(campaign_id=enrolment.campaign.pk, now=now, except_worker=enrolment.worker_id):
        leased = _new_lease(enrolment, now, counts, page_position)
    if leased is not None:
        claim_counted(enrolment.round)
    return leased


def _new_lease(enrolment: Enrolment, now: datetime, counts: OwnCounts, page_position: int) -> Assignment | None:
    rank_candidates = round_pages(enrolment).rank_candidates
    if rank_candidates is None:
        return _create_lease(enrolment, now, page_position, lambda: slot_claim_first(enrolment))
    number = counts.submitted + page_position + 1
    for items in rank_candidates(enrolment, number):
        if items and (
            lease := _create_lease(enrolment, now, page_position, partial(slot_claim_among, items, enrolment))
        ):
            return lease
    return None


@transaction.atomic
def _create_lease(
    enrolment: Enrolment, now: datetime, page_position: int, claim_slot: Callable[[], int | None]
) -> Assignment | None:
    item_id = claim_slot() if may_hold_work(enrolment) else None
    if item_id is None:
        return None
    lease = new_lease(enrolment, item_id, now, page_position)
    insert(lease)
    _follow(enrolment, lease)
    return lease


def _follow(enrolment: Enrolment, lease: Assignment) -> None:
    """Do what follows from a new lease, in its transaction."""
    BLOCK_CONFLICTING.run(item=lease.item_id, worker=enrolment.worker_id)
    if (leased := round_pages(enrolment).leased) is not None:
        leased(enrolment, lease)


def new_lease(enrolment: Enrolment, item_id: int, now: datetime, page_position: int = 0) -> Assignment:
    """Return the row of a new lease, not yet stored."""
    return Assignment(
        item_id=item_id,
        worker_id=enrolment.worker_id,
        round=enrolment.round,
        link_id=enrolment.link_id,
        state=State.LEASED,
        page_position=page_position,
        leased_at=now,
        lease_ends_at=lease_end(enrolment.campaign, now=now),
    )


class TaskAhead:
    """The task after the one that is being submitted. `assignment_id` is None until it is taken.

    Create it before the transaction of the submission, and call `take` at its end.
    """

    def __init__(self, enrolment: Enrolment, submitting: Assignment) -> None:
        self.enrolment = enrolment
        self.assignment_id: int | None = None
        number = _number_of_next(enrolment) if submitting.state == Assignment.State.LEASED else None
        self._is_due = number is not None
        self._ranked = None if number is None else _best_items(enrolment, number)

    def take(self) -> None:
        """Lease the next task if that can be had without waiting; call inside the transaction of the submission."""
        self.assignment_id = self._lease() if self._is_due else None

    def _lease(self) -> int | None:
        enrolment, ranked = self.enrolment, self._ranked
        item_id = slot_take_first(enrolment) if ranked is None else slot_take_among(ranked, enrolment)
        if item_id is None:
            return None
        lease = new_lease(enrolment, item_id, database_now())
        if not insert_unless_there(lease):
            GIVE_BACK.run(item=item_id)
            return None
        _follow(enrolment, lease)
        return lease.pk


def _best_items(enrolment: Enrolment, number: int) -> list[int] | None:
    """Return the items to try for a worker's `number`-th task, best first; None in rounds with the drawn order."""
    rank_candidates = round_pages(enrolment).rank_candidates
    return None if rank_candidates is None else next(filter(None, rank_candidates(enrolment, number)), [])


def _number_of_next(enrolment: Enrolment) -> int | None:
    """Return the number of the worker's next task, from 1; None if it is left to an ordinary claim."""
    campaign = enrolment.campaign
    may_work = not enrolment.is_excluded and enrolment.outcome not in NO_MORE
    if not may_work or not enrolment.takes_work:
        return None
    if enrolment.must_read_guidelines or campaign.tasks_per_page(enrolment.round) > 1:
        return None
    if round_pages(enrolment).entry_page(enrolment):
        return None
    counts = own_counts(enrolment)
    # The one being submitted is not counted yet.
    is_left = counts.by_link + 2 <= campaign.tasks_per_worker(enrolment.round)
    return counts.submitted + 2 if is_left and counts.unfinished == 1 else None

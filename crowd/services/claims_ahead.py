"""Claim the next task in the transaction that stores a submission.

Somebody who submits a text is given the next one at once, so both are one transaction: the disk is waited for once. The
submission must never fail or wait because of it. What can be read is read before; only items that nobody else has
locked are taken; and where anything is out of the ordinary, nothing is taken, and an ordinary claim follows
(`crowd/services/claims.py`): other unfinished tasks, pages of several tasks, guidelines to be read again, a lease that
another tab has just made.
"""

from common.clock import database_now
from common.inserts import insert_unless_there
from crowd.models import NO_MORE, Assignment, Enrolment
from crowd.round_registry import round_pages
from crowd.selectors.work import work_tally
from crowd.services.claim_statements import BLOCK_CONFLICTING, GIVE_BACK
from crowd.services.claims import new_lease
from crowd.services.item_slots import slot_take_among, slot_take_first


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
        item_id = slot_take_first(enrolment) if ranked is None else slot_take_among(ranked)
        if item_id is None:
            return None
        lease = new_lease(enrolment, item_id, database_now())
        if not insert_unless_there(lease):
            GIVE_BACK.run(item=item_id)
            return None
        BLOCK_CONFLICTING.run(item=item_id, worker=enrolment.worker_id)
        return lease.pk


def _best_items(enrolment: Enrolment, number: int) -> list[int] | None:
    """Return the items to try for a worker's `number`-th task, best first; None in rounds with the drawn order."""
    rank_candidates = round_pages(enrolment.round).rank_candidates
    return None if rank_candidates is None else next(filter(None, rank_candidates(enrolment, number)), [])


def _number_of_next(enrolment: Enrolment) -> int | None:
    """Return the number of the worker's next task, from 1; None if it is left to an ordinary claim."""
    campaign = enrolment.campaign
    may_work = not enrolment.is_excluded and enrolment.outcome not in NO_MORE
    if not may_work or not enrolment.takes_work:
        return None
    if enrolment.must_read_guidelines or campaign.tasks_per_page(enrolment.round) > 1:
        return None
    if round_pages(enrolment.round).entry_check(enrolment):
        return None
    tally = work_tally(enrolment)
    # The one being submitted is not counted yet.
    is_left = tally.by_link + 2 <= campaign.tasks_per_worker(enrolment.round)
    return tally.submitted + 2 if is_left and tally.unfinished == 1 else None

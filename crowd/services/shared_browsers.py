"""Keep the work of people apart who share a browser: possibly the same person, who came twice.

A browser that was one participant of a campaign and comes as another, by another link or with another id, is let in: a
shared device looks the same. But neither of the two is given anything from then on by which one person would meet
their own texts:

- a rater or an expert is not given a compression that the other wrote, alone or side by side;
- an editor is not given a source that the other has been given, whatever became of that.

What somebody was given before their browser was shared stays theirs.

These are blocked assignments, like those of a text's own author, so claims need no further statement. Work that was
done before is blocked when a person comes (`people_of_browser_separate`), and work that comes later by the statements
that store it: `BLOCK_CONFLICTING` in `crowd/services/claim_statements.py` for the source of a claim, and `BLOCK_RATING`
in `compressions/services/targets.py` for a text; for one that another had written first, also `BLOCK_TEXT_AGAIN` in
`ratings/services/experts.py`. They look the browsers up themselves, because what the request read before its
transaction may be old.

Two entries at the same moment, or an entry during a submission, do not miss each other: an entry is committed before
it looks for others, and it then waits for the submissions that began without knowing of it.
"""

from django.db import transaction

from common.clock import database_now
from common.sql import Statement, as_stored
from crowd.models import Assignment, Worker
from crowd.round_registry import all_round_pages
from crowd.selectors.shared_browsers import workers_of_same_browsers
from crowd.selectors.work import UNFINISHED

# Nobody's browser is stored after their erasure, and none of those who are no participants.
NOTE_BROWSER = Statement("""
    INSERT INTO crowd_workerbrowser (worker_id, browser_hash, first_used_at)
    SELECT w.id, %(browser)s, %(now)s FROM crowd_worker w
    WHERE w.id = %(worker)s AND w.erased_at IS NULL AND NOT w.is_test AND NOT w.is_simulated
    {shared}
    ON CONFLICT DO NOTHING
""")


def worker_browser_note(*, worker_id: int, browser: str) -> None:
    """Store in which browser a person takes part; without a browser there is nothing to store."""
    if browser:
        NOTE_BROWSER.run(worker=worker_id, browser=browser, now=as_stored(database_now()))


def people_of_browser_separate(*, worker_id: int) -> None:
    """Block for a person what those of the same browsers did, and the other way round.

    Call after the transaction that noted the browser. Each statement is by itself and may be run again.
    """
    others = [other.pk for other in workers_of_same_browsers(worker_id)]
    if not others:
        return
    _submissions_await([worker_id, *others])
    for other in others:
        for author, reader in ((worker_id, other), (other, worker_id)):
            for pages in all_round_pages():
                if pages.block_work_of is not None:
                    pages.block_work_of(author, reader)


def _submissions_await(worker_ids: list[int]) -> None:
    """Wait for submissions that began before the browser was noted; one at a time, so that nobody waits for us."""
    unfinished = Assignment.objects.filter(worker__in=worker_ids, state__in=UNFINISHED)
    for pk in list(unfinished.order_by("pk").values_list("pk", flat=True)):
        with transaction.atomic():
            list(Assignment.objects.filter(pk=pk).select_for_update(no_key=True).values_list("pk"))


def worker_browsers_forget(*, worker: Worker) -> None:
    """Delete which browsers a person used. What was blocked because of them stays blocked."""
    worker.browsers.all().delete()

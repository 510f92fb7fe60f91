"""Registry of the pages and hooks that each round adds to the common worker flow; the apps register them here."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from crowd.models import Assignment, Campaign, Enrolment

# (enrolment, 1-based number of the worker's next task) -> ids of items that they may have, in the order to try them; in
# parts, so that a later one is looked for only if nothing of the earlier ones can be had.
RankCandidates = Callable[[Enrolment, int], Iterable[list[int]]]
# (author, reader), both ids of workers: block for the reader what the author did, as far as this round would show it.
BlockWorkOf = Callable[[int, int], None]
# (text, author), ids of a distinct text and a worker: the same for a text of others that the author wrote, too.
BlockTextAgain = Callable[[int, int], None]


@dataclass(frozen=True)
class RoundPages:
    """The pages and hooks of a round.

    `task_url` is the URL name of a task page. `entry_check` returns the URL name of a page that the worker must pass
    before any task, or None; by default there is none. `review_url` is the URL name of a page on which answers can be
    corrected, if any. `next_visit` returns from when on somebody who has finished may begin a later part of the study,
    or None. `rank_candidates` orders the items to try; by default they are tried in the drawn order.
    `joined` is called in the transaction in which somebody joins, `leased` in that in which they get a task, whose item
    is locked meanwhile, so it must not wait for another; `after_exclusion` when a participant of the campaign
    has withdrawn, `block_work_of` for two who share a
    browser, and `block_text_again` when an editor submits what another had written.
    """

    task_url: str
    entry_check: Callable[[Enrolment], str | None] | None = None
    review_url: str = ""
    next_visit: Callable[[Enrolment], datetime | None] | None = None
    rank_candidates: RankCandidates | None = None
    joined: Callable[[Enrolment], None] | None = None
    leased: Callable[[Enrolment, Assignment], None] | None = None
    after_exclusion: Callable[[Campaign], None] | None = None
    block_work_of: BlockWorkOf | None = None
    block_text_again: BlockTextAgain | None = None

    def entry_page(self, enrolment: Enrolment) -> str | None:
        """Return the URL name of the page that the worker must pass before any task, or None."""
        return self.entry_check(enrolment) if self.entry_check else None


_pages: dict[tuple[str, str], RoundPages] = {}


def round_register(work_round: str, pages: RoundPages, *, task: str = "") -> None:
    """Register the pages of a round, or those of a judgement task that has a part of its own in it."""
    _pages[work_round, task] = pages


def round_pages(enrolment: Enrolment) -> RoundPages:
    """Return the pages that a participant gets."""
    return _pages.get((enrolment.round, enrolment.campaign.rating_task)) or _pages[enrolment.round, ""]


def all_round_pages() -> list[RoundPages]:
    return list(_pages.values())

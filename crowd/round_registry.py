"""What each round adds to the common way of a worker; the rooms of the rounds register themselves here."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from crowd.models import Enrolment, Item

# Who wants work, the ids of the items that they may have, which task of theirs it will be: the items to try, in order.
RankCandidates = Callable[[Enrolment, "QuerySet[Item, int]", int], Iterable[int]]


@dataclass(frozen=True)
class RoundPages:
    """The pages and the ways of a round.

    `task_url` names the page of an assignment; `entry_check` returns a page to pass before any of them, or nothing;
    `review_url` names a page on which people look over their answers before they finish. `rank_candidates` gives the
    order in which items are tried; without it that is the drawn order.
    """

    task_url: str
    entry_check: Callable[[Enrolment], str | None]
    review_url: str = ""
    rank_candidates: RankCandidates | None = None


_pages: dict[str, RoundPages] = {}


def round_register(work_round: str, pages: RoundPages) -> None:
    _pages[work_round] = pages


def round_pages(work_round: str) -> RoundPages:
    return _pages[work_round]

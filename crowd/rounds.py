"""What each round adds to the common way of a worker; the rooms of the rounds register themselves here."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from crowd.models import Enrolment, Item

# Who wants work, the ids of the items that they may have, which task of theirs it will be: the items to try, in order.
Prefer = Callable[[Enrolment, "QuerySet[Item, int]", int], Iterable[int]]


@dataclass(frozen=True)
class RoundPages:
    """The pages and the ways of a round.

    `task_url` names the page of an assignment, `gate` a page to be passed before any, or nothing, and `review_url` a
    page on which people look their answers over before they finish. `prefer` gives the order in which items are tried;
    without it that is the drawn order.
    """

    task_url: str
    gate: Callable[[Enrolment], str | None]
    review_url: str = ""
    prefer: Prefer | None = None


_pages: dict[str, RoundPages] = {}


def round_register(work_round: str, pages: RoundPages) -> None:
    _pages[work_round] = pages


def round_pages(work_round: str) -> RoundPages:
    return _pages[work_round]

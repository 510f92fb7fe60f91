"""What each round adds to the common way of a worker; the rooms of the rounds register themselves here."""

from collections.abc import Callable
from dataclasses import dataclass

from crowd.models import Enrolment


@dataclass(frozen=True)
class RoundPages:
    """`task_url` names the page of an assignment; `gate` names a page to be passed before any, or nothing."""

    task_url: str
    gate: Callable[[Enrolment], str | None]


_pages: dict[str, RoundPages] = {}


def round_register(work_round: str, pages: RoundPages) -> None:
    _pages[work_round] = pages


def round_pages(work_round: str) -> RoundPages:
    return _pages[work_round]

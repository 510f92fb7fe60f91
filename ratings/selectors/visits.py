"""Query the visits of a round: who came by which link, and the work that came of it."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models.functions import Coalesce

from crowd.models import Campaign, Enrolment, JoinLink, Outcome, PaidVisit, PastVisit
from ratings.selectors.visit_work import NO_WORK, Work, WorkByVisit, work_by_visit


class Person(NamedTuple):
    """What lists say of a person of a round: plain values, since instances of models take long to make for thousands.

    `pk` is that of the worker.
    """

    pk: int
    number: int
    imported_name: str
    platform_key: str
    external_id: str
    is_test: bool
    is_simulated: bool
    erased_at: datetime | None
    arm: str
    is_excluded: bool

    @property
    def public_name(self) -> str:
        """The pseudonym, as `Worker` says it."""
        return self.imported_name or str(self.number)


OF_ENROLMENT = ("arm", "is_excluded")
PERSON = tuple(name if name in OF_ENROLMENT else f"worker__{name}" for name in Person._fields)
VISIT = ("link_id", "study_id", "session_id", "outcome")


class Visit(NamedTuple):
    """One person's visit by one link; who came by two links of a round has two."""

    worker: Person
    link: JoinLink
    study_id: str
    session_id: str
    outcome: str
    began_at: datetime
    work: Work = NO_WORK
    paid_at: datetime | None = None
    """When staff marked it as paid; None if they have not."""

    @property
    def outcome_words(self) -> str:
        return str(Outcome(self.outcome).label)

    @property
    def code(self) -> str:
        """The completion code shown to the person at the end of the visit; empty if none was."""
        return self.link.code_for(self.outcome, self.work.submitted)

    @property
    def is_paid_in_part(self) -> bool:
        """Whether the person stopped early, and has the code for partial pay."""
        return self.outcome == Outcome.STOPPED_EARLY and bool(self.code)

    @property
    def elapsed_ms(self) -> int | None:
        """The time from consent to the last submission, absences included; None without a submission."""
        return _milliseconds(self.began_at, self.work.last_at)

    @property
    def before_ms(self) -> int | None:
        """The time from consent to the first task: guidelines, practice and test."""
        return _milliseconds(self.began_at, self.work.claimed_at)


def _milliseconds(start: datetime, end: datetime | None) -> int | None:
    return None if end is None else max(0, round((end - start).total_seconds() * 1000))


@dataclass(frozen=True)
class Visitor:
    """One person's visits of a round, the current one last."""

    worker: Person
    visits: tuple[Visit, ...]

    @property
    def current(self) -> Visit:
        return self.visits[-1]

    @cached_property
    def submitted(self) -> int:
        return sum(visit.work.submitted for visit in self.visits)

    @cached_property
    def flagged(self) -> int:
        return sum(visit.work.flagged for visit in self.visits)

    @cached_property
    def first_at(self) -> datetime | None:
        return min((visit.work.first_at for visit in self.visits if visit.work.first_at), default=None)

    @cached_property
    def last_at(self) -> datetime | None:
        return max((visit.work.last_at for visit in self.visits if visit.work.last_at), default=None)

    @cached_property
    def active_ms(self) -> int | None:
        known = [visit.work.active_ms for visit in self.visits if visit.work.active_ms is not None]
        return sum(known) if known else None


def visitors_of_round(campaign: Campaign, work_round: str, *, only: Collection[int] | None = None) -> Iterator[Visitor]:
    """Yield the people of a round by number, or `only` workers of some ids, in a fixed number of queries.

    People of imported releases have not enrolled, so they are not among them.
    """
    of_whom = {"worker__campaign": campaign} if only is None else {"worker__in": only}
    enrolments = Enrolment.objects.filter(round=work_round, **of_whom).order_by("worker__number")
    rows = list(enrolments.values_list(*PERSON, *VISIT, Coalesce("visit_began_at", "consented_at")))
    if not rows:
        return
    links = {link.pk: link for link in JoinLink.objects.filter(campaign=campaign, round=work_round)}
    for link in links.values():
        link.campaign = campaign  # which says who gets a code
    of_whom_past = {} if only is None else {"enrolment__worker__in": only}
    before = PastVisit.objects.filter(link__in=list(links), **of_whom_past).order_by("began_at", "pk")
    past: dict[int, list[Told]] = {}
    for worker, *told in before.values_list("enrolment__worker_id", *VISIT, "began_at"):
        past.setdefault(worker, []).append(tuple(told))
    known = _Known(links, work_by_visit(campaign, work_round, only), _paid(links, only))
    end = len(PERSON)
    for row in rows:
        yield _visitor(known, Person(*row[:end]), row[end:], past)


Told = tuple[Any, ...]
"""A link with the ids and the outcome of a visit by it, and when it began."""


class _Known(NamedTuple):
    """What is looked up for all visits at once."""

    links: dict[int, JoinLink]
    work: WorkByVisit
    paid: dict[tuple[int, int], datetime]

    def visit(self, worker: Person, told: Told) -> Visit:
        link, study, session, outcome, began = told
        key = worker.pk, link
        return Visit(worker, self.links[link], study, session, outcome, began, self.work.of(key), self.paid.get(key))


def _paid(links: Collection[int], only: Collection[int] | None) -> dict[tuple[int, int], datetime]:
    marked = PaidVisit.objects.filter(link__in=list(links), **({} if only is None else {"worker__in": only}))
    return {(worker, link): at for worker, link, at in marked.values_list("worker_id", "link_id", "paid_at")}


def _visitor(known: _Known, worker: Person, now: Told, past: Mapping[int, Iterable[Told]]) -> Visitor:
    if worker.pk not in past:
        return Visitor(worker, (known.visit(worker, now),))
    *told, began = now
    visits = {each[0]: known.visit(worker, each) for each in past[worker.pk]}
    # Someone who came back by an earlier link goes on with that visit.
    before = visits.pop(told[0], None)
    visits[told[0]] = known.visit(worker, (*told, before.began_at if before else began))
    return Visitor(worker, tuple(visits.values()))

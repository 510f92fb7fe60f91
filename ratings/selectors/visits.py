"""Query the visits of a round: who came by which link, and the work that came of it."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db.models import Count, Max, Min, Q, QuerySet, Sum

from compressions.models import Compression
from crowd.models import Assignment, Campaign, Enrolment, JoinLink, Outcome, PaidVisit, PastVisit, Round, Worker

DONE = [Assignment.State.SUBMITTED, Assignment.State.DISCARDED]


@dataclass(frozen=True)
class Work:
    """What one person submitted by one link; `kept` of it was not discarded with an exclusion. They `skipped` others.

    `active_ms` sums the times that are known, those of `timed` tasks; None without any.
    """

    flagged: int = 0
    submitted: int = 0
    kept: int = 0
    skipped: int = 0
    claimed_at: datetime | None = None
    first_at: datetime | None = None
    last_at: datetime | None = None
    active_ms: int | None = None
    timed: int = 0

    @property
    def known_active_ms(self) -> int | None:
        """The active time if that of every task is known."""
        return self.active_ms if self.timed == self.submitted else None


@dataclass(frozen=True)
class Visit:
    """One person's visit by one link; who came by two links of a round has two."""

    worker: Worker
    campaign: Campaign
    link: JoinLink
    study_id: str
    session_id: str
    outcome: str
    began_at: datetime
    work: Work = Work()
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

    enrolment: Enrolment
    visits: tuple[Visit, ...]

    @property
    def worker(self) -> Worker:
        return self.enrolment.worker

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


def visitors_of_round(
    campaign: Campaign, work_round: str, *, only: Collection[int] | None = None, with_times: bool = True
) -> list[Visitor]:
    """Return the people of a round by number, or `only` workers of some ids, in a fixed number of queries.

    Without times, only the work is counted, by an index alone. People of imported releases have not enrolled, so they
    are not among them.
    """
    of_whom = {"worker__campaign": campaign} if only is None else {"worker__in": only}
    links = {link.pk: link for link in JoinLink.objects.filter(campaign=campaign, round=work_round)}
    for link in links.values():
        link.campaign = campaign  # which says who gets a code
    past: dict[int, list[PastVisit]] = {}
    of_whom_past = {} if only is None else {"enrolment__worker__in": only}
    for each in PastVisit.objects.filter(link__in=list(links), **of_whom_past).order_by("began_at", "pk"):
        past.setdefault(each.enrolment_id, []).append(each)
    known = _Known(campaign, links, _work_by_person(work_round, of_whom, with_times=with_times), _paid(links, only))
    enrolments = Enrolment.objects.filter(round=work_round, **of_whom).select_related("worker")
    return [
        Visitor(each, _visits(known, each, past.get(each.pk, ()))) for each in enrolments.order_by("worker__number")
    ]


@dataclass(frozen=True)
class _Known:
    """What is looked up for all visits at once."""

    campaign: Campaign
    links: dict[int, JoinLink]
    work: dict[int, dict[int | None, Work]]
    paid: dict[tuple[int, int], datetime]

    def visit(self, enrolment: Enrolment, told: Enrolment | PastVisit, began: datetime) -> Visit:
        worker, link = enrolment.worker, told.link_id
        return Visit(
            *(worker, self.campaign, self.links[link], told.study_id, told.session_id, told.outcome, began),
            work=self.work.get(worker.pk, {}).get(link, Work()),
            paid_at=self.paid.get((worker.pk, link)),
        )


def _paid(links: Collection[int], only: Collection[int] | None) -> dict[tuple[int, int], datetime]:
    marked = PaidVisit.objects.filter(link__in=list(links), **({} if only is None else {"worker__in": only}))
    return {(worker, link): at for worker, link, at in marked.values_list("worker_id", "link_id", "paid_at")}


def _visits(known: _Known, enrolment: Enrolment, past: Iterable[PastVisit]) -> tuple[Visit, ...]:
    visits = {each.link_id: known.visit(enrolment, each, each.began_at) for each in past}
    # Someone who came back by an earlier link goes on with that visit.
    before = visits.pop(enrolment.link_id, None)
    began = before.began_at if before else enrolment.visit_began_at or enrolment.consented_at
    visits[enrolment.link_id] = known.visit(enrolment, enrolment, began)
    return tuple(visits.values())


def _work_by_person(work_round: str, of_whom: dict[str, Any], *, with_times: bool) -> dict[int, dict[int | None, Work]]:
    """Return what each person submitted and skipped by each link, that of excluded people included."""
    flagged = _flagged(work_round, of_whom)
    found: dict[int, dict[int | None, Work]] = {}
    counted = _counted(work_round, of_whom)
    for worker, link, *told in _timed(counted, work_round) if with_times else counted:
        found.setdefault(worker, {})[link] = Work(flagged.get((worker, link), 0), *told)
    return found


# Both in the order of the fields of Work, after `flagged`.


def _counted(work_round: str, of_whom: dict[str, Any]) -> "QuerySet[Assignment, Any]":
    states = Assignment.State
    met = Assignment.objects.filter(round=work_round, state__in=[*DONE, states.SKIPPED], **of_whom).order_by()
    return met.values_list("worker_id", "link_id").annotate(
        tasks=Count("pk", filter=Q(state__in=DONE)),
        kept=Count("pk", filter=Q(state=states.SUBMITTED)),
        skipped=Count("pk", filter=Q(state=states.SKIPPED)),
    )


def _timed(counted: "QuerySet[Assignment, Any]", work_round: str) -> "QuerySet[Assignment, Any]":
    time = "compression__active_ms" if work_round == Round.EDIT else "rating__milliseconds"
    return counted.annotate(
        claimed=Min("leased_at"),
        first=Min("submitted_at"),
        last=Max("submitted_at"),
        active=Sum(time),
        timed=Count(time),
    )


def _flagged(work_round: str, of_whom: dict[str, Any]) -> dict[tuple[int, int | None], int]:
    """Return how many of an editor's compressions have flags, by person and link: few, found by an index."""
    if work_round != Round.EDIT:
        return {}
    rows = Compression.objects.filter(is_flagged=True, **of_whom).order_by()
    counted = rows.values_list("worker_id", "assignment__link_id").annotate(Count("pk"))
    return {(worker, link): number for worker, link, number in counted}

"""Query the visits of a round: who came by which link, and the work that came of it."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from crowd.models import Campaign, Enrolment, JoinLink, Outcome, PaidVisit, PastVisit, Worker
from ratings.selectors.visit_work import Work, work_by_visit


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
    work: Work = field(default_factory=Work)
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


def visitors_of_round(campaign: Campaign, work_round: str, *, only: Collection[int] | None = None) -> list[Visitor]:
    """Return the people of a round by number, or `only` workers of some ids, in a fixed number of queries.

    People of imported releases have not enrolled, so they are not among them.
    """
    of_whom = {"worker__campaign": campaign} if only is None else {"worker__in": only}
    links = {link.pk: link for link in JoinLink.objects.filter(campaign=campaign, round=work_round)}
    for link in links.values():
        link.campaign = campaign  # which says who gets a code
    past: dict[int, list[PastVisit]] = {}
    of_whom_past = {} if only is None else {"enrolment__worker__in": only}
    for each in PastVisit.objects.filter(link__in=list(links), **of_whom_past).order_by("began_at", "pk"):
        past.setdefault(each.enrolment_id, []).append(each)
    known = _Known(campaign, links, work_by_visit(campaign, work_round, only), _paid(links, only))
    enrolments = Enrolment.objects.filter(round=work_round, **of_whom).select_related("worker")
    return [
        Visitor(each, _visits(known, each, past.get(each.pk, ()))) for each in enrolments.order_by("worker__number")
    ]


@dataclass(frozen=True)
class _Known:
    """What is looked up for all visits at once."""

    campaign: Campaign
    links: dict[int, JoinLink]
    work: dict[tuple[int, int], Work]
    paid: dict[tuple[int, int], datetime]

    def visit(self, enrolment: Enrolment, told: Enrolment | PastVisit, began: datetime) -> Visit:
        worker, link = enrolment.worker, told.link_id
        return Visit(
            *(worker, self.campaign, self.links[link], told.study_id, told.session_id, told.outcome, began),
            work=self.work.get((worker.pk, link), Work()),
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

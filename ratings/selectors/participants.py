"""Query the participants of a round: their visits, and what is known about their work."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

from compressions.visit_evidence import RulesMet, rules_of_editors
from crowd.models import Campaign, Enrolment, Round, Worker
from crowd.selectors.shared_browsers import same_browsers_in
from ratings.models import QualityDecision
from ratings.selectors.attention import flags_now
from ratings.selectors.gold import GoldRecord, gold_records
from ratings.selectors.quality import latest_quality_run
from ratings.selectors.visits import Visit, Visitor, visitors_of_round

T = TypeVar("T")
WORK_AT_ONCE = 50_000
"""How many texts: some people have done ten thousand, and many a few."""


class Decision(NamedTuple):
    """What the quality rule in force decided about a person."""

    quality: float | None
    removed: bool


@dataclass(frozen=True)
class Participant:
    """One person of a round, as the list of participants shows them.

    `evidence` has the attention flags of a rater, or what the texts of an editor show together: what is flagged of an
    editor are compressions. `same_browser` has who shares a browser with them, in any round.
    """

    visitor: Visitor
    evidence: tuple[str, ...] = ()
    gold: GoldRecord = field(default_factory=GoldRecord)
    is_low_on_gold: bool = False
    decision: Decision | None = None
    same_browser: tuple[Worker, ...] = ()
    groups: int = 0

    @property
    def worker(self) -> Worker:
        return self.visitor.worker

    @property
    def number(self) -> int:
        return self.worker.number

    @property
    def enrolment(self) -> Enrolment:
        return self.visitor.enrolment

    @property
    def visits(self) -> tuple[Visit, ...]:
        return self.visitor.visits

    @property
    def is_excluded(self) -> bool:
        return self.enrolment.is_excluded

    @property
    def flags(self) -> int:
        return self.visitor.flagged + len(self.evidence)

    @property
    def is_to_look_at(self) -> bool:
        """Whether there is something for staff to look at. Nothing of it is a reason to reject by itself."""
        return bool(self.flags or self.is_low_on_gold)

    def flags_by(self, visit: Visit) -> int:
        """Return the flags of one visit; evidence is about a person, whatever link they came by."""
        return visit.work.flagged + len(self.evidence)

    @property
    def quality(self) -> float | None:
        return self.decision.quality if self.decision else None

    @property
    def decision_words(self) -> str:
        """What the active quality rule decided, as files say it; empty if it did not decide about this person."""
        if self.decision is None:
            return ""
        return "left out" if self.decision.removed else "kept"


def participants_of_round(campaign: Campaign, work_round: str, *, with_times: bool = True) -> list[Participant]:
    """Return all participants of a round by number, in a fixed number of queries; times are looked up if wanted."""
    decisions = _decisions(campaign, work_round)
    is_crowd = work_round == Round.RATE
    flags = flags_now(campaign) if is_crowd else {}
    rules = rules_of_editors(campaign) if work_round == Round.EDIT else {}
    gold = gold_records(campaign) if is_crowd else {}
    sharing = same_browsers_in(campaign)
    people = []
    for visitor in visitors_of_round(campaign, work_round, with_times=with_times):
        pk = visitor.enrolment.worker_id
        record = gold.get(pk, GoldRecord())
        met = rules.get(pk, RulesMet())
        evidence = met.words or tuple(flag.evidence for flag in flags.get(pk, ()))
        is_low = record.is_low(campaign.gold_warn_percent)
        same_browser = tuple(sharing.get(pk, ()))
        people.append(Participant(visitor, evidence, record, is_low, decisions.get(pk), same_browser, met.groups))
    return people


def participants_timed(campaign: Campaign, work_round: str, people: Sequence[Participant]) -> list[Participant]:
    """Return some participants, such as those of one page, with the times of their work."""
    workers = [each.enrolment.worker_id for each in people]
    timed = {each.enrolment.worker_id: each for each in visitors_of_round(campaign, work_round, only=workers)}
    return [replace(each, visitor=timed.get(each.enrolment.worker_id, each.visitor)) for each in people]


def slices_by_work(rows: Iterable[T], work: Callable[[T], int]) -> Iterator[list[T]]:
    """Yield rows in slices with so much work together as is looked up at once, or with one row that has more."""
    some: list[T] = []
    done = 0
    for row in rows:
        if some and done + work(row) > WORK_AT_ONCE:
            yield some
            some, done = [], 0
        some.append(row)
        done += work(row)
    if some:
        yield some


def visits_timed(
    campaign: Campaign, work_round: str, visits: Sequence[tuple[Participant, Visit]]
) -> Iterator[tuple[Participant, Visit]]:
    """Yield visits with the times of their work, which are looked up for some people at a time."""
    for some in slices_by_work(visits, lambda each: each[1].work.submitted):
        people = visitors_of_round(campaign, work_round, only={each.enrolment.worker_id for each, _ in some})
        timed = {(each.enrolment.worker_id, visit.link.pk): visit for each in people for visit in each.visits}
        yield from ((each, timed.get((each.enrolment.worker_id, visit.link.pk), visit)) for each, visit in some)


def _decisions(campaign: Campaign, work_round: str) -> dict[int, Decision]:
    run = latest_quality_run(campaign)
    if run is None:
        return {}
    found = QualityDecision.objects.filter(run=run, round=work_round).values_list("worker_id", "quality", "removed")
    return {worker_id: Decision(quality, removed) for worker_id, quality, removed in found}

"""Query the participants of a round: their visits, and what is known about their work."""

from dataclasses import dataclass, field

from crowd.models import Campaign, Enrolment, Round, Worker
from ratings.models import QualityDecision
from ratings.selectors.attention import flags_now
from ratings.selectors.gold import GoldRecord, gold_records
from ratings.selectors.quality import latest_quality_run
from ratings.selectors.visits import Visit, Visitor, visitors_of_round


@dataclass(frozen=True)
class Participant:
    """One person of a round, as the list of participants shows them.

    `evidence` has the attention flags of a rater; what is flagged of an editor are compressions.
    """

    visitor: Visitor
    evidence: tuple[str, ...] = ()
    gold: GoldRecord = field(default_factory=GoldRecord)
    is_low_on_gold: bool = False
    decision: QualityDecision | None = None

    @property
    def worker(self) -> Worker:
        return self.visitor.worker

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
        """Return the flags of one visit; those of raters are about a person, whatever link they came by."""
        return visit.work.flagged + len(self.evidence)

    @property
    def quality(self) -> float | None:
        return self.decision.quality if self.decision else None

    @property
    def decision_words(self) -> str:
        """What the quality rule in force decided; empty if it did not decide about this person."""
        if self.decision is None:
            return ""
        return "left out" if self.decision.removed else "kept"


def participants_of_round(campaign: Campaign, work_round: str) -> list[Participant]:
    """Return all participants of a round by number, in a fixed number of queries."""
    decisions = _decisions(campaign, work_round)
    is_crowd = work_round == Round.RATE
    flags = flags_now(campaign) if is_crowd else {}
    gold = gold_records(campaign) if is_crowd else {}
    people = []
    for visitor in visitors_of_round(campaign, work_round):
        pk = visitor.enrolment.worker_id
        record = gold.get(pk, GoldRecord())
        evidence = tuple(flag.evidence for flag in flags.get(pk, ()))
        is_low = record.is_low(campaign.gold_warn_percent)
        people.append(Participant(visitor, evidence, record, is_low, decisions.get(pk)))
    return people


def _decisions(campaign: Campaign, work_round: str) -> dict[int, QualityDecision]:
    run = latest_quality_run(campaign)
    found = QualityDecision.objects.filter(run=run, round=work_round) if run else ()
    return {decision.worker_id: decision for decision in found}

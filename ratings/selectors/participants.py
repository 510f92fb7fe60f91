"""Query the participants of a round: their visits, and what is known about their work."""

from typing import NamedTuple

from compressions.visit_evidence import RulesMet, rules_of_editors
from crowd.models import Campaign, Round, Worker
from crowd.selectors.shared_browsers import same_browsers_in
from ratings.models import QualityDecision
from ratings.selectors.attention import flags_now
from ratings.selectors.gold import GoldRecord, gold_records
from ratings.selectors.quality import latest_quality_run
from ratings.selectors.visits import Person, Visit, Visitor, visitors_of_round


class Decision(NamedTuple):
    """What the quality rule in force decided about a person."""

    quality: float | None
    removed: bool


NO_GOLD, NO_RULES = GoldRecord(), RulesMet()


class Participant(NamedTuple):
    """One person of a round, as the list of participants shows them.

    `evidence` has the attention flags of a rater, or what the texts of an editor show together: what is flagged of an
    editor are compressions. `same_browser` has who shares a browser with them, in any round.
    """

    visitor: Visitor
    evidence: tuple[str, ...] = ()
    gold: GoldRecord = NO_GOLD
    is_low_on_gold: bool = False
    decision: Decision | None = None
    same_browser: tuple[Worker, ...] = ()
    groups: int = 0

    @property
    def worker(self) -> Person:
        return self.visitor.worker

    @property
    def number(self) -> int:
        return self.worker.number

    @property
    def visits(self) -> tuple[Visit, ...]:
        return self.visitor.visits

    @property
    def is_excluded(self) -> bool:
        return self.worker.is_excluded

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


def participants_of_round(campaign: Campaign, work_round: str) -> list[Participant]:
    """Return all participants of a round by number, in a fixed number of queries."""
    decisions = _decisions(campaign, work_round)
    is_crowd = work_round == Round.RATE
    flags = flags_now(campaign) if is_crowd else {}
    rules = rules_of_editors(campaign) if work_round == Round.EDIT else {}
    gold = gold_records(campaign) if is_crowd else {}
    sharing = same_browsers_in(campaign)
    people = []
    for visitor in visitors_of_round(campaign, work_round):
        pk = visitor.worker.pk
        record, met = gold.get(pk, NO_GOLD), rules.get(pk, NO_RULES)
        evidence = tuple(flag.evidence for flag in flags[pk]) if pk in flags else met.words
        is_low = record.is_low(campaign.gold_warn_percent)
        same_browser = tuple(sharing.get(pk, ()))
        people.append(Participant(visitor, evidence, record, is_low, decisions.get(pk), same_browser, met.groups))
    return people


def _decisions(campaign: Campaign, work_round: str) -> dict[int, Decision]:
    run = latest_quality_run(campaign)
    if run is None:
        return {}
    found = QualityDecision.objects.filter(run=run, round=work_round).values_list("worker_id", "quality", "removed")
    return {worker_id: Decision(quality, removed) for worker_id, quality, removed in found}

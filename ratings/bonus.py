"""Bonuses by a rule that staff write in numbers: so much for each kept compression or rating, up to so much."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from decimal import Decimal

from crowd.models import JoinLink, Outcome
from ratings.selectors.participants import Participant
from ratings.selectors.visits import Person

NOTHING = Decimal("0.00")


@dataclass(frozen=True)
class BonusRule:
    """`each` is paid for every kept task, `most` to one person; None for no limit."""

    each: Decimal
    most: Decimal | None = None

    def amount(self, tasks: int) -> Decimal:
        """Return what a person gets.

        >>> BonusRule(Decimal("0.10"), Decimal("0.25")).amount(2), BonusRule(Decimal("0.10"), Decimal("0.25")).amount(3)
        (Decimal('0.20'), Decimal('0.25'))
        """
        earned = self.each * tasks
        return earned if self.most is None else min(earned, self.most)


@dataclass(frozen=True)
class Bonus:
    worker: Person
    tasks: int
    amount: Decimal
    outcome: str

    @property
    def outcome_words(self) -> str:
        return str(Outcome(self.outcome).label)


@dataclass(frozen=True)
class Bonuses:
    """Who gets what by one link. `left_out` people have work that does not count; they and who gets 0 are not in it."""

    paid: list[Bonus]
    left_out: int

    @property
    def payable(self) -> list[Bonus]:
        """Those whom the platform can pay: with an id."""
        return [bonus for bonus in self.paid if bonus.worker.external_id]

    @property
    def without_id(self) -> int:
        return len(self.paid) - len(self.payable)

    @property
    def still_working(self) -> int:
        """How many can still earn more."""
        return sum(bonus.outcome == Outcome.WORKING for bonus in self.paid)

    @property
    def total(self) -> Decimal:
        return sum((bonus.amount for bonus in self.payable), NOTHING)

    @property
    def lines(self) -> list[str]:
        """What platforms take as text: an id and an amount per line."""
        return [f"{bonus.worker.external_id},{bonus.amount:.2f}" for bonus in self.payable]


def bonuses_of_link(
    people: Iterable[Participant], link: JoinLink, rule: BonusRule, left_out: Collection[int]
) -> Bonuses:
    """Apply a rule to everyone who came by a link, but for tests and the people whose work releases leave out."""
    worked = [
        (each.worker, visit.work.kept, visit.outcome)
        for each in people
        for visit in each.visits
        if visit.link.pk == link.pk and not each.worker.is_test and visit.work.submitted
    ]
    counted = [
        Bonus(worker, tasks, rule.amount(tasks), outcome)
        for worker, tasks, outcome in worked
        if worker.pk not in left_out
    ]
    return Bonuses([bonus for bonus in counted if bonus.amount], left_out=len(worked) - len(counted))

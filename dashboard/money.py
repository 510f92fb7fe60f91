"""What the work so far costs, and which visits are still to be paid, from counts: no visit is looked at by itself."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet

from crowd.models import Assignment, Campaign, Enrolment, JoinLink, Outcome, PaidVisit, PastVisit, Round
from crowd.pay import RoundPay, pay_of_round
from crowd.selectors.progress import RoundProgress

OF_NOW = {"worker__is_test": False, "worker__is_simulated": False}
BEFORE = {f"enrolment__{name}": value for name, value in OF_NOW.items()}
SUBMITTED = [Assignment.State.SUBMITTED, Assignment.State.DISCARDED]


@dataclass(frozen=True)
class RoundMoney:
    """What a round costs so far, and in all if everybody who is still needed does all that one person may.

    It is without bonuses, the platform's fee, and what those get who stopped early.
    """

    round: Round
    finished: int
    so_far: Decimal
    expected: Decimal


@dataclass(frozen=True)
class Money:
    rounds: list[RoundMoney]
    currency: str
    budget: Decimal | None

    @property
    def so_far(self) -> Decimal:
        return sum((each.so_far for each in self.rounds), Decimal(0))

    @property
    def expected(self) -> Decimal:
        return sum((each.expected for each in self.rounds), Decimal(0))


def money_of(campaign: Campaign, progress: Mapping[str, RoundProgress]) -> Money | None:
    """Return what the rounds whose pay is set cost, at that pay, in a fixed number of queries; None if none is set."""
    pays = {each: pay for each in Round if (pay := pay_of_round(campaign, each)).amount is not None}
    if not pays:
        return None
    ends = _ends(campaign)
    rounds = [_round(campaign, each, pay, ends, progress[each]) for each, pay in pays.items()]
    return Money(rounds, campaign.currency, campaign.budget)


def _ends(campaign: Campaign) -> dict[tuple[str, str], int]:
    """Return how many visits of a round stand or ended how; those of tests and simulated people cost nothing."""
    now = Enrolment.objects.filter(worker__campaign=campaign, **OF_NOW).values_list("round", "outcome")
    before = PastVisit.objects.filter(link__campaign=campaign, **BEFORE).values_list("enrolment__round", "outcome")
    ends: dict[tuple[str, str], int] = {}
    for visits in (now, before):
        for work_round, outcome, number in visits.annotate(n=Count("pk")).order_by():
            ends[work_round, outcome] = ends.get((work_round, outcome), 0) + number
    return ends


def _round(
    campaign: Campaign, work_round: Round, pay: RoundPay, ends: Mapping[tuple[str, str], int], progress: RoundProgress
) -> RoundMoney:
    finished, failed = ends.get((work_round, Outcome.DONE), 0), ends.get((work_round, Outcome.FAILED), 0)
    texts = 0
    if pay.is_per_text:
        done = Assignment.objects.filter(worker__campaign=campaign, round=work_round, state__in=SUBMITTED, **OF_NOW)
        texts = done.count()
    whole = pay.of_round(texts=texts, people=finished) or Decimal(0)
    so_far = whole + failed * (pay.failed or Decimal(0))
    to_come = pay.of_round(texts=progress.missing, people=progress.people_needed(pay.tasks)) or Decimal(0)
    return RoundMoney(work_round, finished, so_far, so_far + to_come)


@dataclass(frozen=True)
class ToPay:
    """How many visits were finished, and how many of these are not marked as paid."""

    finished: int
    owed: int


def visits_to_pay(links: Iterable[JoinLink]) -> ToPay:
    """Return how the finished visits by some links stand, in two queries."""
    found = {"link__in": [link.pk for link in links], "outcome": Outcome.DONE}
    of_now = _by_mark(Enrolment.objects.filter(**found, **OF_NOW), "worker")
    of_before = _by_mark(PastVisit.objects.filter(**found, **BEFORE), "enrolment__worker")
    owed = of_now.get(False, 0) + of_before.get(False, 0)
    return ToPay(sum(of_now.values()) + sum(of_before.values()), owed)


def _by_mark(visits: QuerySet[Any], whose: str) -> dict[bool, int]:
    """Return how many visits are marked as paid, and how many are not."""
    paid = PaidVisit.objects.filter(link=OuterRef("link"), worker=OuterRef(whose))
    return dict(visits.annotate(is_paid=Exists(paid)).values_list("is_paid").annotate(n=Count("pk")).order_by())

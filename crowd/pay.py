"""What staff pay in a round, and what texts cost, as the settings of a campaign say."""

import math
from bisect import bisect_left
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, ROUND_UP, Decimal

from crowd.models import Campaign, Round
from crowd.models.campaign import PayUnit

FOUR_PLACES, CENT = Decimal("0.0001"), Decimal("0.01")


@dataclass(frozen=True)
class RoundPay:
    """The pay of a round: `amount` per text or per study; None where it is not set. Experts have none.

    `tasks` is how many texts one person may do, `minutes` how long participants are told that it takes.
    """

    amount: Decimal | None
    is_per_text: bool
    tasks: int
    minutes: int | None
    currency: str
    minimum_hourly: Decimal | None
    partial: Decimal | None = None
    """What the code for partial pay is worth where pay is per study."""
    failed: Decimal | None = None
    """What raters were told that a test pays which they do not pass."""

    def of_person(self, texts: int) -> Decimal | None:
        """Return what a person gets who has finished with so many texts."""
        return self.of_round(texts=texts, people=1)

    def of_part(self, texts: int) -> Decimal | None:
        """Return what a person gets who stopped after so many texts with the code for partial pay."""
        return self.of_person(texts) if self.is_per_text else self.partial

    def of_round(self, *, texts: int, people: int) -> Decimal | None:
        if self.amount is None:
            return None
        return self.amount * (texts if self.is_per_text else people)

    @property
    def hourly(self) -> Decimal | None:
        """What a person earns per hour who does all that they may in the minutes that they are told."""
        whole = self.of_person(self.tasks)
        return None if whole is None or not self.minutes else whole * 60 / self.minutes

    @property
    def least(self) -> Decimal | None:
        """The least pay, in the unit of this round, with which the hour comes to the minimum."""
        if self.minimum_hourly is None or not self.minutes:
            return None
        whole = self.minimum_hourly * self.minutes / 60
        return (whole / self.tasks if self.is_per_text else whole).quantize(CENT, ROUND_UP)

    @property
    def per_text(self) -> Decimal | None:
        """What one text costs if everybody does as many as one person may."""
        if self.amount is None or self.is_per_text:
            return self.amount
        return (self.amount / self.tasks).quantize(FOUR_PLACES, ROUND_HALF_UP)


def pay_of_round(campaign: Campaign, work_round: str) -> RoundPay:
    of_editors = (campaign.editor_pay, campaign.editor_pay_unit, campaign.editor_minutes, campaign.editor_partial_pay)
    of_raters = (campaign.rater_pay, campaign.rater_pay_unit, campaign.rater_minutes, campaign.rater_partial_pay)
    amount, unit, minutes, partial = {Round.EDIT: of_editors, Round.RATE: of_raters}.get(
        Round(work_round), (None, PayUnit.STUDY, None, None)
    )
    return RoundPay(
        amount,
        unit == PayUnit.TEXT,
        campaign.tasks_per_worker(work_round),
        minutes,
        campaign.currency,
        campaign.minimum_hourly_pay,
        partial,
        campaign.failed_pay if work_round == Round.RATE else None,
    )


@dataclass(frozen=True)
class Cost:
    """What so many texts of a round cost if everybody does all that one person may; `amount` is without the fee."""

    texts: int
    people: int
    amount: Decimal


def cost_of_round(campaign: Campaign, work_round: str, texts: int) -> Cost | None:
    """Return what a round of so many texts costs; None where no pay is set.

    It takes at least as many people as work on one text, since nobody gets one twice.
    """
    pay = pay_of_round(campaign, work_round)
    people = max(math.ceil(texts / pay.tasks), campaign.people_per_item(work_round)) if texts else 0
    amount = pay.of_round(texts=texts, people=people)
    return None if amount is None else Cost(texts, people, amount)


def with_fee(campaign: Campaign, amount: Decimal) -> Decimal:
    """Return an amount with the platform's fee, in whole cents."""
    fee = campaign.platform_fee_percent or Decimal(0)
    return (amount * (100 + fee) / 100).quantize(CENT, ROUND_HALF_UP)


def ratings_to_come(campaign: Campaign, compressions: int) -> int:
    """Return how many ratings so many new compressions bring at most."""
    each = campaign.pairs_per_compression if campaign.task.makes_pairs else 1
    return compressions * each * campaign.people_per_item(Round.RATE)


def cost_of_sources(campaign: Campaign, sources: int) -> Decimal | None:
    """Return what so many more sources cost in both rounds with the fee; None where a pay is not set."""
    compressions = sources * campaign.editors_per_source
    written = cost_of_round(campaign, Round.EDIT, compressions)
    rated = cost_of_round(campaign, Round.RATE, ratings_to_come(campaign, compressions))
    return None if written is None or rated is None else with_fee(campaign, written.amount + rated.amount)


MOST_SOURCES = 1_000_000


def sources_for(campaign: Campaign, budget: Decimal) -> int | None:
    """Return how many more sources a budget buys in both rounds; None where that cannot be said."""

    def is_affordable(sources: int) -> bool:
        cost = cost_of_sources(campaign, sources)
        return cost is not None and cost <= budget

    if cost_of_sources(campaign, 1) is None or is_affordable(MOST_SOURCES):
        return None
    return bisect_left(range(MOST_SOURCES), True, key=lambda sources: not is_affordable(sources + 1))

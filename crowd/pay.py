"""What staff pay in a round, as the settings of its campaign say."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from crowd.models import Campaign, Round
from crowd.models.campaign import PayUnit

FOUR_PLACES = Decimal("0.0001")


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
    )

"""What a rating and a compression cost by the pay that a campaign's settings state."""

from dataclasses import dataclass
from decimal import Decimal

from agreement.planning.plans import Prices
from common.templatetags.formatting import money
from crowd.models import Campaign, Round
from crowd.pay import RoundPay, pay_of_round


@dataclass(frozen=True)
class StatedPrices:
    """The prices that follow from the pay of editors and raters; None where no pay is set."""

    raters: RoundPay
    editors: RoundPay

    @classmethod
    def of(cls, campaign: Campaign) -> "StatedPrices":
        return cls(pay_of_round(campaign, Round.RATE), pay_of_round(campaign, Round.EDIT))

    def or_else(self, rating: Decimal | None, compression: Decimal | None) -> Prices:
        """Return the prices that were typed, and those of the campaign where none was."""
        return Prices(_first(rating, self.raters.per_text), _first(compression, self.editors.per_text))


def _first(typed: Decimal | None, stated: Decimal | None) -> Decimal:
    return next((price for price in (typed, stated) if price is not None), Decimal(0))


def where_from(pay: RoundPay) -> str:
    """Say what the price is without another one, and where it comes from; empty where no pay is set."""
    if pay.amount is None or pay.per_text is None:
        return ""
    stated = money(pay.amount, pay.currency)
    if pay.is_per_text:
        return f"Empty: {stated}, the campaign’s pay per text."
    return f"Empty: {pay.per_text} {pay.currency}, from the campaign’s pay of {stated} for {pay.tasks} texts."

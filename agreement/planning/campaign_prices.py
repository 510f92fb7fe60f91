"""What a rating and a compression cost by the pay that a campaign's settings state."""

from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

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
        return _("If empty: %(price)s, the campaign’s pay per text.") % {"price": stated}
    words = ngettext(
        "If empty: %(price)s %(currency)s, from the campaign’s pay of %(pay)s for %(n)s text.",
        "If empty: %(price)s %(currency)s, from the campaign’s pay of %(pay)s for %(n)s texts.",
        pay.tasks,
    )
    return words % {"price": pay.per_text, "currency": pay.currency, "pay": stated, "n": pay.tasks}

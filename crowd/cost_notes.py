"""What the pay settings of a campaign come to, in words beside their fields: per hour, the whole round, a budget."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.templatetags.formatting import money
from crowd.models import Campaign, Round
from crowd.pay import (
    Cost,
    RoundPay,
    cost_of_round,
    cost_of_sources,
    pay_of_round,
    ratings_to_come,
    sources_for,
    with_fee,
)
from crowd.selectors.progress import RoundProgress


@dataclass(frozen=True)
class Note:
    words: str
    warns: bool = False


Progress = Mapping[tuple[int, str], RoundProgress]


def cost_notes(campaign: Campaign, progress: Progress) -> dict[str, list[Note]]:
    """Return the notes of each group of the pay settings, by the first setting of the group."""
    compressions = progress.get((campaign.pk, Round.EDIT), RoundProgress())
    rated = progress.get((campaign.pk, Round.RATE), RoundProgress()).wanted
    written = cost_of_round(campaign, Round.EDIT, compressions.wanted)
    ratings = cost_of_round(campaign, Round.RATE, rated + ratings_to_come(campaign, compressions.missing))
    return {
        "currency": [*_of_both(campaign, written, ratings), *_of_budget(campaign)],
        "editor_pay": [*_of_pay(pay_of_round(campaign, Round.EDIT)), *_of_round(campaign, Round.EDIT, written)],
        "rater_pay": [*_of_pay(pay_of_round(campaign, Round.RATE)), *_of_round(campaign, Round.RATE, ratings)],
    }


def _of_pay(pay: RoundPay) -> Iterator[Note]:
    whole, hourly = pay.of_person(pay.tasks), pay.hourly
    if whole is None:
        return
    if hourly is None:
        yield Note(_("Set the minutes to see the pay per hour."))
        return
    words = ngettext(
        "%(hourly)s per hour: %(whole)s for %(tasks)s text in %(minutes)s minutes.",
        "%(hourly)s per hour: %(whole)s for %(tasks)s texts in %(minutes)s minutes.",
        pay.tasks,
    )
    amounts = {"hourly": money(hourly, pay.currency), "whole": money(whole, pay.currency)}
    yield Note(words % {**amounts, "tasks": f"{pay.tasks:,}", "minutes": pay.minutes})
    if pay.minimum_hourly is not None and hourly < pay.minimum_hourly:
        less = _("That is less than your minimum of %(minimum)s per hour. Pay %(least)s %(unit)s to reach it.")
        unit = _("per text") if pay.is_per_text else _("per study")
        least = {"minimum": money(pay.minimum_hourly, pay.currency), "least": money(pay.least, pay.currency)}
        yield Note(less % {**least, "unit": unit}, warns=True)
    if pay.partial is not None and not pay.is_per_text and pay.partial >= whole:
        yield Note(_("The partial pay is not less than the pay for everything."), warns=True)


def _of_round(campaign: Campaign, work_round: str, cost: Cost | None) -> Iterator[Note]:
    if cost is None or not cost.texts:
        return
    if work_round == Round.EDIT:
        words = ngettext(
            "The whole round: %(n)s compression by at least %(people)s participants for %(amount)s.",
            "The whole round: %(n)s compressions by at least %(people)s participants for %(amount)s.",
            cost.texts,
        )
    else:
        words = ngettext(
            "The whole round: %(n)s rating by at least %(people)s participants for %(amount)s.",
            "The whole round: %(n)s ratings by at least %(people)s participants for %(amount)s.",
            cost.texts,
        )
    numbers = {"n": f"{cost.texts:,}", "people": f"{cost.people:,}"}
    said = [words % {**numbers, "amount": money(cost.amount, campaign.currency)}]
    yield Note(" ".join([*said, *_fee(campaign, cost.amount)]))


def _fee(campaign: Campaign, amount: Decimal) -> Iterator[str]:
    if campaign.platform_fee_percent:
        told = {"fee": f"{campaign.platform_fee_percent.normalize():f}"}
        words = _("With the platform’s fee of %(fee)s%%: %(amount)s.")
        yield words % {**told, "amount": money(with_fee(campaign, amount), campaign.currency)}


def _of_both(campaign: Campaign, written: Cost | None, ratings: Cost | None) -> Iterator[Note]:
    if written is None or ratings is None or not written.texts:
        return
    amount = written.amount + ratings.amount
    words = _("Both rounds with the texts that are here: %(amount)s.") % {"amount": money(amount, campaign.currency)}
    more = _("Gold questions, bonuses and work that is done again come on top.")
    yield Note(" ".join([words, *_fee(campaign, amount), more]))


def _of_budget(campaign: Campaign) -> Iterator[Note]:
    if campaign.budget is None:
        return
    sources = sources_for(campaign, campaign.budget)
    if sources is None:
        yield Note(_("Set the pay of editors and raters to see how many texts the budget buys."))
        return
    words = ngettext(
        "%(budget)s buys %(n)s more text with %(compressions)s and %(ratings)s each.",
        "%(budget)s buys %(n)s more texts with %(compressions)s and %(ratings)s each.",
        sources,
    )
    editors, raters = campaign.editors_per_source, campaign.people_per_item(Round.RATE)
    told = {
        "budget": money(campaign.budget, campaign.currency),
        "n": f"{sources:,}",
        "compressions": ngettext("%(n)s compression", "%(n)s compressions", editors) % {"n": editors},
        "ratings": ngettext("%(n)s rating", "%(n)s ratings", raters) % {"n": raters},
    }
    cost = cost_of_sources(campaign, sources or 1)
    costs = _("They cost %(amount)s.") if sources else _("One costs %(amount)s.")
    yield Note(f"{words % told} {costs % {'amount': money(cost, campaign.currency)}}", warns=not sources)

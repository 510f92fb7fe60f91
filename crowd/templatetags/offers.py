"""What a link offers to those who come by it, as far as staff have set it."""

from collections.abc import Iterator

from django import template
from django.template.defaultfilters import pluralize

from common.templatetags.formatting import money
from crowd.models import Campaign, JoinLink, Round
from crowd.pay import RoundPay, pay_of_round

register = template.Library()


@register.filter
def offer(link: JoinLink) -> str:
    """Say what the work is, how long it takes and what it pays; nothing of what is not set."""
    pay = pay_of_round(link.campaign, link.round)
    work, told = _work(link.campaign, link.round, pay.tasks), " and ".join(_time_and_pay(pay))
    return f"{work} This {told}." if told else work


def _work(campaign: Campaign, work_round: str, tasks: int) -> str:
    if work_round == Round.EXPERT:
        return f"You will {'compare pairs of' if campaign.is_side_by_side else 'rate'} shortened texts."
    number = f"up to {tasks:,}" if tasks > 1 else "1"
    if work_round == Round.EDIT:
        return f"You will shorten {number} short text{pluralize(tasks)}."
    if campaign.is_side_by_side:
        return f"You will compare {number} pair{pluralize(tasks)} of shortened texts."
    return f"You will rate {number} shortened text{pluralize(tasks)}."


def _time_and_pay(pay: RoundPay) -> Iterator[str]:
    if pay.minutes is not None:
        yield f"takes about {pay.minutes} minute{pluralize(pay.minutes)}"
    if pay.amount is not None:
        yield f"pays {money(pay.amount, pay.currency)}{' per text' if pay.is_per_text else ''}"

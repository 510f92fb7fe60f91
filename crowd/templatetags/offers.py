"""What a link offers to those who come by it, as far as staff have set it."""

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.templatetags.formatting import money
from crowd.models import Campaign, Enrolment, JoinLink, Round
from crowd.pay import RoundPay, pay_of_round

register = template.Library()


@register.filter
def gives_code(link: JoinLink) -> bool:
    """Whether people who come by a link and finish get a code."""
    return bool(link.code_done) and link.platform.is_handed_out


@register.filter
def records_page(link: JoinLink) -> bool:
    """Whether pages of the round record how people write, or when they leave; those of a design record neither."""
    return not link.campaign.task.by_design and (link.round == Round.EDIT or link.campaign.record_leaving)


@register.filter
def round_title(of: Enrolment | JoinLink) -> str:
    """Return what the work of an enrolment, or behind a link, is called in the header of its pages."""
    task = of.campaign.task
    if of.round == Round.EDIT and of.round not in task.rounds:
        return _("Writing sentences") if of.campaign.fuses else _("Shortening texts")
    return str(task.words_in(of.round).title)


@register.filter
def offer(link: JoinLink) -> str:
    """Say what the work is, how long it takes and what it pays; nothing of what is not set."""
    pay = pay_of_round(link.campaign, link.round)
    return " ".join(filter(None, [_work(link.campaign, link.round, pay.tasks), _time_and_pay(pay)]))


@register.filter
def failing(link: JoinLink) -> str:
    """Say what becomes of a rater who does not pass the test, as far as it is set: their pay, and their code."""
    pay, currency = link.campaign.failed_pay, link.campaign.currency
    words = [_("If you don’t pass the test, you can’t rate texts in this study.")]
    if pay is not None:
        paid = _("The test then pays %(pay)s.") % {"pay": money(pay, currency)}
        words.append(paid if pay else _("The test then pays nothing."))
    if gives_code(link):
        has_code = _("You get a completion code even so.")
        words.append(has_code if link.code_failed else _("You then get no completion code."))
    return " ".join(words)


def _work(campaign: Campaign, work_round: str, tasks: int) -> str:
    own = campaign.task.words_in(work_round)
    if work_round == Round.EXPERT:
        return str(own.offer_of_experts)
    if work_round == Round.EDIT and work_round not in campaign.task.rounds:
        words = ngettext("You will shorten %(n)s short text.", "You will shorten up to %(n)s short texts.", tasks)
        if campaign.fuses:
            words = ngettext("You will write %(n)s sentence.", "You will write up to %(n)s sentences.", tasks)
    else:
        words = own.offer(tasks)
    return words % {"n": number_format(tasks, use_l10n=True, force_grouping=True)}


def _time_and_pay(pay: RoundPay) -> str:
    if pay.amount is None:
        return "" if pay.minutes is None else _time(pay.minutes)
    told = {"minutes": pay.minutes, "pay": money(pay.amount, pay.currency)}
    return (_pay(pay) if pay.minutes is None else _both(pay, pay.minutes)) % told


def _time(minutes: int) -> str:
    words = ngettext("This takes about %(minutes)s minute.", "This takes about %(minutes)s minutes.", minutes)
    return words % {"minutes": minutes}


def _pay(pay: RoundPay) -> str:
    return _("This pays %(pay)s per text.") if pay.is_per_text else _("This pays %(pay)s.")


def _both(pay: RoundPay, minutes: int) -> str:
    if pay.is_per_text:
        return ngettext(
            "This takes about %(minutes)s minute and pays %(pay)s per text.",
            "This takes about %(minutes)s minutes and pays %(pay)s per text.",
            minutes,
        )
    return ngettext(
        "This takes about %(minutes)s minute and pays %(pay)s.",
        "This takes about %(minutes)s minutes and pays %(pay)s.",
        minutes,
    )

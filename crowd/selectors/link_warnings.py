"""What is missing or wrong about a link, before people come by it or because of those who came."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.clock import database_now
from crowd.models import JoinLink, Round
from crowd.pay import pay_of_round
from crowd.platforms import is_supported


def link_warnings(link: JoinLink) -> Iterator[str]:
    """Yield what is missing or wrong about a link, in words for staff."""
    if link.wrong_ids:
        yield _wrong_ids_words(link)
    if link.other_ids:
        yield _other_ids_words(link)
    yield from _missing_codes(link)
    if link.platform.return_hosts and not link.completion_address:
        words = _("No completion URL of %(platform)s is set: participants have to copy their code.")
        yield words % {"platform": link.platform.name}
    if link.closes_at is not None and link.closes_at <= database_now():
        yield _("The last day is over (%(moment)s UTC).") % {"moment": f"{link.closes_at:%Y-%m-%d %H:%M}"}


def _wrong_ids_words(link: JoinLink) -> str:
    came = ngettext(
        "Once, someone came with an ID that %(platform)s cannot have sent, and was turned away.",
        "%(n)s times, someone came with an ID that %(platform)s cannot have sent, and was turned away.",
        link.wrong_ids,
    )
    said = [came % {"n": link.wrong_ids, "platform": link.platform.name}]
    if link.wrong_id_example:
        said.append(_("The last one was “%(example)s”.") % {"example": link.wrong_id_example})
    return " ".join([*said, _("Check the address that you pasted there.")])


def _other_ids_words(link: JoinLink) -> str:
    came = ngettext(
        "Once, someone opened this direct link with a %(platform)s ID (on %(last)s UTC).",
        "%(count)s times, someone opened this direct link with a %(platform)s ID (last on %(last)s UTC).",
        link.other_ids,
    )
    facts = {"count": link.other_ids, "platform": link.other_id_platform, "last": f"{link.other_id_at:%Y-%m-%d %H:%M}"}
    not_stored = _("The IDs are not stored.")
    if not is_supported(link.other_id_platform):
        return " ".join((came % facts, not_stored))
    return " ".join((came % facts, _("Did you mean to make a %(platform)s link?") % facts, not_stored))


def _missing_codes(link: JoinLink) -> Iterator[str]:
    if not link.code_done:
        yield _("No completion code is set: participants who finish get none.")
    if not link.code_no_work:
        yield _("No code is set for participants who find no texts left: they get none.")
    if not link.code_skipped:
        yield _("No code is set for participants who skip most texts: they get none.")
    if link.round == Round.RATE and not link.code_failed:
        yield _("No code is set for participants who fail the test.")
    if link.campaign.partial_after and not link.code_partial:
        yield _("No partial code is set, though the campaign gives one to participants who stop early.")
    pay = pay_of_round(link.campaign, link.round)
    if link.campaign.partial_after and link.code_partial and pay.amount is not None and pay.of_part(1) is None:
        yield _("The partial code has no amount: set the partial pay, so that participants read what stopping pays.")

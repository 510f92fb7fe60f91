"""Query the links of a campaign: who came, whether more may come, and what is missing before people do."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Case, Count, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from common.clock import database_now
from crowd.models import Campaign, JoinLink, PastVisit, Round
from crowd.platforms import ACCOUNT, is_supported

NOT_OPEN = gettext_lazy("This study is not open to new participants at the moment.")


def links_of_campaign(campaign: Campaign) -> QuerySet[JoinLink]:
    """Return the links with the number of `people` who came by each, round by round."""
    earlier = PastVisit.objects.filter(link=OuterRef("pk")).order_by().values("link").annotate(n=Count("*")).values("n")
    order = Case(*(When(round=each, then=Value(rank)) for rank, each in enumerate(Round)))
    # Nobody hands out the link of accounts: experts come from the list of their campaigns.
    links = JoinLink.objects.filter(campaign=campaign).exclude(platform_key=ACCOUNT).select_related("campaign")
    people = Count("enrolments") + Coalesce(Subquery(earlier), 0)
    return links.annotate(people=people).order_by(order, "platform_key", "pk")


def links_of_round(campaign: Campaign, work_round: str) -> QuerySet[JoinLink]:
    """Return the links of a round in the order in which they were made."""
    return JoinLink.objects.filter(campaign=campaign, round=work_round).order_by("pk")


def people_by_link(link: JoinLink) -> int:
    """Return how many people have come by a link, those included who went on by another one."""
    return link.enrolments.count() + link.past_visits.count()


def link_refusal(link: JoinLink) -> str:
    """Return why a link takes nobody new at the moment, in words for who comes by it; empty if it does."""
    now = database_now()
    if not link.takes_people:
        return str(NOT_OPEN)
    if link.opens_at is not None and now < link.opens_at:
        return _("This study opens on %(day)s at %(time)s UTC.") % _moment(link.opens_at)
    if link.closes_at is not None and now >= link.closes_at:
        return _("This study has ended.")
    if link.max_people is not None and people_by_link(link) >= link.max_people:
        return _("This study is full. Thank you for your interest.")
    return ""


def _moment(when: datetime) -> dict[str, str]:
    """Return a moment, in UTC, as it is written in the language of the page."""
    return {"day": date_format(when, "DATE_FORMAT"), "time": f"{when:%H:%M}"}


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
    if link.round == Round.RATE and not link.code_failed:
        yield _("No code is set for participants who fail the test.")
    if link.campaign.partial_after and not link.code_partial:
        yield _("No partial code is set, though the campaign gives one to participants who stop early.")

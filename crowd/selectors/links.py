"""Query the links of a campaign: who came, and whether more may come."""

from datetime import datetime

from django.db.models import Case, Count, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.clock import database_now
from crowd.models import Campaign, JoinLink, PastVisit, Round
from crowd.platforms import ACCOUNT

NOT_OPEN = gettext_lazy("This study is not open to new participants at the moment.")


def links_of_campaign(campaign: Campaign) -> QuerySet[JoinLink]:
    """Return the links with the number of `people` who came by each, round by round."""
    earlier = PastVisit.objects.filter(link=OuterRef("pk")).order_by().values("link").annotate(n=Count("*")).values("n")
    order = Case(*(When(round=each, then=Value(rank)) for rank, each in enumerate(Round)))
    # Nobody hands out the link of accounts: experts come from the list of their campaigns.
    links = JoinLink.objects.filter(campaign=campaign).exclude(platform_key=ACCOUNT).select_related("campaign")
    people = Count("enrolments") + Coalesce(Subquery(earlier), 0)
    return links.annotate(people=people).order_by(order, "platform_key", "pk")


def links_with_people(campaign: Campaign) -> list[tuple[JoinLink, int]]:
    """Return each link with the number of people who came by it."""
    return [(link, link.people) for link in links_of_campaign(campaign)]  # type: ignore[attr-defined]


def links_of_round(campaign: Campaign, work_round: str) -> QuerySet[JoinLink]:
    """Return the links of a round in the order in which they were made."""
    return JoinLink.objects.filter(campaign=campaign, round=work_round).order_by("pk")


def people_by_link(link: JoinLink) -> int:
    """Return how many people have come by a link, those included who went on by another one."""
    return link.enrolments.count() + link.past_visits.count()


def link_refusal(link: JoinLink, people: int | None = None) -> str:
    """Return why a link takes nobody new at the moment, in words for who comes by it; empty if it does.

    Whoever knows how many `people` came by it spares the database the question.
    """
    now = database_now()
    if not link.takes_people:
        return str(NOT_OPEN)
    if link.opens_at is not None and now < link.opens_at:
        return _("This study opens on %(day)s at %(time)s UTC.") % _moment(link.opens_at)
    if link.closes_at is not None and now >= link.closes_at:
        return _("This study has ended.")
    if link.max_people is not None and (people_by_link(link) if people is None else people) >= link.max_people:
        return _("This study is full. Thank you for your interest.")
    return ""


def _moment(when: datetime) -> dict[str, str]:
    """Return a moment, in UTC, as it is written in the language of the page."""
    return {"day": date_format(when, "DATE_FORMAT"), "time": f"{when:%H:%M}"}

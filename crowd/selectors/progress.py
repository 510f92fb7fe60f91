"""Query how far the rounds of campaigns are, who came by which link, and whether more may come."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, Count, Max, OuterRef, Q, QuerySet, Subquery, Sum, Value, When
from django.db.models.functions import Coalesce
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.clock import database_now
from crowd.models import Assignment, Campaign, Enrolment, Item, JoinLink, PastVisit, Round, Stream, Worker
from crowd.models.work import streams_of_work
from crowd.platforms import ACCOUNT

NOT_OPEN = gettext_lazy("This study is not open to new participants at the moment.")


def links_of_campaign(campaign: Campaign) -> QuerySet[JoinLink]:
    """Return the links with the number of `people` who came by each, round by round."""
    came = [
        Coalesce(
            Subquery(each.filter(link=OuterRef("pk")).order_by().values("link").annotate(n=Count("*")).values("n")), 0
        )
        for each in (Enrolment.objects, PastVisit.objects)
    ]
    order = Case(*(When(round=each, then=Value(rank)) for rank, each in enumerate(Round)))
    # Nobody hands out the link of accounts: experts come from the list of their campaigns.
    links = JoinLink.objects.filter(campaign=campaign).exclude(platform_key=ACCOUNT).select_related("campaign")
    return links.annotate(people=came[0] + came[1]).order_by(order, "platform_key", "pk")


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


State = Assignment.State


@dataclass(frozen=True)
class RoundProgress:
    """The slots of a round: how many are wanted, claimed and done, and how many test participants hold.

    Work of test participants is not done: their slots are wanted again once their work is removed.
    """

    items: int = 0
    wanted: int = 0
    claimed: int = 0
    done: int = 0
    complete_items: int = 0
    held_by_tests: int = 0
    most_open: int = 0
    """The most slots that one item has open: as many people are needed, since nobody gets an item twice."""
    of_systems: int = 0
    """How many of the slots that are wanted are for outputs of systems."""
    not_wanted: int = 0
    """How many slots there are besides, of items that nobody else is given."""

    def people_needed(self, tasks: float) -> int:
        """Return how many people the missing work takes at least if each does so many tasks."""
        return max(math.ceil(self.missing / tasks), self.most_open) if self.missing else 0

    @property
    def share_done(self) -> float:
        return self.done / self.wanted if self.wanted else 0.0

    @property
    def missing(self) -> int:
        return max(0, self.wanted - self.done)

    @property
    def percent_done(self) -> int | None:
        """The whole percent that is done, 100 only if all is; None if there is nothing to do."""
        return 100 * self.done // self.wanted if self.wanted else None

    @property
    def is_complete(self) -> bool:
        return self.wanted > 0 and self.missing == 0


def round_progress(campaign: Campaign, work_round: str) -> RoundProgress:
    return progress_of_rounds([campaign.pk]).get((campaign.pk, work_round), RoundProgress())


def progress_of_rounds(campaigns: Iterable[int]) -> dict[tuple[int, str], RoundProgress]:
    """Return the progress of each round that has work, by the ids of campaigns and the round."""
    ids = list(campaigns)
    streams = streams_of_work(is_test=False)
    items = Item.objects.filter(campaign__in=ids, stream__in=streams).order_by()
    # A campaign can have hundreds of thousands: all are counted from one index, and the open ones by another. Items
    # without slots are not work: texts rated only in pairs.
    kinds = items.filter(wanted__gt=0).values("campaign", "round", "stream", "is_closed", "wanted")
    places = items.filter(is_closed=False, open_slots__gt=0).values("campaign", "round")
    open_in = {
        (row["campaign"], row["round"]): row
        for row in places.annotate(items=Count("*"), slots=Sum("open_slots"), most=Max("open_slots"))
    }
    not_done = _taken_and_not_done(ids).filter(item__is_closed=False, item__wanted__gt=0, item__stream__in=streams)
    held = (
        not_done.values("item__campaign", "round")
        .order_by()
        .annotate(
            # An overdue lease stays LEASED until somebody needs the slot.
            live=Count("pk", filter=Q(state=State.LEASED, worker__is_test=False, lease_ends_at__gte=database_now())),
            all=Count("pk"),
            tests=Count("pk", filter=Q(worker__is_test=True)),
            last_slots=Count("item", distinct=True, filter=Q(item__open_slots=0)),
        )
    )
    held_in = {(row["item__campaign"], row["round"]): row for row in held}
    kinds_of: dict[tuple[int, str], list[Mapping[str, Any]]] = {}
    for row in kinds.annotate(n=Count("*")):
        kinds_of.setdefault((row["campaign"], row["round"]), []).append(row)
    return {
        key: _progress(of_round, open_in.get(key, NONE_OPEN), held_in.get(key, NONE_HELD))
        for key, of_round in kinds_of.items()
    }


NONE_OPEN = {"items": 0, "slots": 0, "most": 0}
NONE_HELD = {"live": 0, "all": 0, "tests": 0, "last_slots": 0}


def _taken_and_not_done(campaigns: list[int]) -> QuerySet[Assignment]:
    """Return the leases, and what test participants have submitted.

    A slot that is taken is one of these or done. These are few and have an index; done are millions. So they are chosen
    by themselves first: SQLite would else look at the assignments of all items.
    """
    tests = Worker.objects.filter(campaign__in=campaigns, is_test=True)
    leased = Assignment.objects.filter(state=State.LEASED)
    by_tests = Assignment.objects.filter(worker__in=tests.values("pk"), state=State.SUBMITTED)
    return Assignment.objects.filter(pk__in=leased.values("pk").union(by_tests.values("pk")))


def _progress(kinds: list[Mapping[str, Any]], places: Mapping[str, Any], held: Mapping[str, Any]) -> RoundProgress:
    """Return the progress of a round from its items by stream and places, what is open of them, and what is held."""
    to_do = [kind for kind in kinds if not kind["is_closed"]]
    items, wanted = sum(kind["n"] for kind in to_do), _slots(to_do)
    return RoundProgress(
        items=items,
        wanted=wanted,
        claimed=held["live"],
        # Somebody may have claimed between the queries.
        done=max(0, wanted - places["slots"] - held["all"]),
        complete_items=max(0, items - places["items"] - held["last_slots"]),
        held_by_tests=held["tests"],
        most_open=places["most"],
        of_systems=_slots(kind for kind in to_do if kind["stream"] == Stream.SYSTEM),
        not_wanted=_slots(kind for kind in kinds if kind["is_closed"]),
    )


def _slots(kinds: Iterable[Mapping[str, Any]]) -> int:
    return sum(kind["wanted"] * kind["n"] for kind in kinds)


def last_submissions(campaigns: Iterable[int]) -> dict[int, object]:
    """Return when participants last submitted something, by the ids of campaigns; nothing of those without work."""
    # Looked up person by person in an index: a join would read all work of the campaigns.
    own = Assignment.objects.filter(worker=OuterRef("pk"), submitted_at__isnull=False).order_by("-submitted_at")
    people = Worker.objects.filter(campaign__in=list(campaigns), is_test=False)
    last = people.annotate(last=Subquery(own.values("submitted_at")[:1]))
    found = last.values_list("campaign").annotate(at=Max("last")).order_by()
    return {campaign: at for campaign, at in found if at is not None}


def texts_held(campaign: Campaign) -> int:
    """Return how many texts participants hold just now, test participants aside."""
    held = Assignment.objects.filter(state=Assignment.State.LEASED, lease_ends_at__gt=database_now())
    return held.filter(worker__campaign=campaign, worker__is_test=False).count()

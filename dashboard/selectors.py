"""Query what the dashboard lists: totals and why they are so, contents, and links."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max
from django.template.defaultfilters import date
from django.utils.translation import ngettext

from compressions.models import Compression, Source, SourceImport, SystemOutput
from corpus.models import OutputImport, Release
from crowd.models import Assignment, Campaign, Exclusion, JoinLink, Round, Worker
from crowd.selectors.progress import RoundProgress, link_refusal, links_with_people
from ratings.models import Rating


@dataclass(frozen=True)
class LinkRow:
    """A link, and whether anybody new may come by it now."""

    link: JoinLink
    takes_nobody: bool


def link_rows(campaign: Campaign) -> list[LinkRow]:
    """Return the links in a fixed number of queries."""
    return [LinkRow(link, bool(link_refusal(link, people))) for link, people in links_with_people(campaign)]


@dataclass(frozen=True)
class Contents:
    participants: int
    texts: int
    compressions: int
    outputs: int
    ratings: int
    releases: list[Release]


def contents_of(campaign: Campaign) -> Contents:
    return Contents(
        participants=Worker.objects.filter(campaign=campaign).count(),
        texts=Source.objects.filter(campaign=campaign).count(),
        compressions=Compression.objects.filter(source__campaign=campaign).count(),
        outputs=SystemOutput.objects.filter(system__campaign=campaign).count(),
        ratings=_ratings(campaign),
        releases=list(Release.objects.filter(campaign=campaign).select_related("campaign").order_by("version")),
    )


def _ratings(campaign: Campaign) -> int:
    """Count the ratings of texts, of pairs and of gold questions; imported ones have no worker."""
    paths = ("target__source__campaign", "pair__first__source__campaign", "gold__item__campaign")
    return sum(Rating.objects.filter(**{path: campaign}).count() for path in paths)


def total_notes(campaign: Campaign, work_round: str, progress: RoundProgress) -> Iterator[str]:
    """Yield a sentence for each thing that has changed the total of a round, or opened slots of it again."""
    if work_round == Round.EDIT:
        yield from _texts_added(campaign)
    if progress.of_systems:
        yield _of_systems(campaign, progress.of_systems)
    if progress.not_wanted:
        yield _closed(work_round, progress.not_wanted)
    yield from _opened_again(campaign, work_round)


def _texts_added(campaign: Campaign) -> Iterator[str]:
    """Say what the newest import added; the first one began the total."""
    added = SourceImport.objects.filter(campaign=campaign, added__gt=0).order_by("-pk")
    newest = list(added.values_list("added", "created_at")[:2])
    if len(newest) == 2:
        number, at = newest[0]
        words = ngettext("%(number)s text was added on %(date)s.", "%(number)s texts were added on %(date)s.", number)
        yield words % {"number": f"{number:,}", "date": _day(at)}


def _of_systems(campaign: Campaign, number: int) -> str:
    """Say how many of the ratings wanted are for outputs of systems, and when the last ones came."""
    imports = OutputImport.objects.filter(campaign=campaign, added__gt=0)
    at = imports.aggregate(last=Max("created_at"))["last"]
    if at is None:
        words = ngettext(
            "%(number)s of the ratings wanted is for system outputs.",
            "%(number)s of the ratings wanted are for system outputs.",
            number,
        )
        return words % {"number": f"{number:,}"}
    words = ngettext(
        "%(number)s of the ratings wanted is for system outputs, last added on %(date)s.",
        "%(number)s of the ratings wanted are for system outputs, last added on %(date)s.",
        number,
    )
    return words % {"number": f"{number:,}", "date": _day(at)}


def _closed(work_round: str, number: int) -> str:
    if work_round == Round.EDIT:
        words = ngettext(
            "%(number)s more compression is no longer wanted: its text is retired.",
            "%(number)s more compressions are no longer wanted: their texts are retired.",
            number,
        )
    else:
        words = ngettext(
            "%(number)s more rating is no longer wanted: its text is retired or comes from excluded participants only.",
            "%(number)s more ratings are no longer wanted: their texts are retired or come from excluded "
            "participants only.",
            number,
        )
    return words % {"number": f"{number:,}"}


def _opened_again(campaign: Campaign, work_round: str) -> Iterator[str]:
    active = Exclusion.objects.filter(worker__campaign=campaign, round=work_round, withdrawn_at=None)
    excluded = dict(active.values_list("worker", "created_at"))
    discarded = Assignment.objects.filter(worker__in=excluded, round=work_round, state=Assignment.State.DISCARDED)
    number = discarded.count()
    if not number:
        return
    if work_round == Round.EDIT:
        words = ngettext(
            "%(number)s compression by %(people)s does not count (the last exclusion was on %(date)s).",
            "%(number)s compressions by %(people)s do not count (the last exclusion was on %(date)s).",
            number,
        )
    else:
        words = ngettext(
            "%(number)s rating by %(people)s does not count (the last exclusion was on %(date)s).",
            "%(number)s ratings by %(people)s do not count (the last exclusion was on %(date)s).",
            number,
        )
    last = _day(max(excluded.values()))
    yield words % {"number": f"{number:,}", "people": _excluded_people(len(excluded)), "date": last}


def _excluded_people(number: int) -> str:
    words = ngettext("%(number)s excluded participant", "%(number)s excluded participants", number)
    return words % {"number": f"{number:,}"}


def _day(at: datetime) -> str:
    return date(at, "j F Y")

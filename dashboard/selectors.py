"""Query what the dashboard lists: totals and why they are so, contents, links, and the pages of a campaign."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max
from django.template.defaultfilters import date
from django.urls import resolve, reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from common.words import Words
from compressions.models import Compression, Source, SourceImport, SystemOutput
from corpus.models import OutputImport, Release
from crowd.access import Access
from crowd.models import Assignment, Campaign, Exclusion, JoinLink, Role, Round, Worker
from crowd.selectors.progress import RoundProgress, link_refusal, links_with_people
from ratings.models import Rating

Pages = tuple[tuple[Words, str] | tuple[Words, str, str], ...]
# For each page what it is called, the name of its address, and what the address names besides the campaign.
# What only campaigns have whose raters judge material of its own, and what these do not have.
OF_MATERIAL = {"protocols:set-up"}
OF_RATINGS = {
    "ratings:examples",
    "ratings:example-new",
    "ratings:example-import",
    "ratings:gold-new",
    "ratings:gold-import",
    "ratings:import-ratings",
    "ratings:experts",
    "agreement:plan",
    "protocols:plan",
}
DOWNLOADS: Pages = (
    (_("Texts (CSV)"), "compressions:sources-csv"),
    (_("Participants (CSV)"), "ratings:all-participants-csv"),
    (_("Flagged compressions (CSV)"), "compressions:flagged-csv"),
    (_("Remarks (CSV)"), "compressions:remarks-csv"),
    (_("Quality decisions (CSV)"), "ratings:decisions-csv"),
    (_("Audit log (CSV)"), "crowd:audit-csv"),
    (_("Settings and questions (YAML)"), "campaign-file"),
)
GROUPS: tuple[tuple[Words, Pages], ...] = (
    (
        _("Set up"),
        (
            (_("Settings"), "crowd:campaign-edit"),
            (_("Settings history"), "crowd:settings-history"),
            (_("Links"), "crowd:links"),
            (_("The judgement task and its material"), "protocols:set-up"),
            (_("Practice and test questions"), "ratings:examples"),
            (_("New practice or test question"), "ratings:example-new"),
            (_("Import practice and test questions"), "ratings:example-import"),
            (_("New gold question"), "ratings:gold-new"),
            (_("Import gold questions"), "ratings:gold-import"),
            (_("Test participants"), "test-people"),
            (_("Labelled sessions"), "labelled-sessions"),
        ),
    ),
    (
        _("Texts"),
        (
            (_("All texts"), "compressions:sources"),
            (_("Imports"), "compressions:imports"),
            (_("Paragraphs and their sentences"), "compressions:paragraphs"),
            (_("Systems and their outputs"), "corpus:systems"),
            (_("Train and run systems"), "systems:systems"),
            (_("Translations"), "compressions:translations"),
            (_("Ratings from files"), "ratings:import-ratings"),
        ),
    ),
    (
        _("Follow the work"),
        (
            (_("Editors"), "ratings:participants", Round.EDIT),
            (_("Raters"), "ratings:participants", Round.RATE),
            (_("Experts"), "ratings:participants", Round.EXPERT),
            (_("Time and pay"), "ratings:pay"),
            (_("Flagged compressions"), "compressions:flagged"),
            (_("Remarks"), "compressions:remarks"),
            (_("Samples for experts"), "ratings:experts"),
            (_("Quality"), "ratings:quality"),
            (_("What the quality rule would do"), "ratings:quality-preview"),
        ),
    ),
    (
        _("Publish"),
        (
            (_("Fix the analysis"), "protocols:plan"),
            (_("Freeze a release"), "corpus:freeze"),
            (_("Releases"), "corpus:releases"),
            (_("How precision grows with cost"), "agreement:plan"),
        ),
    ),
    (_("Download"), DOWNLOADS),
    (
        _("This campaign"),
        (
            (_("Staff"), "crowd:staff"),
            (_("Webhooks"), "webhooks"),
            (_("Audit log"), "crowd:audit"),
            (_("Copy it"), "campaign-copy"),
            (_("Delete it"), "campaign-delete"),
        ),
    ),
)
MAY_LOOK = {
    Access.CAMPAIGN_STAFF: {Role.OWNER, Role.MANAGER, Role.VIEWER},
    Access.CAMPAIGN_LOOKER: {Role.OWNER, Role.MANAGER, Role.VIEWER},
    Access.CAMPAIGN_MANAGER: {Role.OWNER, Role.MANAGER},
    Access.CAMPAIGN_OWNER: {Role.OWNER},
}


@dataclass(frozen=True)
class StaffPage:
    label: Words
    address: str


@dataclass(frozen=True)
class PageGroup:
    title: Words
    pages: list[StaffPage]


def staff_pages(campaign: Campaign, role: str) -> list[PageGroup]:
    """Return the pages that an account of this role may see, group by group."""
    groups = [PageGroup(title, list(_visible(campaign, role, pages))) for title, pages in GROUPS]
    return [group for group in groups if group.pages]


def exports(campaign: Campaign, role: str) -> list[StaffPage]:
    """Return the tables that an account of this role may download."""
    return list(_visible(campaign, role, DOWNLOADS))


def _visible(campaign: Campaign, role: str, pages: Pages) -> Iterator[StaffPage]:
    for label, name, *named in pages:
        if name in (OF_RATINGS if campaign.task.has_material else OF_MATERIAL):
            continue
        address = reverse(name, args=[campaign.slug, *named])
        access: Access = resolve(address).func.access  # type: ignore[attr-defined]
        if role in MAY_LOOK[access]:
            yield StaffPage(label, address)


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

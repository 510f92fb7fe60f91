"""The pages of a campaign, group by group: what the menu on each of them leads to, and what may be downloaded."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from django.urls import resolve, reverse
from django.utils.translation import gettext_lazy as _

from common.words import Words
from crowd.access import MAY, Access
from crowd.models import Campaign, Round


@dataclass(frozen=True)
class Page:
    """A page of a campaign: what it is called, the name of its address, and what that names besides the campaign.

    With `in_bar` it is always in sight, by that name. `holds` are the beginnings of addresses of what belongs to it.
    """

    label: Words
    name: str
    named: tuple[str, ...] = ()
    in_bar: Words = ""
    holds: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        return _place(self.name, *self.named)[0]


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
DOWNLOADS = (
    Page(_("Texts (CSV)"), "compressions:sources-csv"),
    Page(_("Participants (CSV)"), "ratings:all-participants-csv"),
    Page(_("Flagged compressions (CSV)"), "compressions:flagged-csv"),
    Page(_("Remarks (CSV)"), "compressions:remarks-csv"),
    Page(_("Quality decisions (CSV)"), "ratings:decisions-csv"),
    Page(_("Audit log (CSV)"), "crowd:audit-csv"),
    Page(_("Settings and questions (YAML)"), "campaign-file"),
)
GROUPS: tuple[tuple[Words, tuple[Page, ...]], ...] = (
    (
        _("Set up"),
        (
            Page(_("Settings"), "crowd:campaign-edit", in_bar=_("Settings")),
            Page(_("Settings history"), "crowd:settings-history", in_bar=_("Settings")),
            Page(_("Links"), "crowd:links", in_bar=_("Links")),
            Page(_("The judgement task and its material"), "protocols:set-up", in_bar=_("Judgement task")),
            Page(_("Practice and test questions"), "ratings:examples"),
            Page(_("New practice or test question"), "ratings:example-new"),
            Page(_("Import practice and test questions"), "ratings:example-import"),
            Page(_("New gold question"), "ratings:gold-new"),
            Page(_("Import gold questions"), "ratings:gold-import"),
            Page(_("Test participants"), "test-people"),
            Page(_("Labelled sessions"), "labelled-sessions"),
        ),
    ),
    (
        _("Texts"),
        (
            Page(_("All texts"), "compressions:sources", in_bar=_("Texts"), holds=("compressions/", "alignments/")),
            Page(_("Imports"), "compressions:imports"),
            Page(_("Paragraphs and their sentences"), "compressions:paragraphs"),
            Page(_("Systems and their outputs"), "corpus:systems"),
            Page(_("Train and run systems"), "systems:systems"),
            Page(_("Translations"), "compressions:translations"),
            Page(_("Ratings from files"), "ratings:import-ratings"),
        ),
    ),
    (
        _("Follow the work"),
        (
            Page(
                _("Editors"),
                "ratings:participants",
                (Round.EDIT,),
                in_bar=_("Participants"),
                holds=("participants/", "people/"),
            ),
            Page(_("Raters"), "ratings:participants", (Round.RATE,)),
            Page(_("Experts"), "ratings:participants", (Round.EXPERT,)),
            Page(_("Time and pay"), "ratings:pay"),
            Page(_("Flagged compressions"), "compressions:flagged"),
            Page(_("Remarks"), "compressions:remarks"),
            Page(_("Samples for experts"), "ratings:experts"),
            Page(_("Quality"), "ratings:quality", in_bar=_("Quality")),
            Page(_("What the quality rule would do"), "ratings:quality-preview"),
        ),
    ),
    (
        _("Publish"),
        (
            Page(_("Fix the analysis"), "protocols:plan"),
            Page(_("Freeze a release"), "corpus:freeze"),
            Page(_("Releases"), "corpus:releases", in_bar=_("Releases")),
            Page(_("How precision grows with cost"), "agreement:plan"),
        ),
    ),
    (_("Download"), DOWNLOADS),
    (
        _("This campaign"),
        (
            Page(_("Staff"), "crowd:staff"),
            Page(_("Webhooks"), "webhooks"),
            Page(_("Audit log"), "crowd:audit"),
            Page(_("Copy it"), "campaign-copy"),
            Page(_("Delete it"), "campaign-delete"),
        ),
    ),
)


@dataclass(frozen=True)
class MenuLink:
    """A link of the menu; `current` is the value of aria-current, "" for where staff are not."""

    label: Words
    address: str
    current: str = ""


@dataclass(frozen=True)
class MenuGroup:
    title: Words
    links: list[MenuLink]


@dataclass(frozen=True)
class Menu:
    """The menu of a campaign: the pages that are always in sight, and all pages group by group."""

    bar: list[MenuLink]
    groups: list[MenuGroup]


def menu_of(campaign: Campaign, role: str, home: str, path: str) -> Menu:
    """Return the menu of a campaign whose dashboard is at `home`, for an account at `path`, without any query."""
    groups = [(title, list(_visible(campaign, role, pages))) for title, pages in GROUPS]
    shown = [page for _title, pages in groups for page in pages]
    here = max((own for page in shown if path.startswith(own := home + page.place)), key=len, default="")

    def link(page: Page) -> MenuLink:
        at = home + page.place
        return MenuLink(page.label, at, "page" if at == path else "true" if at == here else "")

    bar = [MenuLink(_("Dashboard"), home, "page" if path == home else "")]
    for page in shown:
        if page.in_bar and page.in_bar not in [each.label for each in bar]:
            is_part = any(path.startswith(home + each) for each in page.holds)
            found = link(page)
            bar.append(MenuLink(page.in_bar, found.address, found.current or ("true" if is_part else "")))
    return Menu(bar, [MenuGroup(title, list(map(link, pages))) for title, pages in groups if pages])


def exports(campaign: Campaign, role: str) -> list[MenuLink]:
    """Return the tables that an account of this role may download."""
    home = reverse("dashboard", args=[campaign.slug])
    return [MenuLink(page.label, home + page.place) for page in _visible(campaign, role, DOWNLOADS)]


def may_see(role: str, name: str, *named: str) -> bool:
    """Whether an account of this role may look at a page of its campaign."""
    return role in MAY[_place(name, *named)[1]].look


def _visible(campaign: Campaign, role: str, pages: tuple[Page, ...]) -> Iterator[Page]:
    unfit = OF_RATINGS if campaign.task.has_material else OF_MATERIAL
    return (page for page in pages if page.name not in unfit and may_see(role, page.name, *page.named))


@cache
def _place(name: str, *named: str) -> tuple[str, Access]:
    """Return the address of a page below its campaign's dashboard, and who may look at it."""
    address = reverse(name, args=["-", *named])
    return address.removeprefix(reverse("dashboard", args=["-"])), resolve(address).func.access  # type: ignore[attr-defined]

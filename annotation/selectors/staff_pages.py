"""The pages of a campaign for staff, as the dashboard lists them: every one is found there."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import resolve, reverse
from django.utils.translation import gettext_lazy as _

from common.words import Words
from crowd.access import Access
from crowd.models import Campaign, Role, Round

Pages = tuple[tuple[Words, str] | tuple[Words, str, str], ...]
# For each page what it is called, the name of its address, and what the address names besides the campaign.
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
            (_("Practice and test questions"), "ratings:examples"),
            (_("New practice or test question"), "ratings:example-new"),
            (_("Import practice and test questions"), "ratings:example-import"),
            (_("New gold question"), "ratings:gold-new"),
            (_("Import gold questions"), "ratings:gold-import"),
            (_("Test participants"), "test-people"),
        ),
    ),
    (
        _("Texts"),
        (
            (_("All texts"), "compressions:sources"),
            (_("Imports"), "compressions:imports"),
            (_("Paragraphs and their sentences"), "compressions:paragraphs"),
            (_("Systems and their outputs"), "corpus:systems"),
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
        address = reverse(name, args=[campaign.slug, *named])
        access: Access = resolve(address).func.access  # type: ignore[attr-defined]
        if role in MAY_LOOK[access]:
            yield StaffPage(label, address)

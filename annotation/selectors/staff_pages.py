"""The pages of a campaign for staff, as the dashboard lists them: every one is found there."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import resolve, reverse

from crowd.access import Access
from crowd.models import Campaign, Role, Round

# For each page what it is called, the name of its address, and what the address names besides the campaign.
GROUPS: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...] = (
    (
        "Set up",
        (
            ("Settings", "crowd:campaign-edit"),
            ("Settings history", "crowd:settings-history"),
            ("Links", "crowd:links"),
            ("Practice and test questions", "ratings:examples"),
            ("New practice or test question", "ratings:example-new"),
            ("Import practice and test questions", "ratings:example-import"),
            ("New gold question", "ratings:gold-new"),
            ("Import gold questions", "ratings:gold-import"),
            ("Test participants", "test-people"),
        ),
    ),
    (
        "Texts",
        (
            ("All texts", "compressions:sources"),
            ("Imports", "compressions:imports"),
            ("Paragraphs and their sentences", "compressions:paragraphs"),
            ("Systems and their outputs", "corpus:systems"),
        ),
    ),
    (
        "Follow the work",
        (
            ("Editors", "ratings:participants", Round.EDIT),
            ("Raters", "ratings:participants", Round.RATE),
            ("Experts", "ratings:participants", Round.EXPERT),
            ("Time and pay", "ratings:pay"),
            ("Flagged compressions", "compressions:flagged"),
            ("Remarks", "compressions:remarks"),
            ("Samples for experts", "ratings:experts"),
            ("Quality", "ratings:quality"),
            ("What the quality rule would do", "ratings:quality-preview"),
        ),
    ),
    (
        "Publish",
        (
            ("Freeze a release", "corpus:freeze"),
            ("Releases", "corpus:releases"),
            ("How precision grows with cost", "agreement:plan"),
        ),
    ),
    (
        "Download",
        (
            ("Texts (CSV)", "compressions:sources-csv"),
            ("Participants (CSV)", "ratings:all-participants-csv"),
            ("Flagged compressions (CSV)", "compressions:flagged-csv"),
            ("Remarks (CSV)", "compressions:remarks-csv"),
            ("Quality decisions (CSV)", "ratings:decisions-csv"),
            ("Audit log (CSV)", "crowd:audit-csv"),
        ),
    ),
    ("This campaign", (("Staff", "crowd:staff"), ("Audit log", "crowd:audit"), ("Delete it", "campaign-delete"))),
)
EXPORTS = "Download"
MAY_LOOK = {
    Access.CAMPAIGN_STAFF: {Role.OWNER, Role.MANAGER, Role.VIEWER},
    Access.CAMPAIGN_LOOKER: {Role.OWNER, Role.MANAGER, Role.VIEWER},
    Access.CAMPAIGN_MANAGER: {Role.OWNER, Role.MANAGER},
    Access.CAMPAIGN_OWNER: {Role.OWNER},
}


@dataclass(frozen=True)
class StaffPage:
    label: str
    address: str


@dataclass(frozen=True)
class PageGroup:
    title: str
    pages: list[StaffPage]


def staff_pages(campaign: Campaign, role: str) -> list[PageGroup]:
    """Return the pages that an account of this role may see, group by group."""
    groups = [PageGroup(title, list(_visible(campaign, role, pages))) for title, pages in GROUPS]
    return [group for group in groups if group.pages]


def exports(campaign: Campaign, role: str) -> list[StaffPage]:
    return next((group.pages for group in staff_pages(campaign, role) if group.title == EXPORTS), [])


def _visible(campaign: Campaign, role: str, pages: tuple[tuple[str, ...], ...]) -> Iterator[StaffPage]:
    for label, name, *named in pages:
        address = reverse(name, args=[campaign.slug, *named])
        access: Access = resolve(address).func.access  # type: ignore[attr-defined]
        if role in MAY_LOOK[access]:
            yield StaffPage(label, address)

"""Query the links of a campaign as the dashboard lists them."""

from dataclasses import dataclass

from crowd.models import Campaign, JoinLink
from crowd.selectors.links import link_refusal, links_with_people


@dataclass(frozen=True)
class LinkRow:
    """A link, and whether anybody new may come by it now."""

    link: JoinLink
    takes_nobody: bool


def link_rows(campaign: Campaign) -> list[LinkRow]:
    """Return the links in a fixed number of queries."""
    return [LinkRow(link, bool(link_refusal(link, people))) for link, people in links_with_people(campaign)]

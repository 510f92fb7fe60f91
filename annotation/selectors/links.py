"""Query the links of a campaign as the dashboard lists them."""

from copy import copy
from dataclasses import dataclass

from crowd.models import Campaign, JoinLink
from crowd.selectors.links import link_refusal, links_of_campaign


@dataclass(frozen=True)
class LinkRow:
    """A link, and whether anybody new may come by it now."""

    link: JoinLink
    takes_nobody: bool


def link_rows(campaign: Campaign) -> list[LinkRow]:
    """Return the links in a fixed number of queries."""
    return [LinkRow(link, _takes_nobody(link)) for link in links_of_campaign(campaign)]


def _takes_nobody(link: JoinLink) -> bool:
    """Tell whether a link refuses people; whether it is full is known from the `people` counted with it."""
    if link.max_people is None:
        return bool(link_refusal(link))
    people: int = link.people  # type: ignore[attr-defined]  # an annotation of the query
    unlimited = copy(link)
    unlimited.max_people = None  # else it would be counted anew
    return people >= link.max_people or bool(link_refusal(unlimited))

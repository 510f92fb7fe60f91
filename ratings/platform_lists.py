"""Lists of people for the platform: whom to approve, whom to ask back, whose work to look at first.

A list is made for each link, since platforms pay by study. No list rejects anyone.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.utils.translation import gettext_lazy, override

from common.words import Words
from crowd.models import Campaign, JoinLink, Outcome
from crowd.models.campaign import NO_LIMIT
from ratings.selectors.participants import Participant
from ratings.selectors.visits import Visit

Entry = tuple[Participant, Visit]


@dataclass(frozen=True)
class ListKind:
    """A list: its name in addresses, its title, what it is for, and who is on it."""

    key: str
    title: Words
    purpose: Words
    holds: Callable[[Participant, Visit], bool]
    purpose_when_final: Words = ""

    def purpose_in(self, campaign: Campaign) -> Words:
        return self.purpose_when_final if campaign.is_final and self.purpose_when_final else self.purpose


def _ended(outcome: Outcome) -> Callable[[Participant, Visit], bool]:
    return lambda _each, visit: visit.outcome == outcome


def _has_partial_code(visit: Visit) -> bool:
    return bool(visit.link.code_partial) and visit.campaign.pays_in_part(visit.work.submitted)


KINDS = (
    ListKind(
        "approve",
        gettext_lazy("Approve"),
        gettext_lazy("They finished all their texts, or there were no more for them."),
        _ended(Outcome.DONE),
    ),
    ListKind(
        "no-work",
        gettext_lazy("Approve: no work left"),
        gettext_lazy(
            "They arrived when no texts were left for them. Pay them what your study promises in that case. "
            "People turned away before they agreed also get this code. They are not listed here: find them on the "
            "platform by the code."
        ),
        _ended(Outcome.NO_WORK),
    ),
    ListKind(
        "partial",
        gettext_lazy("Stopped early, with the partial code"),
        gettext_lazy("Pay them for the part that they did."),
        lambda _each, visit: visit.outcome == Outcome.STOPPED_EARLY and _has_partial_code(visit),
    ),
    ListKind(
        "stopped",
        gettext_lazy("Stopped early, without a code"),
        gettext_lazy("Ask them to return the study, or pay them for the part that they did."),
        lambda _each, visit: visit.outcome == Outcome.STOPPED_EARLY and not _has_partial_code(visit),
    ),
    ListKind(
        "withdrew",
        gettext_lazy("Withdrew"),
        gettext_lazy(
            "They do not want their work to be used. Ask them to return the study, or pay them for the part that they "
            "did."
        ),
        _ended(Outcome.WITHDREW),
    ),
    ListKind(
        "failed",
        gettext_lazy("Failed the test"),
        gettext_lazy("They may not work on the texts. Pay what your study promises for the test."),
        _ended(Outcome.FAILED),
    ),
    ListKind(
        "working",
        gettext_lazy("Still working"),
        gettext_lazy("They have not finished yet."),
        _ended(Outcome.WORKING),
        purpose_when_final=gettext_lazy("The campaign closed before they finished; they may have no code."),
    ),
    ListKind(
        "look",
        gettext_lazy("Look at first"),
        gettext_lazy(
            "Something about their work is flagged, finished or not. They are on one of the other lists, too."
        ),
        lambda each, visit: bool(each.flags_by(visit) or each.is_low_on_gold),
    ),
)
BY_KEY = {kind.key: kind for kind in KINDS}


@dataclass(frozen=True)
class PlatformList:
    """The people on one list of a link, of whom each may do `tasks` tasks."""

    kind: ListKind
    link: JoinLink
    campaign: Campaign
    entries: list[Entry]

    @property
    def purpose(self) -> Words:
        return self.kind.purpose_in(self.campaign)

    @property
    def subject(self) -> str:
        """What the audit log calls the list, in every language; the link's number tells links of one title apart."""
        with override(None):
            return f"{self.kind.title}: {self.link.title} (link {self.link.pk})"

    @property
    def tasks(self) -> int:
        return self.campaign.tasks_per_worker(self.link.round)

    @property
    def with_fewer(self) -> int:
        """How many finished with fewer texts than one person may do."""
        if self.kind.key != "approve" or self.tasks == NO_LIMIT:
            return 0
        return sum(visit.work.submitted < self.tasks for _each, visit in self.entries)

    @property
    def ids(self) -> list[str]:
        return [each.worker.external_id for each, _visit in self.entries if each.worker.external_id]

    @property
    def without_id(self) -> int:
        return len(self.entries) - len(self.ids)


@dataclass(frozen=True)
class LinkLists:
    """The lists of one link, without its `tests`: people who were marked as tests later."""

    link: JoinLink
    lists: list[PlatformList]
    tests: int

    def list_of(self, key: str) -> PlatformList:
        return next(each for each in self.lists if each.kind.key == key)


def lists_by_link(campaign: Campaign, people: Iterable[Participant], links: Iterable[JoinLink]) -> list[LinkLists]:
    """Return the lists of each link by which someone came, but for test links."""
    by_link: dict[int, list[Entry]] = {}
    for each in people:
        for visit in each.visits:
            by_link.setdefault(visit.link.pk, []).append((each, visit))
    return [_lists(campaign, link, by_link[link.pk]) for link in links if link.pk in by_link and not link.is_test]


def _lists(campaign: Campaign, link: JoinLink, came: list[Entry]) -> LinkLists:
    real = [(each, visit) for each, visit in came if not each.worker.is_test]
    lists = [PlatformList(kind, link, campaign, [entry for entry in real if kind.holds(*entry)]) for kind in KINDS]
    return LinkLists(link, lists, tests=len(came) - len(real))

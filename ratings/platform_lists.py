"""Lists of people for the platform: whom to approve, whom to ask back, whose work to look at first.

A list is made for each link, since platforms pay by study. No list rejects anybody.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from crowd.models import JoinLink, Outcome
from ratings.selectors.participants import Participant
from ratings.selectors.visits import Visit


@dataclass(frozen=True)
class ListKind:
    """A list: its name in addresses, its title, what it is for, and the outcomes of those on it; none for all."""

    key: str
    title: str
    purpose: str
    outcomes: frozenset[str] = frozenset()
    only_flagged: bool = False


KINDS = (
    ListKind("approve", "Approve", "They finished.", frozenset({Outcome.DONE})),
    ListKind(
        "no-work",
        "Approve: no work left",
        "They arrived when no texts were left for them. Pay them what your study promises in that case.",
        frozenset({Outcome.NO_WORK}),
    ),
    ListKind(
        "partial",
        "Return or partial payment",
        "They stopped early or withdrew. Ask them to return the study, or pay them for the part that they did.",
        frozenset({Outcome.STOPPED_EARLY, Outcome.WITHDREW}),
    ),
    ListKind("failed", "Failed the test", "They may not work on the texts.", frozenset({Outcome.FAILED})),
    ListKind("working", "Still working", "They have not finished yet.", frozenset({Outcome.WORKING})),
    ListKind(
        "look",
        "Look at first",
        "Something about their work is flagged, finished or not. They are on one of the other lists, too.",
        only_flagged=True,
    ),
)
BY_KEY = {kind.key: kind for kind in KINDS}
Entry = tuple[Participant, Visit]


@dataclass(frozen=True)
class PlatformList:
    """The people on one list of a link."""

    kind: ListKind
    entries: list[Entry]

    @property
    def ids(self) -> list[str]:
        return [each.worker.external_id for each, _visit in self.entries if each.worker.external_id]

    @property
    def without_id(self) -> int:
        return len(self.entries) - len(self.ids)


@dataclass(frozen=True)
class LinkLists:
    """The lists of one link, without its `tests`: people who came to try it out."""

    link: JoinLink
    lists: list[PlatformList]
    tests: int

    def list_of(self, key: str) -> PlatformList:
        return next(each for each in self.lists if each.kind.key == key)


def lists_by_link(people: Iterable[Participant], links: Iterable[JoinLink]) -> list[LinkLists]:
    """Return the lists of each link by which someone came."""
    by_link: dict[int, list[Entry]] = {}
    for each in people:
        for visit in each.visits:
            by_link.setdefault(visit.link.pk, []).append((each, visit))
    return [_lists(link, by_link[link.pk]) for link in links if link.pk in by_link]


def _lists(link: JoinLink, came: list[Entry]) -> LinkLists:
    real = [(each, visit) for each, visit in came if not each.worker.is_test]
    lists = [PlatformList(kind, [entry for entry in real if _is_on(kind, *entry)]) for kind in KINDS]
    return LinkLists(link, lists, tests=len(came) - len(real))


def _is_on(kind: ListKind, each: Participant, visit: Visit) -> bool:
    if kind.only_flagged:
        return bool(each.flags_by(visit) or each.is_low_on_gold)
    return visit.outcome in kind.outcomes

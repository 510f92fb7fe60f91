"""Lists of people for the platform: whom to approve, whom to ask back, whose work to look at first.

A list is made for each link, since platforms pay by study. Every visit is on one list. No list rejects anyone. Lists
give out those who are not marked as paid.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property

from django.utils.translation import gettext_lazy, override

from common.words import Words
from compressions.labelled import editor_scores
from crowd.models import Campaign, JoinLink, Outcome, Round
from crowd.models.campaign import NO_LIMIT
from crowd.pay import pay_of_round
from ratings.selectors.participants import Participant
from ratings.selectors.visits import Visit

Entry = tuple[Participant, Visit]
LOOK = "look"


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


def _place_on_list(entry: Entry, scores: Mapping[int, float]) -> tuple[int, float, int]:
    each, visit = entry
    return -(each.groups + bool(visit.work.flagged)), -scores.get(each.worker.pk, 0.0), each.number


def _is_flagged(each: Participant, visit: Visit) -> bool:
    return bool(each.flags_by(visit) or each.is_low_on_gold)


KINDS = (
    ListKind(
        "approve",
        gettext_lazy("Approve: nothing flagged"),
        gettext_lazy("They finished all their texts, or there were no more for them."),
        lambda each, visit: visit.outcome == Outcome.DONE and not _is_flagged(each, visit),
    ),
    ListKind(
        LOOK,
        gettext_lazy("Approve: look at first"),
        gettext_lazy("They finished, too, and something about their work is flagged. A flag is no reason to reject."),
        lambda each, visit: visit.outcome == Outcome.DONE and _is_flagged(each, visit),
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
        "skipped",
        gettext_lazy("Skipped most texts"),
        gettext_lazy(
            "No texts were left for them, and they had skipped more than they finished. Their pages show what they "
            "skipped, and why."
        ),
        _ended(Outcome.SKIPPED),
    ),
    ListKind(
        "partial",
        gettext_lazy("Stopped early, with the partial code"),
        gettext_lazy("Pay them for the part that they did."),
        lambda _each, visit: visit.is_paid_in_part,
    ),
    ListKind(
        "stopped",
        gettext_lazy("Stopped early, without a code"),
        gettext_lazy("Ask them to return the study, or pay them for the part that they did."),
        lambda _each, visit: visit.outcome == Outcome.STOPPED_EARLY and not visit.is_paid_in_part,
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
)
FINISHED = {"approve", LOOK}
BY_KEY = {kind.key: kind for kind in KINDS}


@dataclass(frozen=True)
class PlatformList:
    """The people on one list of a link, of whom each may do `tasks` tasks."""

    kind: ListKind
    link: JoinLink
    campaign: Campaign
    entries: list[Entry]
    scores: Mapping[int, float] = field(default_factory=dict)

    @property
    def looked_at(self) -> list[tuple[Entry, float | None]]:
        """Whom to look at, with their scores, on the list that is for that; else nobody."""
        entries = self.shown if self.kind.key == LOOK else []
        return [(entry, self.scores.get(entry[0].worker.pk)) for entry in entries]

    def scored(self) -> "PlatformList":
        """Return the list of whom to look at first, who meets most in front.

        By the groups of rules that they meet, flagged texts among them; then by the score that labelled sessions give
        them, if there are any; then by number.
        """
        if self.kind.key != LOOK or self.link.round != Round.EDIT:
            return self
        scores = editor_scores(self.campaign, [each.worker.pk for each, _visit in self.entries])
        order = sorted(self.entries, key=lambda entry: _place_on_list(entry, scores))
        return replace(self, entries=order, scores=scores)

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
        if self.kind.key not in FINISHED or self.tasks == NO_LIMIT:
            return 0
        return sum(visit.work.submitted < self.tasks for _each, visit in self.entries)

    @property
    def flagged(self) -> int:
        """How many are flagged on a list that is not about flags."""
        return 0 if self.kind.key in FINISHED else sum(_is_flagged(*entry) for entry in self.entries)

    @property
    def amount(self) -> Decimal | None:
        """What each gets who stopped early or failed the test; None if that depends on their texts, or is not fixed."""
        pay = pay_of_round(self.campaign, self.link.round)
        if self.kind.key == "failed":
            return pay.failed
        return pay.partial if self.kind.key == "partial" and not pay.is_per_text else None

    @cached_property
    def unpaid(self) -> list[Entry]:
        return [entry for entry in self.entries if entry[1].paid_at is None]

    @property
    def paid(self) -> int:
        return len(self.entries) - len(self.unpaid)

    @cached_property
    def last_paid(self) -> list[Entry]:
        """Those who were marked as paid last, at one moment."""
        times = {visit.paid_at for _each, visit in self.entries if visit.paid_at}
        last = max(times, default=None)
        return [entry for entry in self.entries if last and entry[1].paid_at == last]

    @property
    def ids(self) -> list[str]:
        """The ids of those who are not marked as paid."""
        return [each.worker.external_id for each, _visit in self.unpaid if each.worker.external_id]

    @property
    def shown(self) -> list[Entry]:
        """Whom staff pay by this list: who has an id, or everyone where nobody has one."""
        return [entry for entry in self.unpaid if entry[0].worker.external_id] or self.unpaid

    @property
    def without_id(self) -> int:
        return len(self.unpaid) - len(self.ids)


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
    entries: dict[str, list[Entry]] = {kind.key: [] for kind in KINDS}
    for entry in real:
        entries[next(kind.key for kind in KINDS if kind.holds(*entry))].append(entry)
    lists = [PlatformList(kind, link, campaign, entries[kind.key]) for kind in KINDS]
    return LinkLists(link, lists, tests=len(came) - len(real))

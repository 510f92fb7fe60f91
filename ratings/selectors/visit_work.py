"""Count what people submitted by each link: from what is kept, and from what came since.

To count millions of pieces of work takes many seconds. Of a large round the worker keeps what everyone had submitted
until some minutes ago, and what came later is found person by person in an index. What was submitted keeps its times
until it is deleted; then those whose it was are no longer named in what is kept, and all of theirs is counted. What
somebody skipped, and what does not count any more, can change at any time and is little: it is counted anew.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Count, Max, Min, OuterRef, Q, QuerySet, Subquery, Sum

from compressions.models import Compression
from crowd.models import Assignment, Campaign, Enrolment, Round
from ratings.models import KeptWork

DONE = [Assignment.State.SUBMITTED, Assignment.State.DISCARDED]
PEOPLE_AT_ONCE = 5_000


class Work(NamedTuple):
    """What one person submitted by one link; `kept` of it was not discarded with an exclusion. They `skipped` others.

    `active_ms` sums the times that are known, those of `timed` tasks; None without any.
    """

    flagged: int = 0
    submitted: int = 0
    kept: int = 0
    skipped: int = 0
    claimed_at: datetime | None = None
    first_at: datetime | None = None
    last_at: datetime | None = None
    active_ms: int | None = None
    timed: int = 0

    @property
    def known_active_ms(self) -> int | None:
        """The active time if that of every task is known."""
        return self.active_ms if self.timed == self.submitted else None


NO_WORK = Work()


class Done(NamedTuple):
    """What one person submitted by one link: when the first was claimed, the first and the last came, and so on."""

    submitted: int
    claimed_at: datetime
    first_at: datetime
    last_at: datetime
    active_ms: int | None
    timed: int

    def plus(self, more: "Done") -> "Done":
        known = [each.active_ms for each in (self, more) if each.active_ms is not None]
        return Done(
            self.submitted + more.submitted,
            min(self.claimed_at, more.claimed_at),
            min(self.first_at, more.first_at),
            max(self.last_at, more.last_at),
            sum(known) if known else None,
            self.timed + more.timed,
        )


class Aside(NamedTuple):
    """What of a person's work by one link was skipped, since when, and what was discarded."""

    skipped: int = 0
    claimed_at: datetime | None = None
    discarded: int = 0


NOTHING = Aside()

Key = tuple[int, int]
"""A person and a link."""


class WorkByVisit(Mapping[Key, Work]):
    """What each person did by each link, put together as it is asked for: to keep thousands at once takes long."""

    def __init__(self, done: dict[Key, Done], aside: dict[Key, Aside], flagged: dict[Key, int]) -> None:
        self._done, self._aside, self._flagged = done, aside, flagged

    def of(self, key: Key) -> Work:
        """Return what is known of a visit; `NO_WORK` if nothing is."""
        done, aside = self._done.get(key), self._aside.get(key, NOTHING)
        if done is None:
            return NO_WORK if aside is NOTHING else Work(skipped=aside.skipped, claimed_at=aside.claimed_at)
        claimed = done.claimed_at if aside.claimed_at is None else min(done.claimed_at, aside.claimed_at)
        kept = done.submitted - aside.discarded
        return Work(self._flagged.get(key, 0), done.submitted, kept, aside.skipped, claimed, *done[2:])

    def __getitem__(self, key: Key) -> Work:
        if key not in self._done and key not in self._aside:
            raise KeyError(key)
        return self.of(key)

    def __iter__(self) -> Iterator[Key]:
        return iter(self._done.keys() | self._aside)

    def __len__(self) -> int:
        return len(self._done.keys() | self._aside)


def work_by_visit(campaign: Campaign, work_round: str, only: Collection[int] | None = None) -> WorkByVisit:
    """Return what each person, or `only` some, did by each link, that of excluded people included."""
    of_whom = {"worker__campaign": campaign} if only is None else {"worker__in": only}
    kept = KeptWork.objects.filter(campaign=campaign, round=work_round).first() if only is None else None
    done = done_in(work_round, **of_whom) if kept is None else done_since(kept).done
    few = of_whom if only is not None else _who_has_aside(campaign, work_round)
    return WorkByVisit(done, _aside(work_round, few), _flagged(work_round, of_whom))


def done_in(work_round: str, **of_which: Any) -> dict[Key, Done]:
    """Return what was submitted in a round by each person and link, of the assignments that are asked for."""
    time = "compression__active_ms" if work_round == Round.EDIT else "rating__milliseconds"
    rows = Assignment.objects.filter(round=work_round, state__in=DONE, link__isnull=False, **of_which).order_by()
    counted = rows.values_list("worker_id", "link_id").annotate(
        tasks=Count("pk"),
        claimed=Min("leased_at"),
        first=Min("submitted_at"),
        last=Max("submitted_at"),
        active=Sum(time),
        timed=Count(time),
    )
    return {(worker, link): Done(*told) for worker, link, *told in counted}


ASIDE = [Assignment.State.SKIPPED, Assignment.State.DISCARDED]


def _who_has_aside(campaign: Campaign, work_round: str) -> dict[str, Any]:
    """Return whose work to look through for what was skipped or discarded: of those who have any, if they are few.

    Each is looked up in an index. PostgreSQL would read all assignments to find that hardly any is of them.
    """
    own = Assignment.objects.filter(worker=OuterRef("worker"), round=work_round, state__in=ASIDE).order_by()
    enrolled = Enrolment.objects.filter(worker__campaign=campaign, round=work_round).order_by()
    found = enrolled.annotate(aside=Subquery(own.values("pk")[:1])).filter(aside__isnull=False)
    people = list(found.values_list("worker_id", flat=True)[: PEOPLE_AT_ONCE + 1])
    return {"worker__in": people} if len(people) <= PEOPLE_AT_ONCE else {"worker__campaign": campaign}


def _aside(work_round: str, of_whom: dict[str, Any]) -> dict[Key, Aside]:
    """Return what was skipped or discarded."""
    rows = Assignment.objects.filter(round=work_round, state__in=ASIDE, **of_whom)
    skipped = Q(state=Assignment.State.SKIPPED)
    counted = (
        rows.order_by()
        .values_list("worker_id", "link_id")
        .annotate(
            skipped=Count("pk", filter=skipped),
            claimed=Min("leased_at", filter=skipped),
            discarded=Count("pk", filter=~skipped),
        )
    )
    return {(worker, link): Aside(*told) for worker, link, *told in counted}


def _flagged(work_round: str, of_whom: dict[str, Any]) -> dict[Key, int]:
    """Return how many of an editor's compressions have flags: few, found by an index."""
    if work_round != Round.EDIT:
        return {}
    rows = Compression.objects.filter(is_flagged=True, **of_whom).order_by()
    counted = rows.values_list("worker_id", "assignment__link_id").annotate(Count("pk"))
    return {(worker, link): number for worker, link, number in counted}


@dataclass(frozen=True)
class DoneBy:
    """What some `people` submitted by each link; all that are enrolled are among them, whether they did or not."""

    people: set[int]
    done: dict[Key, Done]

    def dump(self) -> dict[str, list[list[int | None]]]:
        stored: dict[str, list[list[int | None]]] = {str(worker): [] for worker in sorted(self.people)}
        for (worker, link), each in sorted(self.done.items()):
            moments = [(at - EPOCH) // MICROSECOND for at in each[1:4]]
            active = None if each.active_ms is None else int(each.active_ms)
            stored[str(worker)].append([link, each.submitted, *moments, active, each.timed])
        return stored

    @classmethod
    def load(cls, stored: dict[str, list[list[Any]]]) -> "DoneBy":
        done = {
            (int(worker), link): Done(number, _moment(claimed), _moment(first), _moment(last), active, timed)
            for worker, by_link in stored.items()
            for link, number, claimed, first, last, active, timed in by_link
        }
        return cls({int(worker) for worker in stored}, done)


EPOCH, MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)


def _moment(stored: int) -> datetime:
    return EPOCH + stored * MICROSECOND


def done_since(kept: KeptWork, before: datetime | None = None) -> DoneBy:
    """Return what is kept, with what was submitted since, or since then and before another moment."""
    known, at = DoneBy.load(kept.work), {"submitted_at__lt": before} if before else {}
    enrolled = Enrolment.objects.filter(worker__campaign=kept.campaign_id, round=kept.round)
    people = set(enrolled.values_list("worker_id", flat=True))
    came = _came_since(enrolled, kept.until)
    unknown = people - known.people
    for others, which in ((came - unknown, {"submitted_at__gte": kept.until, **at}), (unknown, at)):
        ordered = sorted(others)
        for start in range(0, len(ordered), PEOPLE_AT_ONCE):
            some = ordered[start : start + PEOPLE_AT_ONCE]
            for key, more in done_in(kept.round, worker__in=some, **which).items():
                known.done[key] = known.done[key].plus(more) if key in known.done else more
    # Test participants can be removed.
    gone = known.people - people
    return DoneBy(people, {key: each for key, each in known.done.items() if key[0] not in gone} if gone else known.done)


def _came_since(enrolled: QuerySet[Enrolment], moment: datetime) -> set[int]:
    """Return who of some people submitted something since, in any round: each is looked up in an index."""
    own = Assignment.objects.filter(worker=OuterRef("worker"), submitted_at__isnull=False).order_by("-submitted_at")
    came = enrolled.annotate(last=Subquery(own.values("submitted_at")[:1])).filter(last__gte=moment)
    return set(came.values_list("worker_id", flat=True))


PEOPLE_CHECKED = 20


def people_kept_wrongly(kept: KeptWork) -> set[int]:
    """Return who of some people, evenly chosen, submitted something else than what is kept of them."""
    known = DoneBy.load(kept.work)
    some = sorted(known.people)[:: max(1, len(known.people) // PEOPLE_CHECKED)]
    done = done_in(kept.round, worker__in=some, submitted_at__lt=kept.until)
    is_kept = {key: each for key, each in known.done.items() if key[0] in some}
    return {worker for (worker, _link), _done in done.items() ^ is_kept.items()}

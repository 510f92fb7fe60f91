"""What a campaign knows of texts, and of the people of a file who rated them elsewhere."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from django.db.models import Exists, OuterRef, Q

from compressions.models import Compression, Target
from crowd.models import Assignment, Campaign, Item, Worker
from crowd.models.people import IMPORTED
from crowd.services.imported_people import is_number
from ratings.models import ExpertItem, RaterPool, Rating, Score
from ratings.rating_files import FileRating

Scores = tuple[tuple[str, float], ...]
_AT_WORK = (Assignment.State.LEASED, Assignment.State.SUBMITTED, Assignment.State.DISCARDED)


def in_order(scores: Mapping[str, float]) -> Scores:
    return tuple(sorted(scores.items()))


@dataclass
class RatedElsewhere:
    """Texts by id, with the raters of a file by name, and what those have rated."""

    targets: Mapping[int, Target]
    items: Mapping[int, Item]
    """The raters' or experts' item of each text that has one."""
    rated_here: frozenset[int]
    """The texts that participants of the campaign rate or have rated."""
    people: Mapping[str, Worker]
    """Those whom earlier files of the same pool named. In another pool a name is someone else."""
    names_of_participants: frozenset[str]
    barred: frozenset[tuple[int, int]]
    """Texts and people who wrote them, or have had their items without rating them in this pool."""
    _given: Mapping[tuple[int, int], dict[str, int]]
    _nameless: Mapping[int, Counter[Scores]]

    @classmethod
    def read(cls, campaign: Campaign, pool: RaterPool, lines: Iterable[tuple[int, FileRating]]) -> Self:
        """Read what lines of a file meet, in a number of queries that does not grow with them. Locks their items."""
        lines = list(lines)
        ids, names = {target for target, _ in lines}, {line.rater for _, line in lines} - {""}
        targets = Target.objects.in_bulk(list(ids))
        items = _items(pool, targets)
        people = _people(campaign, pool, names)
        given, nameless, elsewhere = _ratings(pool, ids)
        rated_here, had = _work_on(items)
        return cls(
            targets=targets,
            items=items,
            rated_here=rated_here,
            people=people,
            names_of_participants=_participants(campaign, names),
            barred=frozenset((had | elsewhere | _written(ids, people)) - given.keys()),
            _given=given,
            _nameless=nameless,
        )

    def points(self, target: int, rater: str) -> dict[str, int] | None:
        """Return the points that a rater gave to a text; None if none are known."""
        return self._given.get((target, self.people[rater].pk)) if rater in self.people else None

    def may_not_rate(self, target: int, rater: str) -> bool:
        return (target, self.people[rater].pk) in self.barred

    def take_nameless(self, target: int, scores: Scores) -> bool:
        """Return whether a rating by nobody known with these points is there; each answers for one line only."""
        left = self._nameless.get(target, Counter())
        is_known = left[scores] > 0
        left[scores] -= is_known
        return is_known


def _items(pool: RaterPool, targets: Mapping[int, Target]) -> dict[int, Item]:
    """Return the items in which people of a pool rate texts, locked so that no participant takes one meanwhile."""
    if pool == RaterPool.CROWD:
        ids = {pk: target.item_id for pk, target in targets.items()}
    else:
        ids = dict(ExpertItem.objects.filter(target__in=targets).values_list("target_id", "item_id"))
    rows = Item.objects.select_for_update(no_key=True).filter(pk__in=list(ids.values())).order_by("pk")
    items = {item.pk: item for item in rows}
    return {target: items[item] for target, item in ids.items()}


def _people(campaign: Campaign, pool: RaterPool, names: Iterable[str]) -> dict[str, Worker]:
    """Return the imported people of these names who have rated in a pool; of two with one name the first."""
    numbers = [int(name) for name in names if is_number(name)]
    named = Q(imported_name__in=list(names)) | Q(imported_name="", number__in=numbers)
    rated = Exists(Rating.objects.filter(worker=OuterRef("pk"), rater_pool=pool))
    workers = Worker.objects.filter(named, rated, campaign=campaign, platform_key=IMPORTED)
    return {worker.public_name: worker for worker in workers.order_by("-pk")}


def _participants(campaign: Campaign, names: Iterable[str]) -> frozenset[str]:
    """Return the names that are numbers of people who came to this campaign themselves."""
    numbers = [int(name) for name in names if is_number(name)]
    workers = Worker.objects.filter(campaign=campaign, number__in=numbers).exclude(platform_key=IMPORTED)
    return frozenset(map(str, workers.values_list("number", flat=True)))


def _work_on(items: Mapping[int, Item]) -> tuple[frozenset[int], set[tuple[int, int]]]:
    """Return the texts that participants rate or have rated, and which imported people have had which texts."""
    target_of = {item.pk: target for target, item in items.items()}
    rows = Assignment.objects.filter(item__in=list(target_of)).exclude(worker__is_test=True)
    rated_here, had = set[int](), set[tuple[int, int]]()
    columns = ("item_id", "worker_id", "worker__platform_key", "state")
    for item, worker, platform, state in rows.values_list(*columns):
        if platform == IMPORTED:
            had.add((target_of[item], worker))
        elif state in _AT_WORK:
            rated_here.add(target_of[item])
    return frozenset(rated_here), had


def _written(targets: Iterable[int], people: Mapping[str, Worker]) -> set[tuple[int, int]]:
    rows = Compression.objects.filter(target__in=list(targets), worker__in=[each.pk for each in people.values()])
    return set(rows.values_list("target_id", "worker_id"))


def _ratings(
    pool: RaterPool, targets: Iterable[int]
) -> tuple[dict[tuple[int, int], dict[str, int]], dict[int, Counter[Scores]], set[tuple[int, int]]]:
    """Return the points of a pool by text and person and those by nobody known; and who rated what in another pool."""
    by_rating = defaultdict[tuple[int, int | None, int, str], dict[str, int]](dict)
    rows = Score.objects.filter(rating__target__in=list(targets))
    columns = ("rating_id", "rating__worker_id", "rating__target_id", "rating__rater_pool", "scale", "value")
    for rating, worker, target, of_pool, scale, value in rows.values_list(*columns):
        by_rating[rating, worker, target, of_pool][scale] = value
    given, elsewhere = dict[tuple[int, int], dict[str, int]](), set[tuple[int, int]]()
    nameless = defaultdict[int, Counter[Scores]](Counter)
    for (_, worker, target, of_pool), scores in by_rating.items():
        if worker is None:
            if of_pool == pool:
                nameless[target][in_order(scores)] += 1
        elif of_pool == pool:
            given[target, worker] = scores
        else:
            elsewhere.add((target, worker))
    return given, nameless, elsewhere

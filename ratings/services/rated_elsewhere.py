"""What a campaign knows of texts, and of the people of a file who rated them elsewhere."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from django.db.models import Exists, OuterRef, Q

from compressions.models import Compression, SystemOutput, Target
from crowd.models import Assignment, Campaign, Item, Worker
from crowd.models.people import IMPORTED
from crowd.services.imported_people import is_number
from ratings.models import ExpertItem, ImportedScore, RaterPool, Rating, Score
from ratings.rating_files import FileRating

Scores = tuple[tuple[str, float], ...]
Subject = tuple[int, int | None]
"""A text, and the output that was rated apart from whoever else wrote it."""
AT_WORK = (Assignment.State.LEASED, Assignment.State.SUBMITTED, Assignment.State.DISCARDED)


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
    shared: frozenset[int]
    """The texts that several systems, or a system and people, wrote: of these, outputs are rated apart."""
    _given: Mapping[tuple[Subject, int], dict[str, float]]
    _nameless: Mapping[Subject, Counter[Scores]]

    @classmethod
    def read(cls, campaign: Campaign, pool: RaterPool, lines: Iterable[tuple[int, FileRating]]) -> Self:
        """Read what lines of a file meet, in a number of queries that does not grow with them. Locks their items."""
        lines = list(lines)
        ids, names = {target for target, _ in lines}, {line.rater for _, line in lines} - {""}
        targets = Target.objects.in_bulk(list(ids))
        items = _items(pool, targets)
        people = _people(campaign, pool, names)
        shared = _shared(ids)
        given, nameless, elsewhere = _ratings(pool, ids, shared)
        rated_here, had = _work_on(items)
        return cls(
            targets=targets,
            items=items,
            rated_here=rated_here,
            people=people,
            names_of_participants=names_of_participants(campaign, names),
            barred=frozenset((had | elsewhere | _written(ids, people)) - _people_of(given)),
            shared=shared,
            _given=given,
            _nameless=nameless,
        )

    def points(self, target: int, line: FileRating) -> dict[str, float] | None:
        """Return the points that the rater of a line gave to what it rates; None if none are known."""
        if line.rater not in self.people:
            return None
        return self._given.get((_subject(target, line.output, self.shared), self.people[line.rater].pk))

    def may_not_rate(self, target: int, rater: str) -> bool:
        return (target, self.people[rater].pk) in self.barred

    def take_nameless(self, target: int, line: FileRating) -> bool:
        """Return whether a rating by nobody known with these points is there; each answers for one line only."""
        left, scores = self._nameless.get(_subject(target, line.output, self.shared), Counter()), in_order(line.scores)
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


def names_of_participants(campaign: Campaign, names: Iterable[str]) -> frozenset[str]:
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
        elif state in AT_WORK:
            rated_here.add(target_of[item])
    return frozenset(rated_here), had


def _written(targets: Iterable[int], people: Mapping[str, Worker]) -> set[tuple[int, int]]:
    rows = Compression.objects.filter(target__in=list(targets), worker__in=[each.pk for each in people.values()])
    return set(rows.values_list("target_id", "worker_id"))


def _shared(targets: Iterable[int]) -> frozenset[int]:
    """Return the texts that have an output and another author, be it a system or a person."""
    outputs = Counter(SystemOutput.objects.filter(target__in=list(targets)).values_list("target_id", flat=True))
    written = set(Compression.objects.filter(target__in=list(outputs)).values_list("target_id", flat=True))
    return frozenset(target for target, number in outputs.items() if number > 1 or target in written)


def _subject(target: int, output: int | None, shared: frozenset[int]) -> Subject:
    return (target, output if target in shared else None)


def _people_of(given: Iterable[tuple[Subject, int]]) -> set[tuple[int, int]]:
    return {(target, worker) for (target, _), worker in given}


def _ratings(
    pool: RaterPool, targets: Iterable[int], shared: frozenset[int]
) -> tuple[dict[tuple[Subject, int], dict[str, float]], dict[Subject, Counter[Scores]], set[tuple[int, int]]]:
    """Return a pool's points by subject and person and those by nobody known; and who rated what in another pool."""
    by_rating = defaultdict[tuple[int, int | None, int, int | None, str], dict[str, float]](dict)
    about = ("rating_id", "rating__worker_id", "rating__target_id", "rating__output_id", "rating__rater_pool")
    of_texts = {"rating__target__in": list(targets)}
    for rows in (
        Score.objects.filter(**of_texts).values_list(*about, "scale", "value"),
        ImportedScore.objects.filter(**of_texts).values_list(*about, "scale__key", "number"),
    ):
        for *rating, scale, value in rows:
            by_rating[tuple(rating)][scale] = value
    given, elsewhere = dict[tuple[Subject, int], dict[str, float]](), set[tuple[int, int]]()
    nameless = defaultdict[Subject, Counter[Scores]](Counter)
    for (_, worker, target, output, of_pool), scores in by_rating.items():
        subject = _subject(target, output, shared)
        if worker is None:
            if of_pool == pool:
                nameless[subject][in_order(scores)] += 1
        elif of_pool == pool:
            given[subject, worker] = scores
        else:
            elsewhere.add((target, worker))
    return given, nameless, elsewhere

"""Store ratings that people gave elsewhere, with those people where they are known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from django.db import transaction
from django.db.models import Q

from common.clock import database_now
from compressions.models import Pair, SystemOutput, Target
from crowd.models import Assignment, Campaign, ImportedScale, Item, Round, Worker
from crowd.services.items import close_open_slots
from ratings.models import ImportedScore, RaterPool, Rating, Score

BATCH = 2000

Scores = Mapping[str, float]


@dataclass(frozen=True)
class ImportedRating:
    """A rating of a text or a pair, with the person who gave it and their item, or nobody where that is unknown.

    A rating of a system's output names it beside its text.
    """

    scores: Scores
    target: Target | None = None
    pair: Pair | None = None
    item: Item | None = None
    worker: Worker | None = None
    created_at: datetime | None = None
    output: SystemOutput | None = None


def submitted_assignments_create(*, given: Sequence[tuple[Item, Worker]], work_round: str) -> list[Assignment]:
    """Create submitted assignments. Their real times are unknown, so the time of the import is stored."""
    now = database_now()
    rows = [
        Assignment(
            item=item,
            worker=worker,
            round=work_round,
            state=Assignment.State.SUBMITTED,
            leased_at=now,
            lease_ends_at=now,
            submitted_at=now,
        )
        for item, worker in given
    ]
    return Assignment.objects.bulk_create(rows, batch_size=BATCH)


def imported_scales_of(campaign: Campaign) -> dict[str, ImportedScale]:
    """Return the scales that came with files of ratings, by key."""
    return {scale.key: scale for scale in ImportedScale.objects.filter(campaign=campaign).order_by("pk")}


def imported_ratings_create(
    *, pool: RaterPool, given: Sequence[ImportedRating], scales: Mapping[str, ImportedScale] = MappingProxyType({})
) -> list[Assignment]:
    """Store ratings with their points, and return an assignment for each person who is known and text.

    Points on `scales` that came with files are numbers of those, and all others points of the campaign's own. Whoever
    has rated several outputs that are the same has one for the first. Call inside a transaction.
    """
    work_round = Round.RATE if pool == RaterPool.CROWD else Round.EXPERT
    assignments = _assignments(given, work_round)
    created = list(assignments.values())
    rows = [
        Rating(
            target=each.target,
            output=each.output,
            pair=each.pair,
            rater_pool=pool,
            worker=each.worker,
            assignment=assignments.pop(_place(each), None),
            created_at=each.created_at,
        )
        for each in given
    ]
    stored = Rating.objects.bulk_create(rows, batch_size=BATCH)
    scores, numbers = list[Score](), list[ImportedScore]()
    for rating, each in zip(stored, given, strict=True):
        for key, value in each.scores.items():
            if key in scales:
                numbers.append(ImportedScore(rating=rating, scale=scales[key], number=value))
            else:
                scores.append(Score(rating=rating, scale=key, value=int(value)))
    Score.objects.bulk_create(scores, batch_size=BATCH)
    ImportedScore.objects.bulk_create(numbers, batch_size=BATCH)
    return created


def _assignments(given: Sequence[ImportedRating], work_round: str) -> dict[tuple[int, int] | None, Assignment]:
    """Create the assignments of the people to texts that they have had no part in, by item and person."""
    wanted = {(each.item.pk, each.worker.pk): (each.item, each.worker) for each in given if each.item and each.worker}
    if any(each.output for each in given):
        people = {worker.pk for _, worker in wanted.values()}
        items = {item.pk for item, _ in wanted.values()}
        there = Assignment.objects.filter(item__in=items, worker__in=people).values_list("item_id", "worker_id")
        for place in there:
            wanted.pop(place, None)
    created = submitted_assignments_create(given=list(wanted.values()), work_round=work_round)
    return dict(zip(wanted, created, strict=True))


def _place(rating: ImportedRating) -> tuple[int, int] | None:
    return (rating.item.pk, rating.worker.pk) if rating.item and rating.worker else None


@transaction.atomic
def ratings_import(*, rated: Sequence[tuple[SystemOutput, Sequence[Scores]]]) -> int:
    """Store ratings of outputs by unknown raters, and return how many were stored.

    Outputs that already have ratings keep those, be they of the output or of its text. The remaining slots of the
    other texts are closed: imported ratings are complete.
    """
    outputs = [output for output, _ in rated]
    ratings = Rating.objects.filter(target__in=[output.target_id for output in outputs])
    already_rated = set(ratings.filter(Q(output=None) | Q(output__in=outputs)).values_list("target_id", "output_id"))
    new = [
        (output, of_output)
        for output, of_output in rated
        if not already_rated & {(output.target_id, None), (output.target_id, output.pk)}
    ]
    given = [
        ImportedRating(scores, target=output.target, output=output) for output, of_output in new for scores in of_output
    ]
    imported_ratings_create(pool=RaterPool.CROWD, given=given)
    close_open_slots(item_ids=[output.target.item_id for output, _ in new])
    return len(given)

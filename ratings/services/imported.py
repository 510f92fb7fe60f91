"""Store ratings that people gave elsewhere, with those people where they are known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from common.clock import database_now
from compressions.models import Pair, Target
from crowd.models import Assignment, Item, Round, Worker
from crowd.services.items import close_open_slots
from ratings.models import RaterPool, Rating, Score

BATCH = 2000

Scores = Mapping[str, int]


@dataclass(frozen=True)
class ImportedRating:
    """A rating of a text or a pair, with the person who gave it and their item, or nobody where that is unknown."""

    scores: Scores
    target: Target | None = None
    pair: Pair | None = None
    item: Item | None = None
    worker: Worker | None = None
    created_at: datetime | None = None


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


def imported_ratings_create(*, pool: RaterPool, given: Sequence[ImportedRating]) -> None:
    """Store ratings with their points, and an assignment for each person who is known; call inside a transaction."""
    work_round = Round.RATE if pool == RaterPool.CROWD else Round.EXPERT
    named = [(each.item, each.worker) for each in given if each.item is not None and each.worker is not None]
    assignments = iter(submitted_assignments_create(given=named, work_round=work_round))
    rows = [
        Rating(
            target=each.target,
            pair=each.pair,
            rater_pool=pool,
            worker=each.worker,
            assignment=None if each.worker is None else next(assignments),
            created_at=each.created_at,
        )
        for each in given
    ]
    stored = Rating.objects.bulk_create(rows, batch_size=BATCH)
    scores = [
        Score(rating=rating, scale=key, value=value)
        for rating, each in zip(stored, given, strict=True)
        for key, value in each.scores.items()
    ]
    Score.objects.bulk_create(scores, batch_size=BATCH)


@transaction.atomic
def ratings_import(*, rated: Sequence[tuple[Target, Sequence[Scores]]]) -> int:
    """Store ratings by unknown raters, and return how many were stored.

    Texts that already have ratings keep those. The remaining slots of the other texts are closed: imported ratings
    are complete.
    """
    already_rated = set(
        Rating.objects.filter(target__in=[target for target, _ in rated]).values_list("target_id", flat=True)
    )
    new = [(target, ratings) for target, ratings in rated if target.pk not in already_rated]
    given = [ImportedRating(scores, target=target) for target, ratings in new for scores in ratings]
    imported_ratings_create(pool=RaterPool.CROWD, given=given)
    close_open_slots(item_ids=[target.item_id for target, _ in new])
    return len(given)

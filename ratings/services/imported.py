"""Import ratings whose raters are unknown."""

from collections.abc import Mapping, Sequence

from django.db import transaction

from compressions.models import Target
from crowd.services.items import close_open_slots
from ratings.models import RaterPool, Rating, Score

Scores = Mapping[str, int]


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
    pairs = [
        (Rating(target=target, rater_pool=RaterPool.CROWD), scores) for target, ratings in new for scores in ratings
    ]
    Rating.objects.bulk_create([rating for rating, _ in pairs], batch_size=1000)
    rows = [Score(rating=rating, scale=key, value=value) for rating, scores in pairs for key, value in scores.items()]
    Score.objects.bulk_create(rows, batch_size=1000)
    close_open_slots(item_ids=[target.item_id for target, _ in new])
    return len(pairs)

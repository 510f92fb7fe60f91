"""Query the ratings of a campaign, one by one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import merge
from itertools import islice

from django.db.models import Prefetch, Q, QuerySet

from compressions.models import Pair, Target
from crowd.models import Campaign, Worker
from ratings.models import Rating, RatingVersion, Score

# What a rating is of, and the way from there to the campaign.
SUBJECTS = ("target__source", "pair__first__source", "gold__item")


@dataclass(frozen=True)
class WantedRatings:
    """Which ratings of a campaign are wanted; None leaves a condition out."""

    rater: int | None = None
    text_id: str | None = None
    version_id: int | None = None
    compression: int | None = None
    others: Q = field(default_factory=Q)


def rating_keys(campaign: Campaign, wanted: WantedRatings, *, after: int, most: int) -> list[int]:
    """Return the keys of the next ratings, oldest first.

    Each kind of subject is asked for by itself: asked for all at once, a database reads the ratings of all campaigns in
    the order of their keys until it has found enough.
    """
    conditions = _conditions(campaign, wanted)
    if conditions is None:
        return []
    found = Rating.objects.filter(conditions, wanted.others, pk__gt=after)
    by_subject = (found.filter(**{f"{subject}__campaign": campaign}) for subject in SUBJECTS)
    keys = (each.order_by("pk").values_list("pk", flat=True)[:most] for each in by_subject)
    return list(islice(merge(*keys), most))


def _conditions(campaign: Campaign, wanted: WantedRatings) -> Q | None:
    """Return what the ratings have in common, by keys; None if there is no such rater or text."""
    found = Q()
    if wanted.rater is not None:
        worker = Worker.objects.filter(campaign=campaign, number=wanted.rater).values_list("pk", flat=True).first()
        if worker is None:
            return None
        found &= Q(worker_id=worker)
    targets = Target.objects.filter(source__campaign=campaign)
    for value, where in (
        (wanted.text_id, {"source__source_id": wanted.text_id}),
        (wanted.version_id, {"pk": wanted.version_id}),
        (wanted.compression, {"compressions": wanted.compression}),
    ):
        if value is not None:
            found &= _of_targets(list(targets.filter(**where).values_list("pk", flat=True)))
    return found


def _of_targets(targets: Sequence[int]) -> Q:
    """Match ratings of versions of texts, by themselves and beside others."""
    pairs = Pair.objects.filter(Q(first__in=targets) | Q(second__in=targets))
    return Q(target__in=targets) | Q(pair__in=list(pairs.values_list("pk", flat=True)))


def ratings_listed(keys: Sequence[int], *, with_versions: bool = False) -> QuerySet[Rating]:
    """Return ratings with what lists show of them, oldest first; with those they have replaced if wanted."""
    texts = ("target__source", "pair__first__source")
    found = Rating.objects.filter(pk__in=keys).select_related("worker", *texts).order_by("pk")
    found = found.prefetch_related(Prefetch("scores", Score.objects.order_by("pk")))
    versions = Prefetch("versions", RatingVersion.objects.order_by("number"))
    return found.prefetch_related(versions) if with_versions else found

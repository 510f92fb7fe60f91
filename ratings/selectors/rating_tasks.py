"""Query the tasks and the ratings of raters."""

from dataclasses import dataclass

from django.db.models import Avg, Count, Exists, OuterRef, Prefetch, Q, QuerySet

from crowd.models import Assignment, Campaign, Enrolment, Exclusion, Round
from crowd.selectors.work import assignment_of_worker
from ratings.models import RaterPool, Rating, Score
from ratings.subjects import RELATED


def rater_task(enrolment: Enrolment, assignment_id: int) -> Assignment:
    """Return an assignment of this rater with its subject."""
    return assignment_of_worker(enrolment, assignment_id, related=RELATED)


def page_of_tasks(enrolment: Enrolment) -> list[Assignment]:
    """Return the tasks on a rater's page, in page order."""
    leased = Assignment.objects.filter(
        worker_id=enrolment.worker_id, round=enrolment.round, state=Assignment.State.LEASED
    )
    return list(leased.select_related(*RELATED).order_by("page_position"))


def rating_of_assignment(assignment: Assignment) -> Rating:
    return Rating.objects.prefetch_related("scores").get(assignment=assignment)


def ratings_of_worker(worker_id: int, work_round: str) -> QuerySet[Rating]:
    """Return the ratings of a worker, in the order in which they gave them, with their subjects."""
    subjects = [f"assignment__{path}" for path in RELATED]
    own = Rating.objects.filter(assignment__worker_id=worker_id, assignment__round=work_round)
    scores = Prefetch("scores", Score.objects.order_by("pk"))
    return own.select_related(*subjects).prefetch_related(scores).order_by("pk")


@dataclass(frozen=True)
class ScaleSummary:
    """The means on a scale, over texts (or pairs), each with the mean of its ratings, and over ratings; all points."""

    over_texts: float | None
    over_ratings: float | None
    counts: dict[int, int]


@dataclass(frozen=True)
class RatingSummary:
    count: int
    scales: dict[str, ScaleSummary]


def rating_summary(campaign: Campaign) -> RatingSummary:
    """Summarise the crowd's ratings of texts, without gold items, experts and excluded raters."""
    excluded = Exclusion.objects.filter(worker=OuterRef("worker"), round=Round.RATE, withdrawn_at=None)
    ratings = Rating.objects.filter(rater_pool=RaterPool.CROWD, gold=None).exclude(Exists(excluded))
    ratings = (
        ratings.filter(pair__first__source__campaign=campaign)
        if campaign.is_side_by_side
        else ratings.filter(target__source__campaign=campaign)
    )
    scores = Score.objects.filter(rating__in=ratings)
    counts: dict[str, dict[int, int]] = {}
    for scale, value, number in scores.values_list("scale", "value").annotate(Count("pk")).order_by():
        counts.setdefault(scale, {})[value] = number
    over_texts = _means_over_subjects(scores, campaign)
    return RatingSummary(
        ratings.count(),
        {
            key: ScaleSummary(over_texts[key], _mean_of_points(counts.get(key, {})), counts.get(key, {}))
            for key in over_texts
        },
    )


def _means_over_subjects(scores: QuerySet[Score], campaign: Campaign) -> dict[str, float | None]:
    """Return the mean of the subjects' means on each scale, in one query."""
    subject = "rating__pair" if campaign.is_side_by_side else "rating__target"
    of_subjects = scores.values("scale", subject).annotate(of_subject=Avg("value")).order_by()
    keys = [scale.key for scale in campaign.rating_scales]
    averages = {f"scale_{n}": Avg("of_subject", filter=Q(scale=key)) for n, key in enumerate(keys)}
    return dict(zip(keys, of_subjects.aggregate(**averages).values(), strict=True))


def _mean_of_points(counts: dict[int, int]) -> float | None:
    ratings = sum(counts.values())
    return sum(value * number for value, number in counts.items()) / ratings if ratings else None

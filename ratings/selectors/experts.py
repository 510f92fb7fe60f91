"""Query the texts that can be drawn for experts, and the samples drawn so far."""

from dataclasses import dataclass

from django.db.models import Avg, Count, F, Q, QuerySet

from compressions.models import Target
from crowd.models import Assignment, Campaign, Round
from crowd.selectors.exclusions import uncounted_workers
from ratings.models import ExpertSample, RaterPool, Score


@dataclass(frozen=True)
class RatedText:
    """A text rated by the crowd; `score` is its mean rating on each scale, rescaled to 0..1, averaged over scales."""

    pk: int
    item: int
    source_item: int
    genre: str
    source_id: str
    digest: str
    score: float

    @property
    def name(self) -> str:
        """A name that does not depend on database ids, so that draws are reproducible."""
        return f"{self.source_id}:{self.digest}"


def texts_to_sample(campaign: Campaign) -> list[RatedText]:
    """Return the rated texts of a campaign that are in no expert sample yet, oldest first."""
    scores = _scores_by_target(campaign)
    rows = Target.objects.filter(source__campaign=campaign, expert_item=None, source__retired_at=None).order_by("pk")
    found = rows.values_list("pk", "item_id", "source__item_id", "source__genre", "source__source_id", "digest")
    return [RatedText(*row, scores[row[0]]) for row in found if row[0] in scores]


def _scores_by_target(campaign: Campaign) -> dict[int, float]:
    """Return the crowd's mean score by target, without excluded raters."""
    ratings = Q(rating__rater_pool=RaterPool.CROWD, rating__target__source__campaign=campaign)
    excluded = uncounted_workers(campaign, Round.RATE)
    rows = Score.objects.filter(ratings).exclude(rating__worker__in=excluded)
    means = rows.values_list("rating__target", "scale").annotate(Avg("value")).order_by()
    spans = {scale.key: len(scale.points) - 1 for scale in campaign.rating_scales}
    scale_means: dict[int, list[float]] = {}
    for target_id, scale, mean in means:
        scale_means.setdefault(target_id, []).append((mean - 1) / spans[scale])
    return {target_id: sum(each) / len(each) for target_id, each in scale_means.items()}


def expert_samples(campaign: Campaign) -> QuerySet[ExpertSample]:
    """Return the samples drawn so far, annotated with the numbers of ratings wanted and done."""
    work = "items__item__assignments"
    submitted = Q(**{f"{work}__state": Assignment.State.SUBMITTED, f"{work}__worker__is_test": False})
    done = Count("items__item__assignments", filter=submitted)
    return (
        ExpertSample.objects.filter(campaign=campaign)
        .select_related("requested_by")
        .annotate(done=done, wanted=F("size") * F("experts"))
        .order_by("-pk")
    )

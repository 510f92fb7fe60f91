"""Reading what experts can be asked, and what they were asked."""

from dataclasses import dataclass

from django.db.models import Avg, Count, F, Q, QuerySet

from compressions.models import Target
from crowd.models import Assignment, Campaign, Round
from crowd.selectors.exclusions import excluded_workers
from ratings.models import ExpertSample, RaterPool, Score


@dataclass(frozen=True)
class JudgedText:
    """A text that the crowd has judged; its score is the mean over its ratings and scales, each from 0 to 1."""

    pk: int
    item: int
    source_item: int
    genre: str
    source_id: str
    digest: str
    score: float

    @property
    def name(self) -> str:
        """What the text is called on any machine."""
        return f"{self.source_id}:{self.digest}"


def texts_to_sample(campaign: Campaign) -> list[JudgedText]:
    """Texts with ratings that no expert has been asked about, in the order of their making."""
    scores = _scores_by_target(campaign)
    rows = Target.objects.filter(source__campaign=campaign, expert_item=None, pk__in=list(scores)).order_by("pk")
    found = rows.values_list("pk", "item_id", "source__item_id", "source__genre", "source__source_id", "digest")
    return [JudgedText(*row, scores[row[0]]) for row in found]


def _scores_by_target(campaign: Campaign) -> dict[int, float]:
    ratings = Q(rating__rater_pool=RaterPool.CROWD, rating__target__source__campaign=campaign)
    excluded = excluded_workers(campaign, Round.RATE)
    rows = Score.objects.filter(ratings).exclude(rating__worker__in=excluded)
    means = rows.values_list("rating__target", "scale").annotate(Avg("value")).order_by()
    spans = {scale.key: len(scale.points) - 1 for scale in campaign.rating_scales}
    shares: dict[int, list[float]] = {}
    for target_id, scale, mean in means:
        shares.setdefault(target_id, []).append((mean - 1) / spans[scale])
    return {target_id: sum(each) / len(each) for target_id, each in shares.items()}


def expert_samples(campaign: Campaign) -> QuerySet[ExpertSample]:
    """The draws so far, each with how many judgements are wanted and done."""
    done = Count("items__item__assignments", filter=Q(items__item__assignments__state=Assignment.State.SUBMITTED))
    return (
        ExpertSample.objects.filter(campaign=campaign)
        .select_related("requested_by")
        .annotate(done=done, wanted=F("size") * F("experts"))
        .order_by("-pk")
    )

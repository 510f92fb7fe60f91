"""Query the ratings of a source's texts, and the means of many sources."""

from collections import defaultdict
from collections.abc import Collection, Iterable

from django.db.models import Avg, Prefetch
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compressions.models import Compression, Pair, Source, SystemOutput
from compressions.rating_figures import Means, ShownComparison, ShownRating, SourceRatings
from crowd.models import Campaign, Round
from crowd.selectors.members import excluded_workers
from ratings.models import RaterPool, Rating, Score
from ratings.selectors.quality import latest_quality_run, people_left_out

POOLS = {RaterPool.CROWD: gettext_lazy("crowd"), RaterPool.EXPERTS: gettext_lazy("expert")}
LeftOut = dict[tuple[int, str], str]


def source_means(campaign: Campaign, scales: Collection[str], among: Collection[int] | None = None) -> Means:
    """Return the mean over the crowd's ratings of each source's compressions, without excluded raters, by scale.

    Outputs of systems do not count, unless a person wrote the same.
    """
    scores = Score.objects.filter(scale__in=scales, rating__rater_pool=RaterPool.CROWD)
    scores = scores.filter(rating__target__source__campaign=campaign)
    if among is not None:
        scores = scores.filter(rating__target__source__in=among)
    if excluded := excluded_workers(campaign, Round.RATE):
        scores = scores.exclude(rating__worker__in=excluded)
    if SystemOutput.objects.filter(source__campaign=campaign).exists():
        written = Compression.objects.filter(source__campaign=campaign)
        scores = scores.filter(rating__target__in=written.values("target"))
    means: dict[int, dict[str, float]] = defaultdict(dict)
    rows = scores.values_list("rating__target__source", "scale").annotate(Avg("value")).order_by()
    for source_id, scale, mean in rows:
        means[source_id][scale] = mean
    return means


def source_ratings(source: Source) -> SourceRatings:
    """Return all ratings of a source's texts and pairs, in the order in which they were given."""
    related = Rating.objects.select_related("worker").order_by("pk")
    related = related.prefetch_related(Prefetch("scores", Score.objects.order_by("pk")))
    left_out = _left_out(source.campaign)
    of_texts: dict[int, list[ShownRating]] = defaultdict(list)
    for rating in related.filter(target__source=source):
        of_texts[rating.target_id or 0].append(_shown(rating, left_out))
    pairs = Pair.objects.filter(first__source=source).select_related("first", "second").order_by("pk")
    rated = pairs.prefetch_related(Prefetch("ratings", related))
    return SourceRatings(of_texts, [_comparison(pair, pair.ratings.all(), left_out) for pair in rated])


def _left_out(campaign: Campaign) -> LeftOut:
    people = people_left_out(campaign, latest_quality_run(campaign))
    return {(each.worker.pk, each.round): each.reason for each in people}


def _comparison(pair: Pair, ratings: Iterable[Rating], left_out: LeftOut) -> ShownComparison:
    return ShownComparison(pair.first.text, pair.second.text, [_shown(rating, left_out) for rating in ratings])


def _shown(rating: Rating, left_out: LeftOut) -> ShownRating:
    worker = rating.worker
    work_round = Round.EXPERT if rating.rater_pool == RaterPool.EXPERTS else Round.RATE
    is_imported = worker is None or worker.is_imported
    return ShownRating(
        rater=worker.public_name if worker else "",
        number=worker.number if worker else None,
        pool=" · ".join([str(POOLS[RaterPool(rating.rater_pool)]), *([_("imported")] if is_imported else [])]),
        points={score.scale: score.value for score in rating.scores.all()},
        at=rating.created_at,
        left_out=left_out.get((worker.pk, work_round), "") if worker else "",
    )

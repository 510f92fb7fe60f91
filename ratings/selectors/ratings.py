"""Query the ratings of a campaign: one by one, by source, by the settings they were given under, and by system."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import merge
from itertools import islice

from django.db.models import Avg, Count, Exists, OuterRef, Prefetch, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compressions.models import Compression, Pair, Source, System, SystemOutput, Target
from compressions.rating_figures import Means, ShownComparison, ShownRating, SourceRatings
from crowd.models import Campaign, Round, Worker
from crowd.selectors.members import excluded_workers, uncounted_workers, workers_of_tests
from ratings.models import GoldItem, ImportedScore, RaterPool, Rating, RatingVersion, Score, SourceMeans
from ratings.selectors.quality import latest_quality_run, people_left_out
from ratings.selectors.rating_counts import MANY_TEXTS, mark_of, texts_since

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
    numbers = ImportedScore.objects.select_related("scale").order_by("pk")
    found = found.prefetch_related(
        Prefetch("scores", Score.objects.order_by("pk")), Prefetch("imported_scores", numbers)
    )
    versions = Prefetch("versions", RatingVersion.objects.order_by("number"))
    return found.prefetch_related(versions) if with_versions else found


POOLS = {RaterPool.CROWD: gettext_lazy("crowd"), RaterPool.EXPERTS: gettext_lazy("expert")}
LeftOut = dict[tuple[int, str], str]


def source_means(campaign: Campaign, scales: Collection[str], among: Collection[int] | None = None) -> Means:
    """Return the mean over the crowd's ratings of each source's compressions, without excluded raters, by scale.

    Outputs of systems do not count, unless a person wrote the same. Of all sources of a large campaign, the means are
    those that are stored, but for the sources that were written or rated for since.
    """
    known = SourceMeans.objects.filter(campaign=campaign).first() if among is None else None
    changed = _changed_since(campaign, known) if known else None
    if known is None or changed is None:
        return _source_means(campaign, scales, among)
    means: dict[int, dict[str, float]] = defaultdict(dict)
    for scale in scales:
        for source, mean in known.means.get(scale, {}).items():
            means[int(source)][scale] = mean
    for source in changed:
        means.pop(source, None)
    return {**means, **_source_means(campaign, scales, changed)} if changed else means


def _changed_since(campaign: Campaign, known: SourceMeans) -> set[int] | None:
    """Return the sources whose means may differ from the stored ones; None if those are too many."""
    texts = texts_since(campaign, mark_of(known), uncounted_workers(campaign, Round.RATE))
    written = Compression.objects.filter(source__campaign=campaign, pk__gt=known.last_compression)
    new = list(written.values_list("source_id", flat=True)[: MANY_TEXTS + 1])
    if texts is None or len(new) > MANY_TEXTS:
        return None
    return {*new, *Target.objects.filter(pk__in=texts).values_list("source_id", flat=True)}


def _source_means(campaign: Campaign, scales: Collection[str], among: Collection[int] | None) -> Means:
    scores = Score.objects.filter(scale__in=scales, rating__rater_pool=RaterPool.CROWD, rating__output=None)
    scores = scores.filter(rating__target__source__campaign=campaign)
    if among is not None:
        scores = scores.filter(rating__target__source__in=among)
    if excluded := excluded_workers(campaign, Round.RATE):
        scores = scores.exclude(rating__worker__in=excluded)
    if SystemOutput.objects.filter(source__campaign=campaign).exists():
        written = Compression.objects.filter(source__campaign=campaign)
        if among is not None:  # or a database gathers all texts of the campaign
            written = written.filter(source__in=among)
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


def ratings_by_settings(campaign: Campaign) -> Mapping[int | None, int]:
    """Return the number of ratings by the id of their settings version; None where it is not recorded.

    Nearly all have a version, and are counted from its index alone, without the texts that they are about.
    """
    recorded = _by_version(Rating.objects.filter(settings_version__campaign=campaign))
    questions = list(GoldItem.objects.filter(item__campaign=campaign).values_list("pk", flat=True))
    gold = _by_version(Rating.objects.filter(gold__in=questions))
    tests = _by_version(Rating.objects.filter(worker__in=workers_of_tests(campaign)).exclude(gold__in=questions))
    of_texts = Q(target__source__campaign=campaign) | Q(pair__first__source__campaign=campaign)
    without = Rating.objects.filter(settings_version=None)  # chosen first: SQLite would begin with all texts
    unrecorded = Rating.objects.filter(of_texts, pk__in=without.values("pk")).count()
    counted = {each: recorded[each] - gold.get(each, 0) - tests.get(each, 0) for each in recorded}
    return counted | {None: unrecorded}


def _by_version(ratings: QuerySet[Rating]) -> Mapping[int | None, int]:
    return dict(ratings.values_list("settings_version_id").annotate(n=Count("*")).order_by())


def systems_of_campaign(campaign: Campaign) -> QuerySet[System]:
    """Return the systems of a campaign, annotated with the numbers of their outputs and of rated outputs."""
    of_text = Rating.objects.filter(target=OuterRef("target"), rater_pool=RaterPool.CROWD)
    ratings = of_text.filter(Q(output=None) | Q(output=OuterRef("pk")))
    rated = SystemOutput.objects.filter(Exists(ratings)).values("pk")
    counts = {"output_count": Count("outputs"), "rated_count": Count("outputs", filter=Q(outputs__in=rated))}
    return System.objects.filter(campaign=campaign).annotate(**counts).order_by("name")

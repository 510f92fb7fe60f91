"""Keep the stored counts of ratings near to now, so that pages have little to add."""

import logging
from datetime import timedelta

from django.db.models import Max

from common.clock import database_now
from compressions.models import Compression
from crowd.models import Campaign, Round, Worker
from crowd.selectors.members import uncounted_workers
from ratings.models import RaterFlags, RatingCounts, RatingVersion, SourceMeans
from ratings.selectors.attention import FLAG_RULE, flags_now
from ratings.selectors.rating_counts import (
    Mark,
    Totals,
    mark_of,
    points_of,
    texts_since,
    totals_at,
    totals_in_database,
    totals_of,
)
from ratings.selectors.ratings import source_means
from ratings.services.kept import results_forget
from ratings.services.visit_work import work_advance

MANY_SOURCES = 5_000
"""Of more, reading all ratings takes longer than a page should."""

logger = logging.getLogger(__name__)

SETTLED = timedelta(minutes=10)
"""Longer than any transaction that stores work: everything older has been committed, whatever its id."""


def all_counts_advance() -> None:
    """Bring the counts and flags of all campaigns up to what has settled."""
    for campaign in Campaign.objects.filter(sandbox_of=None).order_by("pk"):
        try:
            rating_counts_advance(campaign=campaign)
            flags_advance(campaign=campaign)
            means_advance(campaign=campaign)
            work_advance(campaign=campaign, until=database_now() - SETTLED)
        except (ValueError, ArithmeticError):  # of data that no page of this campaign can count; others go on
            logger.exception("the counts of %s could not be brought up to date", campaign.slug)


def flags_advance(*, campaign: Campaign) -> None:
    """Store the current flags with the mark of what has settled; pages check raters of texts rated since again."""
    if not campaign.task.judges_single_texts:  # their pages compute the flags anew
        return
    mark, known = _settled(campaign), RaterFlags.objects.filter(campaign=campaign, rule=FLAG_RULE).first()
    if mark is None or (known is not None and mark_of(known) == mark):
        return
    before = _unsettled(campaign)
    flags = {pk: [[flag.name, flag.evidence] for flag in found] for pk, found in flags_now(campaign).items()}
    if _unsettled(campaign) == before:
        fields = {**_mark_fields(mark), "rule": FLAG_RULE, "flags": flags}
        RaterFlags.objects.update_or_create(campaign=campaign, defaults=fields)


def means_advance(*, campaign: Campaign) -> None:
    """Bring the stored means of the sources of a large campaign up to what has settled."""
    mark, known = _settled(campaign), SourceMeans.objects.filter(campaign=campaign).first()
    if mark is None or not campaign.task.judges_single_texts or (known is not None and mark_of(known) == mark):
        return
    if campaign.sources.count() <= MANY_SOURCES:
        return
    before, last = _unsettled(campaign), Compression.objects.order_by("-pk").values_list("pk", flat=True).first()
    means: dict[str, dict[int, float]] = {scale.key: {} for scale in campaign.rating_scales}
    for source, by_scale in source_means(campaign, list(means)).items():
        for scale, mean in by_scale.items():
            means[scale][source] = mean
    if _unsettled(campaign) == before:
        fields = {**_mark_fields(mark), "last_compression": last or 0, "means": means}
        SourceMeans.objects.update_or_create(campaign=campaign, defaults=fields)


def rating_counts_advance(*, campaign: Campaign) -> None:
    """Bring a campaign's counts up to what has settled, or begin it."""
    mark = _settled(campaign)
    if mark is None:
        return
    stored = RatingCounts.objects.filter(campaign=campaign).first()
    before = mark_of(stored) if stored else None
    if stored is None or before is None:
        _begin(campaign, mark)
        return
    if mark == before or mark.last_version < before.last_version or mark.last_rating < before.last_rating:
        return
    texts = texts_since(campaign, before, mark.excluded)
    if texts is None:
        _begin(campaign, mark)
        return
    totals, rows = Totals.load(stored.totals), points_of(campaign, texts)
    totals.add(totals_at(campaign, rows, before), -1)
    totals.add(totals_at(campaign, rows, mark))
    # If an erasure has deleted it meanwhile, or another process has advanced it, nothing is written.
    same = RatingCounts.objects.filter(pk=stored.pk, last_version=before.last_version, last_rating=before.last_rating)
    same.update(**_fields(mark, totals))


def rating_counts_forget(*, campaign: Campaign) -> None:
    """Forget a campaign's counts, flags and kept results because ratings that they know are deleted."""
    RatingCounts.objects.filter(campaign=campaign).delete()
    RaterFlags.objects.filter(campaign=campaign).delete()
    SourceMeans.objects.filter(campaign=campaign).delete()
    results_forget(campaign=campaign)


def _settled(campaign: Campaign) -> Mark | None:
    """Return the mark up to which everything has settled; None if nothing has settled yet."""
    settled = RatingVersion.objects.filter(created_at__lt=database_now() - SETTLED).order_by("-pk")
    version, first = settled.first(), settled.filter(number=1).first()
    if version is None or first is None:
        return None
    return Mark(first.rating_id, version.pk, uncounted_workers(campaign, Round.RATE))


def _begin(campaign: Campaign, mark: Mark) -> None:
    """Count all ratings. If one is corrected or deleted meanwhile, nothing is stored, and the next run tries again."""
    before = _unsettled(campaign)
    totals = totals_in_database(campaign, mark)
    texts = texts_since(campaign, mark, mark.excluded)
    if texts is None:
        return
    rows = [row for row in points_of(campaign, texts) if row[0] <= mark.last_rating and row[2] not in mark.excluded]
    totals.add(totals_of(rows), -1)
    totals.add(totals_at(campaign, rows, mark))
    if _unsettled(campaign) == before:
        RatingCounts.objects.update_or_create(campaign=campaign, defaults=_fields(mark, totals))


def _unsettled(campaign: Campaign) -> tuple[object, object]:
    """Return a value that changes whenever a rating is corrected, or deleted with its text."""
    corrected = RatingVersion.objects.filter(number__gt=1).order_by("-pk").values_list("pk", flat=True).first()
    return corrected, Worker.objects.filter(campaign=campaign).aggregate(last=Max("erased_at"))["last"]


def _fields(mark: Mark, totals: Totals) -> dict[str, object]:
    return {**_mark_fields(mark), "totals": totals.dump()}


def _mark_fields(mark: Mark) -> dict[str, object]:
    return {"last_rating": mark.last_rating, "last_version": mark.last_version, "excluded": sorted(mark.excluded)}

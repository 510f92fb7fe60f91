"""Raters' attention for staff to review: gold accuracy and flags with evidence. Nothing follows automatically."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from django.db.models import Count

from compressions.models import Source, Target
from crowd.models import Campaign, Enrolment, Round, Worker
from measures.core.arrays import FloatArray, IntArray
from measures.quality_control.answer_sequence import RaterWork
from measures.quality_control.attention_flags import AttentionFlag, attention_flags
from measures.quality_control.worker_quality import others_means
from measures.text.segmentation import word_count
from ratings.models import RaterPool, Rating
from ratings.selectors.gold import GoldRecord, gold_records
from ratings.selectors.judgements import RatingTable, crowd_ratings


@dataclass(frozen=True)
class RaterRecord:
    """A rater on the staff page: number of ratings, gold record and attention flags."""

    enrolment: Enrolment
    ratings: int
    gold: GoldRecord
    is_low_on_gold: bool
    flags: tuple[AttentionFlag, ...] = field(default=())

    @property
    def worker(self) -> Worker:
        return self.enrolment.worker


def rater_records(campaign: Campaign) -> list[RaterRecord]:
    """Return all crowd raters, those to review first, with a constant number of queries."""
    gold = gold_records(campaign)
    flags = dict(_flags_by_rater(campaign))
    counts = _rating_counts(campaign)
    enrolments = Enrolment.objects.filter(worker__campaign=campaign, round=Round.RATE)
    records = []
    for enrolment in enrolments.select_related("worker", "link").order_by("worker__number"):
        worker_id = enrolment.worker_id
        record = gold.get(worker_id, GoldRecord())
        low = record.is_low(campaign.gold_warn_percent)
        records.append(RaterRecord(enrolment, counts.get(worker_id, 0), record, low, flags.get(worker_id, ())))
    return sorted(records, key=lambda record: (not record.is_low_on_gold, -len(record.flags), -record.ratings))


def _rating_counts(campaign: Campaign) -> dict[int | None, int]:
    rows = Rating.objects.filter(worker__campaign=campaign, rater_pool=RaterPool.CROWD, gold=None)
    return dict(rows.values_list("worker").annotate(Count("pk")).order_by())


def _flags_by_rater(campaign: Campaign) -> Iterator[tuple[int, tuple[AttentionFlag, ...]]]:
    table = crowd_ratings(campaign)
    if not len(table.rating):
        return
    points = tuple(len(scale.points) for scale in campaign.rating_scales)
    scores = table.scores.astype(np.float64)
    _, texts = np.unique(table.target, return_inverse=True)
    others = others_means(texts, table.rater, scores, int(texts.max()) + 1)
    milliseconds, words = _milliseconds(table), _word_counts(campaign, table)
    order = np.lexsort((table.rating, table.rater))
    starts = np.flatnonzero(np.r_[True, np.diff(table.rater[order]) != 0])
    for rows in np.split(order, starts[1:]):
        rater = int(table.rater[rows[0]])
        if rater < 0:
            continue
        work = RaterWork(scores[rows], others[rows], milliseconds[rows], words[rows], points)
        if flags := attention_flags(work):
            yield rater, flags


def _milliseconds(table: RatingTable) -> FloatArray:
    """Return the milliseconds of each row, NaN where unknown; the table is ordered by rating id."""
    first, last = int(table.rating[0]), int(table.rating[-1])
    known = Rating.objects.filter(pk__range=(first, last), milliseconds__isnull=False)
    by_rating = dict(known.values_list("pk", "milliseconds").iterator(chunk_size=5000))
    return np.array([by_rating.get(int(pk), np.nan) for pk in table.rating], dtype=np.float64)


def _word_counts(campaign: Campaign, table: RatingTable) -> IntArray:
    """Return the number of words of source and compression together, for each row."""
    sources = {
        pk: word_count(text)
        for pk, text in Source.objects.filter(campaign=campaign).values_list("pk", "text").iterator()
    }
    targets = Target.objects.filter(source__campaign=campaign).values_list("pk", "source_id", "text")
    by_target = {pk: sources[source_id] + word_count(text) for pk, source_id, text in targets.iterator()}
    return np.array([by_target[int(pk)] for pk in table.target], dtype=np.int64)

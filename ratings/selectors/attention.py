"""Raters' attention for staff to review: gold accuracy and flags with evidence. Nothing follows automatically."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from django.db.models import QuerySet

from compressions.models import Source, Target
from crowd.models import Campaign, Enrolment, Round, Worker
from crowd.selectors.members import uncounted_workers
from measures.core.arrays import FloatArray, IntArray
from measures.quality_control.answer_sequence import RaterWork
from measures.quality_control.attention_flags import AttentionFlag, AttentionFlagName, attention_flags
from measures.quality_control.worker_quality import others_means
from measures.text.segmentation import word_count
from ratings.models import RaterFlags, RaterPool, Rating
from ratings.selectors.gold import GoldRecord, gold_records
from ratings.selectors.judgements import RatingTable, crowd_ratings
from ratings.selectors.rating_counts import MANY_TEXTS, mark_of, texts_since


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


def rater_record(enrolment: Enrolment) -> RaterRecord:
    """Return one crowd rater; only the ratings of the texts that they rated are read."""
    campaign, worker_id = enrolment.campaign, enrolment.worker_id
    record = gold_records(campaign, worker_id).get(worker_id, GoldRecord())
    flags = dict(_flags_by_rater(campaign, {worker_id})).get(worker_id, ())
    count = _ratings_of_texts(campaign).filter(worker=worker_id).count()
    return RaterRecord(enrolment, count, record, record.is_low(campaign.gold_warn_percent), flags)


def _ratings_of_texts(campaign: Campaign) -> QuerySet[Rating]:
    return Rating.objects.filter(worker__campaign=campaign, rater_pool=RaterPool.CROWD, gold=None)


Flags = dict[int, tuple[AttentionFlag, ...]]
FLAG_RULE = "attention-1"
"""Changes whenever other flags may be found in the same ratings, so that none are shown that an older rule found."""
MANY_RATINGS = 100_000


def flags_now(campaign: Campaign) -> Flags:
    """Return the flags of all raters who have any: those known, but for raters of texts that were rated since."""
    known = RaterFlags.objects.filter(campaign=campaign, rule=FLAG_RULE).first()
    if known is None or not campaign.task.judges_single_texts:
        return dict(_flags_by_rater(campaign))
    mark, excluded = mark_of(known), uncounted_workers(campaign, Round.RATE)
    texts = texts_since(campaign, mark, excluded)
    about = Rating.objects.filter(target__in=texts, rater_pool=RaterPool.CROWD)
    raters = set(about.values_list("worker_id", flat=True)) - {None} if len(texts) <= MANY_TEXTS else set()
    if len(texts) > MANY_TEXTS or Rating.objects.filter(worker__in=raters).count() > MANY_RATINGS:
        return dict(_flags_by_rater(campaign))
    kept = {int(pk): flags for pk, flags in known.flags.items() if int(pk) not in raters}
    flags = {pk: tuple(AttentionFlag(AttentionFlagName(name), words) for name, words in of) for pk, of in kept.items()}
    return flags | dict(_flags_by_rater(campaign, raters)) if raters else flags


def _flags_by_rater(
    campaign: Campaign, only: Collection[int] | None = None
) -> Iterator[tuple[int, tuple[AttentionFlag, ...]]]:
    """Yield the raters with flags, or `only` those of some."""
    everything = crowd_ratings(campaign, beside=only)
    everything = everything.where(np.all(everything.scores > 0, axis=1))  # imported ratings may lack a scale
    points = tuple(len(scale.points) for scale in campaign.rating_scales)
    wanted = everything.rater >= 0 if only is None else np.isin(everything.rater, list(only))
    if not wanted.any():
        return
    table, others = everything.where(wanted), _others(everything)[wanted]
    scores = table.scores.astype(np.float64)
    milliseconds, words = _milliseconds(table, only), _word_counts(campaign, table, only)
    order = np.lexsort((table.rating, table.rater))
    starts = np.flatnonzero(np.r_[True, np.diff(table.rater[order]) != 0])
    for rows in np.split(order, starts[1:]):
        work = RaterWork(scores[rows], others[rows], milliseconds[rows], words[rows], points)
        if flags := attention_flags(work):
            yield int(table.rater[rows[0]]), flags


def _others(table: RatingTable) -> FloatArray:
    _, texts = np.unique(table.target, return_inverse=True)
    return others_means(texts, table.rater, table.scores.astype(np.float64), int(texts.max()) + 1)


def _milliseconds(table: RatingTable, only: Collection[int] | None) -> FloatArray:
    """Return the milliseconds of each row, NaN where unknown; the table is ordered by rating id."""
    first, last = int(table.rating[0]), int(table.rating[-1])
    known = Rating.objects.filter(pk__range=(first, last), milliseconds__isnull=False)
    known = known if only is None else known.filter(worker__in=only)
    rows = known.order_by("pk").values_list("pk", "milliseconds").iterator(chunk_size=5000)
    found = np.fromiter(chain.from_iterable(rows), dtype=np.int64).reshape(-1, 2)
    is_known = np.isin(table.rating, found[:, 0], assume_unique=True)
    milliseconds = np.full(len(table.rating), np.nan)
    milliseconds[is_known] = found[np.searchsorted(found[:, 0], table.rating[is_known]), 1]
    return milliseconds


def _word_counts(campaign: Campaign, table: RatingTable, only: Collection[int] | None) -> IntArray:
    """Return the number of words of source and compression together, for each row."""
    targets = Target.objects.filter(source__campaign=campaign)
    sources = Source.objects.filter(campaign=campaign)
    if only is not None:
        targets = Target.objects.filter(pk__in=Rating.objects.filter(worker__in=only).values("target"))
        sources = Source.objects.filter(pk__in=targets.values("source"))
    of_source = {pk: word_count(text) for pk, text in sources.values_list("pk", "text").iterator()}
    rows = targets.values_list("pk", "source_id", "text").iterator()
    by_target = {pk: of_source[source_id] + word_count(text) for pk, source_id, text in rows}
    texts, places = np.unique(table.target, return_inverse=True)
    words: IntArray = np.array([by_target[int(pk)] for pk in texts], dtype=np.int64)[places]
    return words

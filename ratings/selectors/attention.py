"""Raters' attention for staff to review: gold accuracy and flags with evidence. Nothing follows automatically."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from django.db.models import QuerySet

from compressions.models import Source, Target
from crowd.models import Campaign, Enrolment, Round, Worker
from crowd.scales import Scale
from crowd.selectors.members import uncounted_workers
from measures.core.arrays import BoolArray, FloatArray
from measures.quality_control.answer_sequence import RaterWork
from measures.quality_control.attention_flags import (
    AttentionFlag,
    AttentionFlagName,
    AttentionThresholds,
    attention_flags,
)
from measures.quality_control.rater_rules import answer_times
from measures.quality_control.worker_quality import others_means
from measures.text.segmentation import ends_sentence, word_count
from ratings.models import RaterFlags, RaterPool, Rating
from ratings.selectors.gold import Answers, GoldRecord, gold_records
from ratings.selectors.judgements import RatingTable, crowd_gold, crowd_ratings
from ratings.selectors.qualification import gold_items
from ratings.selectors.rating_counts import mark_of, texts_since


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
FLAG_RULE = "attention-2"
"""Changes whenever other flags may be found in the same ratings, so that none are shown that an older rule found."""
MANY_RATINGS = 100_000


def flags_now(campaign: Campaign) -> Flags:
    """Return the flags of all raters who have any: those known, but for raters of texts that were rated since."""
    known = RaterFlags.objects.filter(campaign=campaign, rule=FLAG_RULE).first()
    if known is None or not campaign.task.judges_single_texts:
        return dict(_flags_by_rater(campaign))
    mark, excluded = mark_of(known), uncounted_workers(campaign, Round.RATE)
    texts = texts_since(campaign, mark, excluded)
    if texts is None:
        return dict(_flags_by_rater(campaign))
    about = Rating.objects.filter(target__in=texts, rater_pool=RaterPool.CROWD)
    gold = Rating.objects.filter(worker__campaign=campaign, gold__isnull=False, pk__gt=mark.last_rating)
    raters = {*gold.values_list("worker_id", flat=True), *about.values_list("worker_id", flat=True)} - {None}
    if Rating.objects.filter(worker__in=raters).count() > MANY_RATINGS:
        return dict(_flags_by_rater(campaign))
    kept = {int(pk): flags for pk, flags in known.flags.items() if int(pk) not in raters}
    flags = {pk: tuple(AttentionFlag(AttentionFlagName(name), words) for name, words in of) for pk, of in kept.items()}
    return flags | dict(_flags_by_rater(campaign, raters)) if raters else flags


def flagged_or_excluded(campaign: Campaign) -> set[int]:
    """Return the raters whose answers say little about what they answered."""
    return {*flags_now(campaign), *uncounted_workers(campaign, Round.RATE)}


def _flags_by_rater(
    campaign: Campaign, only: Collection[int] | None = None
) -> Iterator[tuple[int, tuple[AttentionFlag, ...]]]:
    """Yield the raters with flags, or `only` those of some."""
    everything, gold = crowd_ratings(campaign, beside=only), crowd_gold(campaign, only)
    for columns in _columns_of_arms(campaign):
        yield from _flags_on(campaign, columns, everything, gold, only)


def _columns_of_arms(campaign: Campaign) -> list[list[int]]:
    """Return which of the scales the raters of each arm have; of a round without arms, all."""
    scales, arms = campaign.rating_scales, [arm.key for arm in campaign.rating_arms] or [""]
    columns = ([place for place, scale in enumerate(scales) if scale.arm in {"", arm}] for arm in arms)
    return list(map(list, dict.fromkeys(map(tuple, columns))))


def _complete(table: RatingTable, columns: list[int]) -> RatingTable:
    """Return the ratings on some of the scales and no others; imported ratings may lack a scale."""
    is_given = table.scores > 0
    others = np.delete(is_given, columns, axis=1)
    chosen = table.where(np.asarray(is_given[:, columns].all(axis=1) & ~others.any(axis=1)))
    return replace(chosen, scores=chosen.scores[:, columns])


def _flags_on(
    campaign: Campaign, columns: list[int], ratings: RatingTable, gold: RatingTable, only: Collection[int] | None
) -> Iterator[tuple[int, tuple[AttentionFlag, ...]]]:
    """Yield the raters with flags among those who rate on these scales."""
    everything = _complete(ratings, columns)
    wanted = everything.rater >= 0 if only is None else np.isin(everything.rater, list(only))
    if not wanted.any():
        return
    scales = tuple(campaign.rating_scales[column] for column in columns)
    accepted = _accepted_points(campaign, scales)
    gold = _complete(gold, columns)
    gold = gold.where(np.isin(gold.target, list(accepted)))
    table, others = _with_gold(everything.where(wanted), _others(everything)[wanted], gold)
    shown = _Shown.of(campaign, table, only)
    scores, milliseconds = table.scores.astype(np.float64), _milliseconds(campaign, table, shown.words, only)
    points = tuple(len(scale.points) for scale in scales)
    not_gold = np.zeros((len(points), max(points)), dtype=bool)
    thresholds = AttentionThresholds.of_visit(campaign.rater_tasks)
    order = np.lexsort((table.rating, table.rater))
    starts = np.flatnonzero(np.r_[True, np.diff(table.rater[order]) != 0])
    for rows in np.split(order, starts[1:]):
        right = np.array([accepted.get(-int(target), not_gold) for target in table.target[rows]])
        work = RaterWork(
            scores[rows],
            others[rows],
            right,
            milliseconds[rows],
            shown.words[rows].astype(np.int64),
            shown.length_ratio[rows],
            shown.full_stop[rows],
            points,
        )
        rater = int(table.rater[rows[0]])
        if flags := attention_flags(work, thresholds, seed=rater):
            yield rater, flags


def _others(table: RatingTable) -> FloatArray:
    _, texts = np.unique(table.target, return_inverse=True)
    return others_means(texts, table.rater, table.scores.astype(np.float64), int(texts.max()) + 1)


def _accepted_points(campaign: Campaign, scales: tuple[Scale, ...]) -> dict[int, BoolArray]:
    """Return which points of each scale are right, by the id of a gold item that fits the scales."""
    found = {}
    for pk, answers in gold_items(campaign).values_list("pk", "answers"):
        right = _points_of(answers, scales)
        if right.any(axis=1).all():
            found[pk] = right
    return found


def _points_of(answers: Answers, scales: tuple[Scale, ...]) -> BoolArray:
    longest = max(len(scale.points) for scale in scales)
    return np.array(
        [[p in scale.values and p in answers.get(scale.key, ()) for p in range(1, longest + 1)] for scale in scales]
    )


def _with_gold(table: RatingTable, others: FloatArray, gold: RatingTable) -> tuple[RatingTable, FloatArray]:
    """Return one table of ratings, by their ids; the target of a gold item is its id, negative."""
    order = np.argsort(np.r_[table.rating, gold.rating])
    both = RatingTable(
        np.r_[table.rating, gold.rating][order],
        np.r_[table.target, -gold.target][order],
        np.r_[table.rater, gold.rater][order],
        np.r_[table.scores, gold.scores][order],
    )
    return both, np.r_[others, np.full(gold.scores.shape, np.nan)][order]


def _milliseconds(
    campaign: Campaign, table: RatingTable, words: FloatArray, only: Collection[int] | None
) -> FloatArray:
    """Return the milliseconds of each row, NaN where unknown; the table is ordered by rating id.

    What the page tells of a text that stood alone is capped by the server's clock when it is stored.
    """
    first, last = int(table.rating[0]), int(table.rating[-1])
    found = Rating.objects.filter(pk__range=(first, last), rater_pool=RaterPool.CROWD)
    found = found.filter(worker__campaign=campaign) if only is None else found.filter(worker__in=only)
    page, server = np.full(len(table.rating), np.nan), np.full(len(table.rating), np.nan)
    rows = found.filter(milliseconds__isnull=False).order_by().values_list("pk", "milliseconds")
    _fill(page, table, [(pk, float(value or 0)) for pk, value in rows.iterator(chunk_size=5000)])
    by_server = found.filter(worker__is_simulated=False)
    if campaign.ratings_per_page == 1:
        by_server = by_server.filter(milliseconds=None)
    claimed = np.zeros(len(table.rating))
    taken, claims, columns = [], [], ("pk", "assignment__leased_at", "created_at")
    for pk, leased_at, answered_at in by_server.order_by().values_list(*columns).iterator(chunk_size=5000):
        if leased_at is not None and answered_at is not None:
            taken.append((pk, max(0.0, 1000 * (answered_at - leased_at).total_seconds())))
            claims.append((pk, leased_at.timestamp()))
    _fill(server, table, taken)
    _fill(claimed, table, claims)
    # Texts of one page are handed out at one moment.
    _, sent = np.unique(np.column_stack([table.rater, claimed]), axis=0, return_inverse=True)
    sent = np.where(claimed == 0, len(sent) + np.arange(len(sent)), sent.ravel())
    return answer_times(page, server, words.astype(np.int64), sent)


def _fill(values: FloatArray, table: RatingTable, known: list[tuple[int, float]]) -> None:
    """Set the values of the ratings that are known; others, such as those of no counted rater, are passed over."""
    if known:
        pks = np.array([pk for pk, _ in known], dtype=np.int64)
        given = np.array([value for _, value in known])
        places = np.searchsorted(table.rating, pks).clip(max=len(table.rating) - 1)
        is_here = table.rating[places] == pks
        values[places[is_here]] = given[is_here]


@dataclass(frozen=True)
class _Shown:
    """What was shown of the text of each row, each of shape (n,)."""

    words: FloatArray
    length_ratio: FloatArray
    full_stop: BoolArray

    @classmethod
    def of(cls, campaign: Campaign, table: RatingTable, only: Collection[int] | None) -> "_Shown":
        targets = Target.objects.filter(source__campaign=campaign)
        sources = Source.objects.filter(campaign=campaign)
        if only is not None:
            targets = Target.objects.filter(pk__in=Rating.objects.filter(worker__in=only).values("target"))
            sources = Source.objects.filter(pk__in=targets.values("source"))
        of_source = {pk: (word_count(text), len(text)) for pk, text in sources.values_list("pk", "text").iterator()}
        by_target: dict[int, tuple[float, float, bool]] = {}
        for pk, source_id, text in targets.values_list("pk", "source_id", "text").iterator():
            by_target[pk] = _shown(*of_source[source_id], text)
        for pk, source, text in gold_items(campaign).values_list("pk", "source_text", "compression_text"):
            by_target[-pk] = _shown(word_count(source), len(source), text)
        texts, places = np.unique(table.target, return_inverse=True)
        values = np.array([by_target[int(pk)] for pk in texts])[places]
        return cls(values[:, 0], values[:, 1], values[:, 2] > 0)


def _shown(source_words: int, source_length: int, text: str) -> tuple[float, float, bool]:
    return source_words + word_count(text), len(text) / max(source_length, 1), ends_sentence(text)

"""The crowd's ratings of a campaign as arrays, the input of `measures`: without gold items, experts and tests."""

from array import array
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count

import numpy as np
import numpy.typing as npt
from django.db.models import BigIntegerField, F, FilteredRelation, Q, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from common.errors import Refused
from compressions.models import Compression
from crowd.models import Campaign, Round
from crowd.scales import Scale
from crowd.selectors.members import excluded_workers, workers_of_tests
from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.rating_scale import rescaled
from measures.quality_control.dawid_skene import PointScores
from measures.quality_control.filter_input import FilterInput, Measurements
from measures.quality_control.gold_accuracy import GoldAnswers
from measures.quality_control.parameters import ManualDecisions, RaterQuality
from measures.quality_control.worker_filter import Authorship, Outcome, Ratings
from ratings.models import RaterPool, Rating
from ratings.quality_notes import Unassessed
from ratings.selectors.gold import gold_records
from ratings.selectors.quality import included_workers

OUTPUTS_FROM = 2**60
"""Beyond the id of any text; gold items have the negative of theirs beside texts."""

_BIG = BigIntegerField()
_RATED = Coalesce(F("output_id") + Value(OUTPUTS_FROM, _BIG), F("target_id"), output_field=_BIG)


@dataclass(frozen=True)
class Judgements:
    """Ratings and authorship, with targets and workers numbered from 0; `*_ids` map the numbers to database ids.

    Each rating by an unknown rater has a rater of its own, with a negative id.
    """

    ratings: Ratings
    in_points: PointScores
    authorship: Authorship
    manual: ManualDecisions
    gold: GoldAnswers
    target_ids: IntArray
    rater_ids: IntArray
    editor_ids: IntArray

    def counts(self, outcome: Outcome) -> dict[str, int]:
        """Count the texts written by people and their ratings: all, and those that the worker filter keeps."""
        by_people = np.isin(np.arange(len(self.target_ids)), self.authorship.text)
        of_people = by_people[self.ratings.text]
        return {
            "ratings": int(of_people.sum()),
            "ratings_kept": int((outcome.kept_rating & of_people).sum()),
            "texts": int(by_people.sum()),
            "texts_kept": int((outcome.kept_text & by_people).sum()),
        }

    def unassessed(self, outcome: Outcome) -> dict[Round, Unassessed]:
        """Count the workers with too few items to be assessed, with their part of the texts or ratings of all."""
        editors, raters = outcome.editors.unassessed, outcome.raters.unassessed
        of_people = np.isin(self.ratings.text, self.authorship.text)
        texts = np.unique(self.authorship.text[editors[self.authorship.editor]])
        ratings = (raters[self.ratings.rater] & of_people).sum()
        counts = self.counts(outcome)
        known = int((self.rater_ids >= 0).sum())
        return {
            Round.EDIT: Unassessed(int(editors.sum()), len(self.editor_ids), len(texts), counts["texts"]),
            Round.RATE: Unassessed(int(raters.sum()), known, int(ratings), counts["ratings"]),
        }

    def measurements(self, rater_quality: RaterQuality) -> Measurements:
        """Return the quality measurements that the worker filter uses."""
        filter_input = FilterInput(
            self.ratings,
            self.authorship,
            self.rater_ids,
            self.editor_ids,
            len(self.target_ids),
            self.manual,
            self.gold,
            self.in_points,
        )
        return Measurements(filter_input, rater_quality)


@dataclass(frozen=True)
class RatingTable:
    """One row per rating: its id, target and rater, and its point on each scale."""

    rating: IntArray
    target: IntArray
    rater: IntArray
    scores: IntArray

    def where(self, wanted: BoolArray) -> "RatingTable":
        return RatingTable(self.rating[wanted], self.target[wanted], self.rater[wanted], self.scores[wanted])


def judgements_of_campaign(campaign: Campaign) -> Judgements:
    """Return the crowd's ratings of a campaign with the authors of the rated texts; raise Refused if it has arms.

    How far a rater is from the others depends on the scales that they were given, so one rule for all would leave out
    more people of one arm, and what the arms are compared by would decide who is compared.
    """
    if campaign.arms:
        raise Refused(
            _(
                "The raters of this campaign are in arms with scales of their own, so no rule can hold all of them "
                "against one another. Exclude people by hand, for what they did on the gold questions, or keep all."
            )
        )
    # A text is written before it is rated: reading ratings first, then authors, misses no author.
    table = crowd_ratings(campaign, but_of=frozenset())
    rows = Compression.objects.filter(source__campaign=campaign).exclude(worker__in=workers_of_tests(campaign))
    written = _int_table(rows.values_list("target_id", "worker_id"), columns=2)
    target_ids = np.union1d(table.target, written[:, 0])
    rater_ids, raters = np.unique(table.rater, return_inverse=True)
    editor_ids, editors = np.unique(written[:, 1], return_inverse=True)
    points = tuple(len(scale.points) for scale in campaign.rating_scales)
    return Judgements(
        Ratings(np.searchsorted(target_ids, table.target), raters, rescaled_scores(table, campaign.rating_scales)),
        PointScores(table.scores.astype(np.float64), points),
        Authorship(np.searchsorted(target_ids, written[:, 0]), editors),
        _manual_decisions(campaign, rater_ids, editor_ids),
        _gold_answers(campaign, rater_ids),
        target_ids,
        rater_ids,
        editor_ids,
    )


def _manual_decisions(campaign: Campaign, rater_ids: IntArray, editor_ids: IntArray) -> ManualDecisions:
    """Return the manual decisions in force. An exclusion takes precedence over an inclusion."""
    excluded = {each: excluded_workers(campaign, each) for each in (Round.RATE, Round.EDIT)}
    included = {each: included_workers(campaign, each) - excluded[each] for each in (Round.RATE, Round.EDIT)}
    unknown = rater_ids < 0  # raters that cannot be identified are never filtered
    return ManualDecisions(
        included_raters=np.isin(rater_ids, list(included[Round.RATE])) | unknown,
        excluded_raters=np.isin(rater_ids, list(excluded[Round.RATE])),
        included_editors=np.isin(editor_ids, list(included[Round.EDIT])),
        excluded_editors=np.isin(editor_ids, list(excluded[Round.EDIT])),
    )


def _gold_answers(campaign: Campaign, rater_ids: IntArray) -> GoldAnswers:
    """Return the gold answers of those raters who also rated texts."""
    index_of = {int(worker): index for index, worker in enumerate(rater_ids)}
    records = {index_of[worker]: record for worker, record in gold_records(campaign).items() if worker in index_of}
    rows = [(rater, each.right, each.answers, each.items) for rater, each in sorted(records.items())]
    table = _int_table(rows, columns=4)
    return GoldAnswers(table[:, 0], table[:, 1], table[:, 2], table[:, 3])


@contextmanager
def refusing_missing_inputs() -> Iterator[None]:
    """Turn errors about missing inputs of the worker filter (such as gold answers) into refusals."""
    try:
        yield
    except ValueError as error:
        raise Refused(str(error)) from error


def rescaled_scores(table: RatingTable, scales: Iterable[Scale]) -> FloatArray:
    """Return the scores rescaled to the range 1..3, whatever the number of points of each scale."""
    return rescaled(table.scores.astype(np.float64), tuple(len(scale.points) for scale in scales))


def crowd_ratings(
    campaign: Campaign, but_of: frozenset[int] | None = None, beside: Collection[int] | None = None
) -> RatingTable:
    """Return the crowd's ratings of single texts, oldest first, without the workers in `but_of` (default: excluded).

    An output that was rated apart is a text of its own, whose number is `OUTPUTS_FROM` plus the id of the output.
    With `beside`, only those of the texts that these workers have rated.
    """
    excluded = excluded_workers(campaign, Round.RATE) if but_of is None else but_of
    return _crowd_table(campaign, excluded, "target", "target__source", beside)


def crowd_gold(campaign: Campaign, only: Collection[int] | None = None) -> RatingTable:
    """Return the crowd's answers to gold items, or `only` those of some workers; the targets are gold items."""
    excluded = excluded_workers(campaign, Round.RATE)
    return _crowd_table(campaign, excluded, "gold", "gold__item", only=only)


def crowd_comparisons(campaign: Campaign, but_of: frozenset[int]) -> RatingTable:
    """Return the crowd's side-by-side ratings; the targets of the table are pairs."""
    return _crowd_table(campaign, but_of, "pair", "pair__first__source")


def _crowd_table(
    campaign: Campaign,
    but_of: frozenset[int],
    subject: str,
    source: str,
    beside: Collection[int] | None = None,
    only: Collection[int] | None = None,
) -> RatingTable:
    of_campaign: dict[str, object] = {"rater_pool": RaterPool.CROWD, f"{source}__campaign": campaign}
    if only is not None:
        of_campaign["worker__in"] = only
    if beside is not None:
        of_campaign[f"{subject}__in"] = Rating.objects.filter(worker__in=beside).values(subject)
    # One row for each rating, with a column for each scale: rows are what takes time when there are millions.
    keys = {f"scale_{place}": scale.key for place, scale in enumerate(campaign.rating_scales)}
    of_scale = {name: FilteredRelation("scores", condition=Q(scores__scale=key)) for name, key in keys.items()}
    counted = Rating.objects.filter(**of_campaign).exclude(worker__in=but_of)
    ratings = counted.exclude(worker__in=workers_of_tests(campaign)).annotate(**of_scale).order_by("pk")
    points = (f"{name}__value" for name in keys)
    rated = _RATED if subject == "target" else F(f"{subject}_id")
    rows = ratings.values_list("pk", rated, "worker_id", *points)
    return _rating_table(rows.iterator(chunk_size=5000), len(keys))


def _rating_table(rows: Iterable[tuple[int | None, ...]], scales: int) -> RatingTable:
    """Return the rows as arrays; 0 stands for no point. The buffer is flat: there may be millions of ratings."""
    unknown, flat = count(-1, -1), array("q")
    for rating, subject, worker, *points in rows:
        rater = next(unknown) if worker is None else worker
        flat.extend((rating, subject, rater, *(point or 0 for point in points)))  # type: ignore[arg-type]
    table = np.array(flat, dtype=np.int64).reshape(-1, 3 + scales)
    table = table[table[:, 3:].any(axis=1)]
    return RatingTable(table[:, 0], table[:, 1], table[:, 2], table[:, 3:])


def _int_table(rows: object, columns: int) -> IntArray:
    table: npt.NDArray[np.int64] = np.array(list(rows), dtype=np.int64)  # type: ignore[call-overload]
    return table.reshape(-1, columns)

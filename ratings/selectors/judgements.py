"""The crowd's judgements of a campaign as arrays, for the science. Gold items and experts are not among them."""

from array import array
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count

import numpy as np
import numpy.typing as npt

from common.errors import Refused
from compressions.models import Compression
from crowd.models import Campaign, Round
from crowd.scales import Scale
from crowd.selectors.exclusions import excluded_workers
from measures.core.arrays import FloatArray, IntArray
from measures.core.rating_scale import rescaled
from measures.quality_control.dawid_skene import PointScores
from measures.quality_control.filter_input import FilterInput, Measurements
from measures.quality_control.gold_accuracy import GoldAnswers
from measures.quality_control.parameters import ManualDecisions, RaterQuality
from measures.quality_control.worker_filter import Authorship, Outcome, Ratings
from ratings.models import RaterPool, Score
from ratings.selectors.gold import gold_records
from ratings.selectors.quality import included_workers


@dataclass(frozen=True)
class Judgements:
    """Ratings and authors with targets and workers numbered from 0; the ids give the numbers their meaning.

    Ratings whose rater is unknown are each by a rater of their own, with an id below zero.
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
        """How many texts of people there are, and ratings of these, and how many a rule keeps."""
        written = np.isin(np.arange(len(self.target_ids)), self.authorship.text)
        of_people = written[self.ratings.text]
        return {
            "ratings": int(of_people.sum()),
            "ratings_kept": int((outcome.kept_rating & of_people).sum()),
            "texts": int(written.sum()),
            "texts_kept": int((outcome.kept_text & written).sum()),
        }

    def measurements(self, rater_quality: RaterQuality) -> Measurements:
        """What a rule judges people by."""
        case = FilterInput(
            self.ratings,
            self.authorship,
            self.rater_ids,
            self.editor_ids,
            len(self.target_ids),
            self.manual,
            self.gold,
            self.in_points,
        )
        return Measurements(case, rater_quality)


@dataclass(frozen=True)
class RatingTable:
    """One row for each rating: its id, target, rater, and a point on each scale."""

    rating: IntArray
    target: IntArray
    rater: IntArray
    scores: IntArray


def judgements_of_campaign(campaign: Campaign) -> Judgements:
    """Ratings come first: a text is written before it is rated, so each has its authors."""
    table = crowd_ratings(campaign, but_of=frozenset())
    rows = Compression.objects.filter(source__campaign=campaign).values_list("target_id", "worker_id")
    written = _table(rows, columns=2)
    target_ids = np.union1d(table.target, written[:, 0])
    rater_ids, raters = np.unique(table.rater, return_inverse=True)
    editor_ids, editors = np.unique(written[:, 1], return_inverse=True)
    points = tuple(len(scale.points) for scale in campaign.rating_scales)
    return Judgements(
        Ratings(np.searchsorted(target_ids, table.target), raters, comparable(table, campaign.rating_scales)),
        PointScores(table.scores.astype(np.float64), points),
        Authorship(np.searchsorted(target_ids, written[:, 0]), editors),
        _manual_decisions(campaign, rater_ids, editor_ids),
        _gold(campaign, rater_ids),
        target_ids,
        rater_ids,
        editor_ids,
    )


def _manual_decisions(campaign: Campaign, rater_ids: IntArray, editor_ids: IntArray) -> ManualDecisions:
    """Exclusion wins over inclusion, should there be both."""
    excluded = {each: excluded_workers(campaign, each) for each in (Round.RATE, Round.EDIT)}
    included = {each: included_workers(campaign, each) - excluded[each] for each in (Round.RATE, Round.EDIT)}
    unnamed = rater_ids < 0  # nobody knows who they are, so no rule judges them
    return ManualDecisions(
        included_raters=np.isin(rater_ids, list(included[Round.RATE])) | unnamed,
        excluded_raters=np.isin(rater_ids, list(excluded[Round.RATE])),
        included_editors=np.isin(editor_ids, list(included[Round.EDIT])),
        excluded_editors=np.isin(editor_ids, list(excluded[Round.EDIT])),
    )


def _gold(campaign: Campaign, rater_ids: IntArray) -> GoldAnswers:
    """What raters who also judged texts answered to gold items."""
    place = {int(worker): index for index, worker in enumerate(rater_ids)}
    records = {place[worker]: record for worker, record in gold_records(campaign).items() if worker in place}
    rows = [(rater, each.right, each.questions, each.items) for rater, each in sorted(records.items())]
    table = _table(rows, columns=4)
    return GoldAnswers(table[:, 0], table[:, 1], table[:, 2], table[:, 3])


@contextmanager
def refusing_what_is_missing() -> Iterator[None]:
    """A rule may rest on what is not there, such as gold answers."""
    try:
        yield
    except ValueError as error:
        raise Refused(str(error)) from error


def comparable(table: RatingTable, scales: Iterable[Scale]) -> FloatArray:
    """Scores on scales of any number of points, each brought to the range from 1 to 3."""
    return rescaled(table.scores.astype(np.float64), tuple(len(scale.points) for scale in scales))


def crowd_ratings(campaign: Campaign, but_of: frozenset[int] | None = None) -> RatingTable:
    """What the crowd said of single texts, in the order in which it was said; not what excluded people said."""
    excluded = excluded_workers(campaign, Round.RATE) if but_of is None else but_of
    return _said_of(campaign, excluded, "target", "target__source")


def crowd_comparisons(campaign: Campaign, but_of: frozenset[int]) -> RatingTable:
    """What the crowd said of two texts side by side; the table's targets are pairs."""
    return _said_of(campaign, but_of, "pair", "pair__first__source")


def _said_of(campaign: Campaign, but_of: frozenset[int], subject: str, source: str) -> RatingTable:
    keys = {scale.key: place for place, scale in enumerate(campaign.rating_scales)}
    here: dict[str, object] = {"rating__rater_pool": RaterPool.CROWD, f"rating__{source}__campaign": campaign}
    rows = (
        Score.objects.filter(**here)
        .exclude(rating__worker__in=but_of)
        .order_by("rating", "pk")
        .values_list("rating_id", f"rating__{subject}_id", "rating__worker_id", "scale", "value")
    )
    return _rating_table(rows.iterator(chunk_size=5000), keys)


def _rating_table(rows: Iterable[tuple[int, int, int | None, str, int]], keys: dict[str, int]) -> RatingTable:
    """Scores, those of a rating one after another, as a row for each rating; flat, since there may be millions."""
    unknown, no_points = count(-1, -1), [0] * len(keys)
    flat, last = array("q"), None
    for rating, target, worker, scale, value in rows:
        if rating != last:
            flat.extend((rating, target, next(unknown) if worker is None else worker, *no_points))
            last = rating
        flat[len(flat) - len(keys) + keys[scale]] = value
    table = np.array(flat, dtype=np.int64).reshape(-1, 3 + len(keys))
    return RatingTable(table[:, 0], table[:, 1], table[:, 2], table[:, 3:])


def _table(rows: object, columns: int) -> IntArray:
    table: npt.NDArray[np.int64] = np.array(list(rows), dtype=np.int64)  # type: ignore[call-overload]
    return table.reshape(-1, columns)

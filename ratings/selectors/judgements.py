"""The judgements of a campaign as arrays, for the science."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from compressions.models import Compression
from crowd.models import Campaign
from measures.arrays import FloatArray, IntArray
from measures.quality import Authorship, Ratings
from ratings.models import Rating


@dataclass(frozen=True)
class Judgements:
    """Ratings and authors with targets and workers numbered from 0; the ids give the numbers their meaning."""

    ratings: Ratings
    authorship: Authorship
    target_ids: IntArray
    rater_ids: IntArray
    editor_ids: IntArray


def judgements_of_campaign(campaign: Campaign) -> Judgements:
    """Two queries. Ratings come first: a text is written before it is rated, so each has its authors."""
    ratings = _table(
        Rating.objects.filter(target__source__campaign=campaign).values_list(
            "target_id", "worker_id", "meaning", "grammar"
        ),
        columns=4,
    )
    written = _table(
        Compression.objects.filter(source__campaign=campaign).values_list("target_id", "worker_id"), columns=2
    )
    target_ids = np.union1d(ratings[:, 0], written[:, 0])
    rater_ids, raters = np.unique(ratings[:, 1], return_inverse=True)
    editor_ids, editors = np.unique(written[:, 1], return_inverse=True)
    return Judgements(
        Ratings(np.searchsorted(target_ids, ratings[:, 0]), raters, _scores(ratings[:, 2]), _scores(ratings[:, 3])),
        Authorship(np.searchsorted(target_ids, written[:, 0]), editors),
        target_ids,
        rater_ids,
        editor_ids,
    )


def _table(rows: object, columns: int) -> IntArray:
    table: npt.NDArray[np.int64] = np.array(list(rows), dtype=np.int64)  # type: ignore[call-overload]
    return table.reshape(-1, columns)


def _scores(column: IntArray) -> FloatArray:
    return column.astype(np.float64)

"""The ratings of one scale of a release as arrays: crowd and experts, with the same item in each row."""

from collections.abc import Sequence
from dataclasses import dataclass

from agreement.parameters import ReportParameters
from corpus.rating_matrices import crowd_rating_rows, expert_rating_rows, rated_sources, rating_matrix
from corpus.release.records import ReleasedSource
from crowd.scales import Scale
from measures.core.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class ScaleRatings:
    """Ratings of the crowd and of experts on one scale.

    `raters` (indices into `names`), `days` and `order` describe the ratings in `crowd`; `sources` holds the source of
    each row.
    """

    scale: Scale
    crowd: FloatArray
    experts: FloatArray
    raters: IntArray
    names: list[str]
    days: IntArray
    order: IntArray
    sources: list[ReleasedSource]
    parameters: ReportParameters


def scale_ratings(
    sources: Sequence[ReleasedSource], scales: tuple[Scale, ...], parameters: ReportParameters
) -> list[ScaleRatings]:
    crowd, experts = rating_matrix(crowd_rating_rows(sources)), rating_matrix(expert_rating_rows(sources))
    judged = list(rated_sources(sources))
    return [
        ScaleRatings(
            scale,
            crowd.points(scale.key),
            experts.points(scale.key),
            crowd.raters,
            crowd.names,
            crowd.days,
            crowd.order,
            judged,
            parameters,
        )
        for scale in scales
    ]

"""One scale of a release as arrays: what the crowd and what experts said of the same things, row by row."""

from collections.abc import Sequence
from dataclasses import dataclass

from agreement.parameters import ReportParameters
from corpus.rating_matrices import crowd_ratings, expert_ratings, judged_sources, judgements
from corpus.release.records import ReleasedSource
from crowd.scales import Scale
from measures.core.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class ScaleRatings:
    """`raters` (places in `names`) `days` and `order` are of `crowd`; `sources` are what each row was made of."""

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
    crowd, experts = judgements(crowd_ratings(sources)), judgements(expert_ratings(sources))
    judged = list(judged_sources(sources))
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

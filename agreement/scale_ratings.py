"""The ratings of one scale of a release as arrays: crowd and experts, with the same item in each row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement.parameters import AgreementParameters
from corpus.rating_matrices import crowd_rating_rows, expert_rating_rows, rated_sources, rating_matrix
from corpus.release.records import ReleasedSource
from crowd.scales import Scale
from measures.agreement.sampled_ratings import SampledRatings, sampled_ratings
from measures.core.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class ReleaseContext:
    """What a report has to know of a release beyond its files.

    `first_ratings` is how many ratings of each text count where some raters were asked because earlier ones disagreed;
    None if none were. `before_cleaning` holds, by scale, the patterns of all ratings before people were left out; None
    if unknown.
    """

    first_ratings: int | None = None
    before_cleaning: Mapping[str, Any] | None = None


NO_CONTEXT = ReleaseContext()


@dataclass(frozen=True, eq=False)
class ScaleRatings:
    """Ratings of the crowd and of experts on one scale.

    `crowd` holds the ratings that agreement among raters is computed from: where some raters were asked because earlier
    ones disagreed, the first ones of each text; `all_crowd` holds all. `raters` (indices into `names`) and `days`
    describe the ratings in both; `sources` holds the source of each row, and `families` a number for each paragraph
    with its own sentences, which count as one source; `before_cleaning` the patterns of all ratings before people were
    left out, or None if unknown.
    """

    scale: Scale
    crowd: FloatArray
    all_crowd: FloatArray
    experts: FloatArray
    raters: IntArray
    names: list[str]
    days: IntArray
    sources: list[ReleasedSource]
    families: IntArray
    parameters: AgreementParameters
    expert_raters: IntArray
    before_cleaning: Sequence[dict[str, Any]] | None = None

    @property
    def has_extra_ratings(self) -> bool:
        return bool((~np.isnan(self.all_crowd)).sum() > (~np.isnan(self.crowd)).sum())

    def sampled(self, rows: BoolArray | None = None, *, ratings: FloatArray | None = None) -> SampledRatings:
        """Return the crowd's ratings, of all rows or of some, as sampled from sources and raters."""
        chosen = np.ones(len(self.crowd), np.bool_) if rows is None else rows
        points = self.crowd if ratings is None else ratings
        return sampled_ratings(
            points[chosen],
            categories=self.scale.values,
            sources=self.families[chosen],
            raters=self.raters[chosen],
            min_ratings=2,
        )


def scale_ratings(
    sources: Sequence[ReleasedSource],
    scales: tuple[Scale, ...],
    parameters: AgreementParameters,
    context: ReleaseContext = NO_CONTEXT,
) -> list[ScaleRatings]:
    """Return the ratings of each scale."""
    own = tuple(scale for scale in scales if scale.numbers is None)
    imported = tuple(scale for scale in scales if scale.numbers is not None)
    return [
        *(_scale_ratings(sources, own, parameters, context, outputs=False) if own else ()),
        *(_scale_ratings(sources, imported, parameters, NO_CONTEXT, outputs=True) if imported else ()),
    ]


def _scale_ratings(
    sources: Sequence[ReleasedSource],
    scales: tuple[Scale, ...],
    parameters: AgreementParameters,
    context: ReleaseContext,
    *,
    outputs: bool,
) -> list[ScaleRatings]:
    """Return the ratings of scales of a kind; those that came with files are mostly of outputs of systems."""
    crowd = rating_matrix(crowd_rating_rows(sources, outputs=outputs))
    experts = rating_matrix(expert_rating_rows(sources, outputs=outputs))
    judged = list(rated_sources(sources, outputs=outputs))
    families = np.unique(np.array([source.family for source in judged], dtype=np.str_), return_inverse=True)[1]
    counts = context.first_ratings is None or crowd.order < context.first_ratings
    return [
        ScaleRatings(
            scale=scale,
            crowd=np.where(counts, points, np.nan),
            all_crowd=points,
            experts=experts.points(scale.key),
            raters=crowd.raters,
            names=crowd.names,
            days=crowd.days,
            sources=judged,
            families=families.reshape(-1),
            parameters=parameters,
            expert_raters=experts.raters,
            before_cleaning=context.before_cleaning.get(scale.key) if context.before_cleaning else None,
        )
        for scale in scales
        for points in [crowd.points(scale.key)]
    ]

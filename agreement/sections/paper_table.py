"""The rows of Table 4 (Toutanova et al. 2016, §3.2), and what the paper's choices do to the first of them."""

import numpy as np

from agreement.report_rows import ReportRow, bootstrap_rows, detectable_rows, pair_rows, undefined_rows
from agreement.scale_ratings import ScaleRatings
from agreement.sections.base import ReportSection
from agreement.sections.coefficients import ALL_RATERS
from measures.agreement.bootstrap import BootstrapAgreement, bootstrap_agreement
from measures.agreement.mean_rounding import Rounding, rounded_means
from measures.agreement.sampled_ratings import sampled_ratings
from measures.agreement.simulated_pairs import PairAgreement, simulated_pair_agreement
from measures.agreement.table_intervals import AgreementIntervals, crowd_intervals, pair_intervals, reference_intervals
from measures.core.arrays import BoolArray, FloatArray
from measures.core.rating_scale import category_indices
from measures.core.undefined import Undefined

WORKERS = "worker versus worker"
ALL_RATINGS = "worker versus worker, all ratings"
OTHER_ROUNDING = "worker versus worker, rounded {}"
EXPERTS, EXPERTS_WORKERS = "expert versus expert", "expert versus worker"
TABLE_FOUR = (WORKERS, EXPERTS, EXPERTS_WORKERS)
NO_EXPERTS = Undefined("no expert has rated texts of this release")


def worker_rows(ratings: ScaleRatings) -> list[ReportRow]:
    """Return the paper's row; with halves rounded the other way; and with ratings asked for after a disagreement."""
    other = ratings.parameters.other_rounding
    found = crowd_rows(ratings, WORKERS, with_paper=True)
    rows = [
        *found,
        *detectable_rows(found, ALL_RATERS),
        *crowd_rows(ratings, OTHER_ROUNDING.format(other.value), rounding=other),
    ]
    if ratings.has_extra_ratings:
        rows += crowd_rows(ratings, ALL_RATINGS, points=ratings.all_crowd)
    return rows


def crowd_rows(
    ratings: ScaleRatings,
    comparison: str,
    *,
    rows: BoolArray | None = None,
    points: FloatArray | None = None,
    rounding: Rounding | None = None,
    with_paper: bool = False,
) -> list[ReportRow]:
    """Return the agreement of one rater with the others, of all items or of some rows."""
    found = simulated(ratings, rows=rows, points=points, rounding=rounding)
    if isinstance(found, Undefined):
        return undefined_rows(ratings.scale.key, comparison, found)
    intervals = crowd_intervals(
        ratings.sampled(rows, ratings=points),
        categories=ratings.scale.values,
        rounding=rounding or ratings.parameters.rounding,
        weights=ratings.parameters.weights,
        agreement=found.agreement.mean,
        kappa=None if isinstance(found.kappa, Undefined) else found.kappa.mean,
    )
    paper = simulated(ratings, rows=rows, points=points, resample_items=True) if with_paper else None
    return pair_rows(ratings.scale.key, comparison, found, intervals, paper)


def simulated(
    ratings: ScaleRatings,
    *,
    rows: BoolArray | None = None,
    points: FloatArray | None = None,
    resample_items: bool = False,
    rounding: Rounding | None = None,
) -> PairAgreement | Undefined:
    """Draw a rater of each item and compare them with the others."""
    parameters = ratings.parameters
    chosen = ratings.crowd if points is None else points
    return simulated_pair_agreement(
        chosen if rows is None else chosen[rows],
        categories=ratings.scale.values,
        draws=parameters.draws,
        seed=parameters.seed,
        rounding=rounding or parameters.rounding,
        weights=parameters.weights,
        resample_items=resample_items,
    )


def expert_rows(ratings: ScaleRatings) -> list[ReportRow]:
    """Return the agreement of two experts, and of the experts' rounded mean with that of the crowd."""
    scale = ratings.scale.key
    if np.isnan(ratings.experts).all():
        return [row for name in (EXPERTS, EXPERTS_WORKERS) for row in undefined_rows(scale, name, NO_EXPERTS)]
    one, other = _two_experts(ratings.experts)
    both = ~np.isnan(one) & ~np.isnan(other)
    between = pair_intervals(
        one[both],
        other[both],
        categories=ratings.scale.values,
        sources=ratings.families[both],
        weights=ratings.parameters.weights,
    )
    rounding = ratings.parameters.rounding
    crowd, experts = rounded_means(ratings.all_crowd, rounding), rounded_means(ratings.experts, rounding)
    return [
        *bootstrap_rows(scale, EXPERTS, _bootstrapped(ratings, one, other), between),
        *bootstrap_rows(scale, EXPERTS_WORKERS, _bootstrapped(ratings, experts, crowd), _with_crowd(ratings, experts)),
    ]


def _two_experts(experts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the points of the first two experts of each item, in the order of their names."""
    order = np.argsort(np.isnan(experts), axis=1, kind="stable")[:, :2]
    two = np.take_along_axis(experts, order, axis=1)
    return two[:, 0], two[:, 1] if two.shape[1] > 1 else np.full(len(two), np.nan)


def _with_crowd(ratings: ScaleRatings, experts: FloatArray) -> AgreementIntervals:
    """Return the intervals of the experts' rounded mean against the crowd, which is drawn; the experts are not."""
    rows = ~np.isnan(experts)
    return reference_intervals(
        sampled_ratings(
            ratings.all_crowd[rows],
            categories=ratings.scale.values,
            sources=ratings.families[rows],
            raters=ratings.raters[rows],
            groups=category_indices(experts[rows], ratings.scale.values),
        ),
        categories=ratings.scale.values,
        rounding=ratings.parameters.rounding,
        weights=ratings.parameters.weights,
    )


def _bootstrapped(ratings: ScaleRatings, a: FloatArray, b: FloatArray) -> BootstrapAgreement | Undefined:
    """Return the agreement of two columns where both have a value."""
    both = ~np.isnan(a) & ~np.isnan(b)
    parameters = ratings.parameters
    return bootstrap_agreement(
        a[both],
        b[both],
        categories=ratings.scale.values,
        replications=parameters.replications,
        seed=parameters.seed,
        weights=parameters.weights,
    )


SECTIONS = [ReportSection(10, worker_rows), ReportSection(20, expert_rows)]

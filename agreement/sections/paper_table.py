"""The rows of Table 4 (Toutanova et al. 2016, §3.2), and what the paper's choices do to the first of them."""

import numpy as np

from agreement.report_rows import ReportRow, bootstrap_rows, pair_rows, undefined_rows
from agreement.scale_ratings import ScaleRatings
from agreement.sections.base import ReportSection
from measures.agreement.bootstrap import BootstrapAgreement, bootstrap_agreement
from measures.agreement.mean_rounding import Rounding, rounded_means
from measures.agreement.simulated_pairs import PairAgreement, simulated_pair_agreement
from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined

WORKERS = "worker versus worker"
ITEMS_DRAWN = "worker versus worker, items drawn too"
FIRST_RATINGS = "worker versus worker, first three ratings"
OTHER_ROUNDING = "worker versus worker, rounded {}"
EXPERTS, EXPERTS_WORKERS = "expert versus expert", "expert versus worker"
FIRST = 3
TABLE_FOUR = (WORKERS, EXPERTS, EXPERTS_WORKERS)
NO_EXPERTS = Undefined("no expert has rated texts of this release")


def worker_rows(ratings: ScaleRatings) -> list[ReportRow]:
    """As the paper has it; with the items drawn anew, too; and with halves rounded the other way."""
    scale, other = ratings.scale.key, ratings.parameters.other_rounding
    return [
        *pair_rows(scale, WORKERS, simulated(ratings)),
        *pair_rows(scale, ITEMS_DRAWN, simulated(ratings, resample_items=True)),
        *pair_rows(scale, OTHER_ROUNDING.format(other.value), simulated(ratings, rounding=other)),
        *_first_ratings(ratings),
    ]


def _first_ratings(ratings: ScaleRatings) -> list[ReportRow]:
    """Where some texts have more ratings than others: because their first ones differed, agreement is overstated."""
    counts = np.count_nonzero(~np.isnan(ratings.crowd), axis=1)
    if not ((counts > FIRST).any() and (counts == FIRST).any()):
        return []
    first = np.where(ratings.order < FIRST, ratings.crowd, np.nan)
    return pair_rows(ratings.scale.key, FIRST_RATINGS, simulated(ratings, rows=first))


def simulated(
    ratings: ScaleRatings,
    *,
    rows: FloatArray | None = None,
    resample_items: bool = False,
    rounding: Rounding | None = None,
) -> PairAgreement | Undefined:
    """A rater of each thing against the others, of all things or of some rows."""
    parameters = ratings.parameters
    return simulated_pair_agreement(
        ratings.crowd if rows is None else rows,
        categories=ratings.scale.values,
        draws=parameters.draws,
        seed=parameters.seed,
        rounding=rounding or parameters.rounding,
        weights=parameters.weights,
        resample_items=resample_items,
    )


def expert_rows(ratings: ScaleRatings) -> list[ReportRow]:
    scale = ratings.scale.key
    if np.isnan(ratings.experts).all():
        return [row for name in (EXPERTS, EXPERTS_WORKERS) for row in undefined_rows(scale, name, NO_EXPERTS)]
    rounding = ratings.parameters.rounding
    crowd, experts = rounded_means(ratings.crowd, rounding), rounded_means(ratings.experts, rounding)
    return [
        *bootstrap_rows(scale, EXPERTS, _bootstrapped(ratings, *_two_experts(ratings.experts))),
        *bootstrap_rows(scale, EXPERTS_WORKERS, _bootstrapped(ratings, experts, crowd)),
    ]


def _two_experts(experts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Of each thing the points of the first two experts who judged it, in the order of their names."""
    order = np.argsort(np.isnan(experts), axis=1, kind="stable")[:, :2]
    two = np.take_along_axis(experts, order, axis=1)
    return two[:, 0], two[:, 1] if two.shape[1] > 1 else np.full(len(two), np.nan)


def _bootstrapped(ratings: ScaleRatings, a: FloatArray, b: FloatArray) -> BootstrapAgreement | Undefined:
    """Agreement of two columns where both have a value."""
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

"""Chance-corrected agreement: every measure that needs only NumPy, importable from one place.

Matrices are items by raters, NaN where a rating is missing. A value that is not defined is returned as `Undefined`
with the reason. Krippendorff's alpha is in
`measures.agreement.krippendorff`.

Examples
--------
>>> import numpy as np
>>> from measures.agreement import bootstrap_agreement, simulated_pair_agreement, weighted_kappa
>>> ratings = [[3, 3, 2], [1, 1, 2], [2, 2, np.nan], [3, np.nan, 3], [1, np.nan, np.nan]]

One rater of each item, drawn at random, against the rounded mean of the others, 1,000 times:

>>> workers = simulated_pair_agreement(ratings, categories=3, draws=1000, seed=2016)
>>> workers.items, workers.left_out, round(workers.agreement.mean, 1)
(4, 1, 0.7)

The interval of kappa over sources and raters, of five texts of three sources by three raters:

>>> raters = [[0, 1, 2]] * 5
>>> sampled = sampled_ratings(ratings, categories=3, sources=[0, 0, 1, 1, 2], raters=raters, min_ratings=2)
>>> interval = crowd_intervals(sampled, categories=3).kappa
>>> interval.sources, interval.raters, interval.low < interval.high
(2, 3, True)

Two raters of the same items, with bootstrap intervals over the items:

>>> one, other = [3, 3, 2, 1, 3, 2, 3, 1, 2, 3], [3, 2, 2, 1, 3, 3, 3, 2, 2, 3]
>>> round(weighted_kappa(one, other, categories=3), 3)
0.717
>>> result = bootstrap_agreement(one, other, categories=3, replications=25_000, seed=2016)
>>> result.kappa_interval.low < 0.717 < result.kappa_interval.high
True

An undefined value is never a number:

>>> weighted_kappa([2, 2], [2, 2], categories=3)
Undefined(reason='all ratings are in one category')
"""

from measures.agreement.bootstrap import BootstrapAgreement, bootstrap_agreement
from measures.agreement.cohen import Weights, kappa_of_table, pair_table, weighted_kappa
from measures.agreement.gwet import GwetResult, gwet_agreement
from measures.agreement.intraclass import (
    IntraclassResult,
    TwoWayIntraclass,
    intraclass,
    ratings_needed,
    spearman_brown,
    two_way_intraclass,
)
from measures.agreement.mean_rounding import Rounding, rounded_means
from measures.agreement.rater_pairs import PairKappa, pairwise_kappa
from measures.agreement.rater_vs_others import RaterVsOthers, group_agreement, rater_agreement
from measures.agreement.rating_patterns import Patterns, count_patterns
from measures.agreement.sample_size import Plan, Plans, plan_ratings
from measures.agreement.sampled_ratings import SampledRatings, sampled_ratings, sampled_rows
from measures.agreement.simulated_pairs import PairAgreement, simulated_pair_agreement
from measures.agreement.table_intervals import (
    AgreementIntervals,
    crowd_intervals,
    pair_intervals,
    reference_intervals,
)
from measures.agreement.two_way import two_way_interval
from measures.core.confidence import ConfidenceInterval
from measures.core.intervals import Interval
from measures.core.undefined import Undefined

__all__ = [
    "AgreementIntervals",
    "BootstrapAgreement",
    "ConfidenceInterval",
    "GwetResult",
    "Interval",
    "IntraclassResult",
    "PairAgreement",
    "PairKappa",
    "Patterns",
    "Plan",
    "Plans",
    "RaterVsOthers",
    "Rounding",
    "SampledRatings",
    "TwoWayIntraclass",
    "Undefined",
    "Weights",
    "bootstrap_agreement",
    "count_patterns",
    "crowd_intervals",
    "group_agreement",
    "gwet_agreement",
    "intraclass",
    "kappa_of_table",
    "pair_intervals",
    "pair_table",
    "pairwise_kappa",
    "plan_ratings",
    "rater_agreement",
    "ratings_needed",
    "reference_intervals",
    "rounded_means",
    "sampled_ratings",
    "sampled_rows",
    "simulated_pair_agreement",
    "spearman_brown",
    "two_way_interval",
    "two_way_intraclass",
    "weighted_kappa",
]

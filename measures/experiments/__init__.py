"""What do judgements say of systems, and what do they depend on when texts share sources and people?

A linear mixed model with two crossed factors, its tests for few sources, and a model of ratings as ordered categories;
rankings of the texts of a set, and strengths from their pairs; scores of texts one by one; the order of systems by
several ways of judging.
"""

from measures.experiments.absolute_scores import (
    AbsoluteMeans,
    AbsoluteModel,
    SystemContrast,
    absolute_means,
    absolute_model,
)
from measures.experiments.crossed_model import Coefficient, CrossedModel, VarianceComponents, crossed_model
from measures.experiments.davidson import PSEUDO_WINS, Davidson, davidson
from measures.experiments.hypothesis_sets import Hypothesis, HypothesisSets, hypothesis_sets
from measures.experiments.ordered_model import LogOdds, OrderedModel, ordered_model
from measures.experiments.pair_strengths import (
    CircularTriads,
    PairResults,
    PairStrengths,
    circular_triads,
    pair_results,
    pair_strengths,
)
from measures.experiments.protocol_order import OrderAgreement, order_agreement, winners
from measures.experiments.rank_agreement import RankAgreement, kendall_w, rank_agreement
from measures.experiments.rankings import MeanRank, dense_ranks, item_midranks, mean_ranks, midranks, place_slope
from measures.experiments.small_samples import FTest, TTest

__all__ = [
    "PSEUDO_WINS",
    "AbsoluteMeans",
    "AbsoluteModel",
    "CircularTriads",
    "Coefficient",
    "CrossedModel",
    "Davidson",
    "FTest",
    "Hypothesis",
    "HypothesisSets",
    "LogOdds",
    "MeanRank",
    "OrderAgreement",
    "OrderedModel",
    "PairResults",
    "PairStrengths",
    "RankAgreement",
    "SystemContrast",
    "TTest",
    "VarianceComponents",
    "absolute_means",
    "absolute_model",
    "circular_triads",
    "crossed_model",
    "davidson",
    "dense_ranks",
    "hypothesis_sets",
    "item_midranks",
    "kendall_w",
    "mean_ranks",
    "midranks",
    "order_agreement",
    "ordered_model",
    "pair_results",
    "pair_strengths",
    "place_slope",
    "rank_agreement",
    "winners",
]

"""Metrics against people's ratings: which metrics can be trusted?

Scores of metrics and people's ratings of the same outputs are arranged once, as `JudgedOutputs`; every question is then
a function of these. A value that cannot be computed is `Undefined` with its reason; in arrays it is NaN, and the
result's `at` says why.

Examples
--------
>>> import numpy as np
>>> from measures.meta_evaluation import dominance, input_level, verdicts, williams_tests
>>> rng = np.random.default_rng(2016)
>>> quality = rng.normal(size=(4, 100)) + np.arange(4)[:, None]
>>> scores = np.stack([quality + noise * rng.normal(size=(4, 100)) for noise in (0.5, 3)])
>>> inputs = tuple(f"{number:03}" for number in range(100))
>>> outputs = JudgedOutputs(("ROUGE-2", "BLEU"), ("A", "B", "C", "D"), inputs, scores, quality)

How well does each metric tell which output of an input is better, and does one dominate the other?

>>> level = input_level(outputs)
>>> [round(level.over_pairs(metric), 1) for metric in (0, 1)]
[0.9, 0.4]
>>> found = dominance(williams_tests(level))
>>> found.top, found.share_won(0, 1)
((0,), 1.0)

Does it find the differences between systems that people find?

>>> [each.shares["diff"].value for each in agreements(verdicts(outputs))][0]
1.0
"""

from measures.core.undefined import Undefined
from measures.meta_evaluation.alternative_annotator import alternative_annotator_test, epsilon_curve
from measures.meta_evaluation.annotator_power import (
    PlannedTest,
    PoolConfusion,
    annotator_test_power,
    items_needed,
    pool_confusion,
)
from measures.meta_evaluation.auc import auc_counts, auc_differences
from measures.meta_evaluation.bootstrap import (
    BootstrapIntervals,
    Resampled,
    bootstrap_corpus_level,
    bootstrap_input_level,
    fisher_interval,
)
from measures.meta_evaluation.ceiling import Ceiling, ceilings
from measures.meta_evaluation.clusters import cluster_ranks
from measures.meta_evaluation.combinations import best_single, first_component, mean_rank, mean_z_score
from measures.meta_evaluation.corroborated_pairs import corroboration_curve, curve_of_corroboration
from measures.meta_evaluation.difference_correlations import InputLevel, OverPairs, input_level
from measures.meta_evaluation.dominating_metrics import Dominance, GroupBest, dominance, group_bests
from measures.meta_evaluation.jackknife import correlations_by_kind, jackknifed, person_scores
from measures.meta_evaluation.judged_outputs import (
    JudgedOutputs,
    QualityRecord,
    ScoreRecord,
    SystemDifferences,
    arrange_outputs,
)
from measures.meta_evaluation.judged_variants import (
    DiscriminativePower,
    Judges,
    VariantAgainstJudges,
    VariantFigures,
    variant_figures,
)
from measures.meta_evaluation.pair_shares import Share, beats_baseline, mcnemar, over_sets, share_of
from measures.meta_evaluation.pair_verdicts import Verdicts, pair_kinds, restricted, verdicts
from measures.meta_evaluation.partial import BesideLength, PartialLevel, beside_length, partial_input_level
from measures.meta_evaluation.permutation import compare_input_level, compare_input_values, compare_system_level
from measures.meta_evaluation.power import smallest_difference, williams_power
from measures.meta_evaluation.rater_contests import contests
from measures.meta_evaluation.resampled_directions import bootstrap_direction
from measures.meta_evaluation.scored_variants import VARIANT_METRICS, VariantScores, variant_analysis, variant_scores
from measures.meta_evaluation.sentinels import rater_sentinel, text_sentinels
from measures.meta_evaluation.significance_agreement import Agreement, agreement, agreements
from measures.meta_evaluation.smallest_trusted_difference import (
    DifferenceHistogram,
    TrustedDifference,
    difference_histogram,
    trusted_difference,
    trusted_differences,
)
from measures.meta_evaluation.soft_system_order import soft_pairwise_accuracy
from measures.meta_evaluation.summary_correlations import (
    grouped_correlation,
    kendall_rows,
    pearson_rows,
    ranged_correlation,
    spearman_rows,
    system_level_correlations,
)
from measures.meta_evaluation.system_correlations import (
    Correlation,
    Of,
    SystemCorrelation,
    SystemTests,
    corpus_level,
    system_correlation,
    system_means,
    system_tests,
)
from measures.meta_evaluation.system_differences import Missing, PairDifferences, pair_differences
from measures.meta_evaluation.system_order import pairwise_accuracy
from measures.meta_evaluation.tie_calibration import calibrated_accuracy, input_shares
from measures.meta_evaluation.translated_texts import Translation, Variant, translated_variants
from measures.meta_evaluation.unlike_measures import corroboration, heterogeneity, heterogeneity_ranking, sample_pairs
from measures.meta_evaluation.williams import WilliamsTest, WilliamsTests, williams_t, williams_test, williams_tests
from measures.meta_evaluation.worst_topics import robustness

__all__ = [
    "VARIANT_METRICS",
    "Agreement",
    "BesideLength",
    "BootstrapIntervals",
    "Ceiling",
    "Correlation",
    "DifferenceHistogram",
    "DiscriminativePower",
    "Dominance",
    "GroupBest",
    "InputLevel",
    "JudgedOutputs",
    "Judges",
    "Missing",
    "Of",
    "OverPairs",
    "PairDifferences",
    "PartialLevel",
    "PlannedTest",
    "PoolConfusion",
    "QualityRecord",
    "Resampled",
    "ScoreRecord",
    "Share",
    "SystemCorrelation",
    "SystemDifferences",
    "SystemTests",
    "Translation",
    "TrustedDifference",
    "Undefined",
    "Variant",
    "VariantAgainstJudges",
    "VariantFigures",
    "VariantScores",
    "Verdicts",
    "WilliamsTest",
    "WilliamsTests",
    "agreement",
    "agreements",
    "alternative_annotator_test",
    "annotator_test_power",
    "arrange_outputs",
    "auc_counts",
    "auc_differences",
    "beats_baseline",
    "beside_length",
    "best_single",
    "bootstrap_corpus_level",
    "bootstrap_direction",
    "bootstrap_input_level",
    "calibrated_accuracy",
    "ceilings",
    "cluster_ranks",
    "compare_input_level",
    "compare_input_values",
    "compare_system_level",
    "contests",
    "corpus_level",
    "correlations_by_kind",
    "corroboration",
    "corroboration_curve",
    "curve_of_corroboration",
    "difference_histogram",
    "dominance",
    "epsilon_curve",
    "first_component",
    "fisher_interval",
    "group_bests",
    "grouped_correlation",
    "heterogeneity",
    "heterogeneity_ranking",
    "input_level",
    "input_shares",
    "items_needed",
    "jackknifed",
    "kendall_rows",
    "mcnemar",
    "mean_rank",
    "mean_z_score",
    "over_sets",
    "pair_differences",
    "pair_kinds",
    "pairwise_accuracy",
    "partial_input_level",
    "pearson_rows",
    "person_scores",
    "pool_confusion",
    "ranged_correlation",
    "rater_sentinel",
    "restricted",
    "robustness",
    "sample_pairs",
    "share_of",
    "smallest_difference",
    "soft_pairwise_accuracy",
    "spearman_rows",
    "system_correlation",
    "system_level_correlations",
    "system_means",
    "system_tests",
    "text_sentinels",
    "translated_variants",
    "trusted_difference",
    "trusted_differences",
    "variant_analysis",
    "variant_figures",
    "variant_scores",
    "verdicts",
    "williams_power",
    "williams_t",
    "williams_test",
    "williams_tests",
]

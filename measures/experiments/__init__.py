"""What do scores and ratings depend on, when people, sources and editors differ?

A linear mixed model with one or two crossed factors, its tests for few sources, and a model of ratings as ordered
categories; designs in which each person meets every condition once, and what is computed from them: analysis of
variance, pairs of conditions, ranks, marks of answers, sets of utterances, and metrics against scores.
"""

from measures.experiments.condition_pairs import (
    ConditionPair,
    ConditionPairs,
    Equivalence,
    PairedT,
    condition_pairs,
    equivalence_tests,
    smallest_paired_difference,
)
from measures.experiments.crossed_model import Coefficient, CrossedModel, VarianceComponents, crossed_model
from measures.experiments.friedman import ConoverTest, Friedman, RankedPair, friedman
from measures.experiments.latin_rows import Cell, Row, latin_rows, next_row
from measures.experiments.ordered_model import LogOdds, OrderedModel, ordered_model
from measures.experiments.quiz_correlations import (
    MetricAgainstQuiz,
    MetricScores,
    RankTest,
    TextCorrelation,
    metrics_against_quiz,
)
from measures.experiments.quiz_marks import (
    MarkerAgreement,
    combined_mark,
    marker_agreement,
    markers_wanted,
    matches_key,
    quiz_score,
)
from measures.experiments.quiz_model import (
    ConditionEffect,
    QuizModel,
    QuizVariances,
    TypeByCondition,
    TypeEffect,
    quiz_model,
    type_by_condition,
)
from measures.experiments.repeated_measures import (
    ConditionMean,
    ConditionTest,
    EffectSize,
    Mauchly,
    Normality,
    RepeatedMeasures,
    condition_means,
    normality,
    repeated_measures,
)
from measures.experiments.small_samples import FTest, TTest
from measures.experiments.utterance_sets import (
    UtteranceAgreement,
    UtteranceSummary,
    against_models,
    utterance_agreement,
    utterance_f,
)

__all__ = [
    "Cell",
    "Coefficient",
    "ConditionEffect",
    "ConditionMean",
    "ConditionPair",
    "ConditionPairs",
    "ConditionTest",
    "ConoverTest",
    "CrossedModel",
    "EffectSize",
    "Equivalence",
    "FTest",
    "Friedman",
    "LogOdds",
    "MarkerAgreement",
    "Mauchly",
    "MetricAgainstQuiz",
    "MetricScores",
    "Normality",
    "OrderedModel",
    "PairedT",
    "QuizModel",
    "QuizVariances",
    "RankTest",
    "RankedPair",
    "RepeatedMeasures",
    "Row",
    "TTest",
    "TextCorrelation",
    "TypeByCondition",
    "TypeEffect",
    "UtteranceAgreement",
    "UtteranceSummary",
    "VarianceComponents",
    "against_models",
    "combined_mark",
    "condition_means",
    "condition_pairs",
    "crossed_model",
    "equivalence_tests",
    "friedman",
    "latin_rows",
    "marker_agreement",
    "markers_wanted",
    "matches_key",
    "metrics_against_quiz",
    "next_row",
    "normality",
    "ordered_model",
    "quiz_model",
    "quiz_score",
    "repeated_measures",
    "smallest_paired_difference",
    "type_by_condition",
    "utterance_agreement",
    "utterance_f",
]

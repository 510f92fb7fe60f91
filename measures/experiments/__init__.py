"""What do scores and ratings depend on, and which of two systems, scales, conditions or arms is better?

A linear mixed model with one or two crossed factors, its tests for few sources, and a model of ratings as ordered
categories; systems compared by people who judge or rank their outputs; a scale against another; arms, drawn and
compared; and designs in which each person meets every condition once, and what is computed from them.
"""

from measures.experiments.absolute_scores import (
    AbsoluteMeans,
    AbsoluteModel,
    SystemContrast,
    absolute_means,
    absolute_model,
)
from measures.experiments.arm_checks import (
    ArmDifference,
    ArmLoss,
    CountCheck,
    count_check,
    loss_by_arm,
    standardised_differences,
)
from measures.experiments.arm_effects import (
    ArmEffects,
    LikelihoodRatio,
    arm_effects,
)
from measures.experiments.arms import arms_of_people, arms_of_tasks, next_arm_of_person, next_arm_of_task
from measures.experiments.comparison import (
    Comparison,
    RankedSystem,
    RatingModels,
    compare_systems,
    rank_systems,
    rating_models,
)
from measures.experiments.condition_means import ConditionMean, condition_means
from measures.experiments.condition_pairs import (
    ConditionPair,
    ConditionPairs,
    Equivalence,
    PairedT,
    condition_pairs,
    equivalence_tests,
    smallest_paired_difference,
)
from measures.experiments.crossed_model import (
    Coefficient,
    CrossedModel,
    VarianceComponents,
    crossed_model,
)
from measures.experiments.davidson import (
    PSEUDO_WINS,
    Davidson,
    davidson,
)
from measures.experiments.friedman import (
    ConoverTest,
    Friedman,
    RankedPair,
    friedman,
)
from measures.experiments.hypothesis_sets import (
    Hypothesis,
    HypothesisSets,
    hypothesis_sets,
)
from measures.experiments.judge_agreement import (
    JudgeAgreement,
    MeanKappa,
    judge_agreement,
)
from measures.experiments.judgements import (
    Judgements,
    SourceMeans,
    judgements,
    source_means,
)
from measures.experiments.latent_judging import (
    LatentIcc,
    SameJudging,
    latent_icc,
    same_judging,
)
from measures.experiments.latin_rows import (
    Cell,
    Row,
    latin_rows,
    next_row,
    row_of_texts,
)
from measures.experiments.metric_beside_people import (
    MetricBesidePeople,
    metric_beside_people,
)
from measures.experiments.normality import Normality, normality
from measures.experiments.ordered_model import (
    LogOdds,
    OrderedModel,
    ordered_model,
)
from measures.experiments.pair_strengths import (
    CircularTriads,
    PairResults,
    PairStrengths,
    circular_triads,
    pair_results,
    pair_strengths,
)
from measures.experiments.paired import (
    PairedTests,
    StandardisedDifference,
    paired_t,
    paired_tests,
    standardised_difference,
)
from measures.experiments.protocol_order import (
    OrderAgreement,
    order_agreement,
    winners,
)
from measures.experiments.quiz_correlations import (
    MetricAgainstQuiz,
    MetricScores,
    RankTest,
    TextCorrelation,
    metrics_against_quiz,
)
from measures.experiments.quiz_marks import (
    MARKS,
    MarkerAgreement,
    answer_form,
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
from measures.experiments.rank_agreement import (
    RankAgreement,
    kendall_w,
    rank_agreement,
)
from measures.experiments.rankings import (
    MeanRank,
    dense_ranks,
    item_midranks,
    mean_ranks,
    midranks,
    place_slope,
)
from measures.experiments.repeated_measures import (
    ConditionTest,
    EffectSize,
    Mauchly,
    RepeatedMeasures,
    repeated_measures,
)
from measures.experiments.scale_against_scale import (
    ArmFigure,
    ScaleDifference,
    scale_difference,
)
from measures.experiments.scale_apart import (
    SystemPair,
    mcnemar,
    system_pairs,
)
from measures.experiments.scale_arms import (
    ScaleArm,
    scale_arm,
)
from measures.experiments.scale_figures import (
    Information,
    PointCoefficients,
    SameThing,
    point_coefficients,
    same_thing,
    shared_information,
    split_half,
    tied_pairs,
)
from measures.experiments.scale_power import (
    detectable_scale_difference,
    icc_standard_error,
)
from measures.experiments.small_samples import (
    FTest,
    TTest,
)
from measures.experiments.utterance_sets import (
    UtteranceAgreement,
    UtteranceSummary,
    against_models,
    utterance_agreement,
    utterance_f,
)

__all__ = [
    "MARKS",
    "PSEUDO_WINS",
    "AbsoluteMeans",
    "AbsoluteModel",
    "ArmDifference",
    "ArmEffects",
    "ArmFigure",
    "ArmLoss",
    "Cell",
    "CircularTriads",
    "Coefficient",
    "Comparison",
    "ConditionEffect",
    "ConditionMean",
    "ConditionPair",
    "ConditionPairs",
    "ConditionTest",
    "ConoverTest",
    "CountCheck",
    "CrossedModel",
    "Davidson",
    "EffectSize",
    "Equivalence",
    "FTest",
    "Friedman",
    "Hypothesis",
    "HypothesisSets",
    "Information",
    "JudgeAgreement",
    "Judgements",
    "LatentIcc",
    "LikelihoodRatio",
    "LogOdds",
    "MarkerAgreement",
    "Mauchly",
    "MeanKappa",
    "MeanRank",
    "MetricAgainstQuiz",
    "MetricBesidePeople",
    "MetricScores",
    "Normality",
    "OrderAgreement",
    "OrderedModel",
    "PairResults",
    "PairStrengths",
    "PairedT",
    "PairedTests",
    "PointCoefficients",
    "QuizModel",
    "QuizVariances",
    "RankAgreement",
    "RankTest",
    "RankedPair",
    "RankedSystem",
    "RatingModels",
    "RepeatedMeasures",
    "Row",
    "SameJudging",
    "SameThing",
    "ScaleArm",
    "ScaleDifference",
    "SourceMeans",
    "StandardisedDifference",
    "SystemContrast",
    "SystemPair",
    "TTest",
    "TextCorrelation",
    "TypeByCondition",
    "TypeEffect",
    "UtteranceAgreement",
    "UtteranceSummary",
    "VarianceComponents",
    "absolute_means",
    "absolute_model",
    "against_models",
    "answer_form",
    "arm_effects",
    "arms_of_people",
    "arms_of_tasks",
    "circular_triads",
    "combined_mark",
    "compare_systems",
    "condition_means",
    "condition_pairs",
    "count_check",
    "crossed_model",
    "davidson",
    "dense_ranks",
    "detectable_scale_difference",
    "equivalence_tests",
    "friedman",
    "hypothesis_sets",
    "icc_standard_error",
    "item_midranks",
    "judge_agreement",
    "judgements",
    "kendall_w",
    "latent_icc",
    "latin_rows",
    "loss_by_arm",
    "marker_agreement",
    "markers_wanted",
    "matches_key",
    "mcnemar",
    "mean_ranks",
    "metric_beside_people",
    "metrics_against_quiz",
    "midranks",
    "next_arm_of_person",
    "next_arm_of_task",
    "next_row",
    "normality",
    "order_agreement",
    "ordered_model",
    "pair_results",
    "pair_strengths",
    "paired_t",
    "paired_tests",
    "place_slope",
    "point_coefficients",
    "quiz_model",
    "quiz_score",
    "rank_agreement",
    "rank_systems",
    "rating_models",
    "repeated_measures",
    "row_of_texts",
    "same_judging",
    "same_thing",
    "scale_arm",
    "scale_difference",
    "shared_information",
    "smallest_paired_difference",
    "source_means",
    "split_half",
    "standardised_difference",
    "standardised_differences",
    "system_pairs",
    "tied_pairs",
    "type_by_condition",
    "utterance_agreement",
    "utterance_f",
    "winners",
]

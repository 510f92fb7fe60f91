"""Whose work is good enough to publish, and whose work should staff look at?

Quality of texts, editors and raters; the worker filter, which excludes the lowest share of each role; attention flags
for raters.
"""

from measures.quality_control.answer_sequence import RaterWork
from measures.quality_control.attention_flags import (
    AttentionFlag,
    AttentionFlagName,
    AttentionThresholds,
    attention_flags,
)
from measures.quality_control.dawid_skene import PointScores, dawid_skene_accuracy
from measures.quality_control.drift import Drift, drift
from measures.quality_control.gold_accuracy import GoldAnswers, gold_accuracy
from measures.quality_control.lowest_share import Cutoff, lowest_share
from measures.quality_control.measured_quality import Convergence, MeasuredQuality, gap_to_cut, in_standard_errors
from measures.quality_control.parameters import FilterParameters, ManualDecisions, Order, RaterQuality, Roles
from measures.quality_control.permutation_test import ChanceComparison, permutation_z
from measures.quality_control.role_decisions import RoleOutcome
from measures.quality_control.share_preview import SharePreview, preview
from measures.quality_control.tables import Authorship, Ratings
from measures.quality_control.worker_filter import Outcome, apply_filter
from measures.quality_control.worker_quality import editor_quality, others_means, rater_deviation, text_quality

__all__ = [
    "AttentionFlag",
    "AttentionFlagName",
    "AttentionThresholds",
    "Authorship",
    "ChanceComparison",
    "Convergence",
    "Cutoff",
    "Drift",
    "FilterParameters",
    "GoldAnswers",
    "ManualDecisions",
    "MeasuredQuality",
    "Order",
    "Outcome",
    "PointScores",
    "RaterQuality",
    "RaterWork",
    "Ratings",
    "RoleOutcome",
    "Roles",
    "SharePreview",
    "apply_filter",
    "attention_flags",
    "dawid_skene_accuracy",
    "drift",
    "editor_quality",
    "gap_to_cut",
    "gold_accuracy",
    "in_standard_errors",
    "lowest_share",
    "others_means",
    "permutation_z",
    "preview",
    "rater_deviation",
    "text_quality",
]

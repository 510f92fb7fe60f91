"""Models of the rater round."""

from .examples import GoldItem, QualificationAttempt, QualificationItem, QualificationSitting
from .files import MAX_MODEL_NAME_LENGTH, ImportPool, ModelRater, ModelRating, RatingImport
from .quality import Inclusion, QualityDecision, QualityRule, QualityRun
from .ratings import ExpertItem, ExpertSample, ImportedScore, RaterPool, Rating, RatingVersion, Score
from .results import KeptResult, KeptWork, RaterFlags, RatingCounts, SourceMeans, UpToMark

__all__ = [
    "MAX_MODEL_NAME_LENGTH",
    "ExpertItem",
    "ExpertSample",
    "GoldItem",
    "ImportPool",
    "ImportedScore",
    "Inclusion",
    "KeptResult",
    "KeptWork",
    "ModelRater",
    "ModelRating",
    "QualificationAttempt",
    "QualificationItem",
    "QualificationSitting",
    "QualityDecision",
    "QualityRule",
    "QualityRun",
    "RaterFlags",
    "RaterPool",
    "Rating",
    "RatingCounts",
    "RatingImport",
    "RatingVersion",
    "Score",
    "SourceMeans",
    "UpToMark",
]

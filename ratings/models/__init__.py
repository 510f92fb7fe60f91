"""Models of the rater round."""

from .examples import GoldItem, QualificationAttempt, QualificationItem, QualificationSitting
from .experts import ExpertItem, ExpertSample
from .imports import ImportPool, RatingImport
from .kept import KeptResult
from .model_ratings import MAX_MODEL_NAME_LENGTH, ModelRater, ModelRating
from .quality import Inclusion, QualityDecision, QualityRule, QualityRun
from .ratings import RaterPool, Rating, RatingVersion, Score
from .tally import FlagTally, RatingTally, Tally

__all__ = [
    "MAX_MODEL_NAME_LENGTH",
    "ExpertItem",
    "ExpertSample",
    "FlagTally",
    "GoldItem",
    "ImportPool",
    "Inclusion",
    "KeptResult",
    "ModelRater",
    "ModelRating",
    "QualificationAttempt",
    "QualificationItem",
    "QualificationSitting",
    "QualityDecision",
    "QualityRule",
    "QualityRun",
    "RaterPool",
    "Rating",
    "RatingImport",
    "RatingTally",
    "RatingVersion",
    "Score",
    "Tally",
]

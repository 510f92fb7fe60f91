"""Models of the rater round."""

from .examples import GoldItem, QualificationAttempt, QualificationItem, QualificationSitting
from .experts import ExpertItem, ExpertSample
from .kept import KeptResult
from .quality import Inclusion, QualityDecision, QualityRule, QualityRun
from .ratings import RaterPool, Rating, RatingVersion, Score
from .tally import FlagTally, RatingTally, Tally

__all__ = [
    "ExpertItem",
    "ExpertSample",
    "FlagTally",
    "GoldItem",
    "Inclusion",
    "KeptResult",
    "QualificationAttempt",
    "QualificationItem",
    "QualificationSitting",
    "QualityDecision",
    "QualityRule",
    "QualityRun",
    "RaterPool",
    "Rating",
    "RatingTally",
    "RatingVersion",
    "Score",
    "Tally",
]

"""Models of the rater round."""

from .examples import GoldItem, QualificationAttempt, QualificationItem
from .experts import ExpertItem, ExpertSample
from .quality import Inclusion, QualityDecision, QualityRun
from .ratings import RaterPool, Rating, RatingVersion, Score

__all__ = [
    "ExpertItem",
    "ExpertSample",
    "GoldItem",
    "Inclusion",
    "QualificationAttempt",
    "QualificationItem",
    "QualityDecision",
    "QualityRun",
    "RaterPool",
    "Rating",
    "RatingVersion",
    "Score",
]

"""The tables of the agreement room."""

from .reports import AgreementResult
from .scores import ScorePart, ScoreRun

__all__ = ["AgreementResult", "ScorePart", "ScoreRun"]

"""What do ratings depend on, when texts share sources and editors?

A linear mixed model with two crossed factors, its tests for few sources, and a model of ratings as ordered categories.
"""

from measures.experiments.crossed_model import Coefficient, CrossedModel, VarianceComponents, crossed_model
from measures.experiments.ordered_model import LogOdds, OrderedModel, ordered_model
from measures.experiments.small_samples import FTest, TTest

__all__ = [
    "Coefficient",
    "CrossedModel",
    "FTest",
    "LogOdds",
    "OrderedModel",
    "TTest",
    "VarianceComponents",
    "crossed_model",
    "ordered_model",
]

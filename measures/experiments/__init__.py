"""What do ratings depend on, when texts share sources and editors?

A linear mixed model with two crossed factors.
"""

from measures.experiments.crossed_model import Coefficient, CrossedModel, VarianceComponents, crossed_model

__all__ = ["Coefficient", "CrossedModel", "VarianceComponents", "crossed_model"]

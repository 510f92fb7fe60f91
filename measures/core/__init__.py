"""How are scores, their distributions and their uncertainty represented?

Array types, rating scales, histograms, percentile intervals and undefined results: what the other subpackages share.
"""

from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.histogram import Histogram, histogram
from measures.core.intervals import Interval, resampled
from measures.core.rating_scale import Categories, category_indices, category_values, rescaled
from measures.core.undefined import Undefined

__all__ = [
    "BoolArray",
    "Categories",
    "FloatArray",
    "Histogram",
    "IntArray",
    "Interval",
    "Undefined",
    "category_indices",
    "category_values",
    "histogram",
    "resampled",
    "rescaled",
]

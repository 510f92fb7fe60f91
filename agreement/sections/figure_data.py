"""What the plots of a report are drawn from: the simulated kappas, and who says what where another says what."""

from typing import Any

from agreement.scale_ratings import ScaleRatings
from agreement.sections.paper_table import simulated
from measures.agreement.rating_patterns import count_patterns
from measures.agreement.simulated_pairs import expected_table
from measures.core.histogram import histogram
from measures.core.undefined import Undefined

BINS = 30


def figures_of(ratings: ScaleRatings) -> dict[str, Any]:
    """The distribution of the draws, and the mean table of a rater (rows) and the others (columns)."""
    drawn = simulated(ratings)
    if isinstance(drawn, Undefined) or not len(drawn.kappas):
        return {}
    counted = histogram(drawn.kappas, BINS)
    patterns = count_patterns(ratings.crowd, ratings.scale.values)
    table = expected_table(patterns, categories=ratings.scale.values, rounding=ratings.parameters.rounding)
    return {
        "kappas": {"edges": counted.edges.tolist(), "counts": counted.counts.tolist()},
        "confusion": {"points": list(ratings.scale.values), "shares": (table / table.sum()).tolist()},
    }

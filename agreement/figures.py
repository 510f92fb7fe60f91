"""What the plots of a report are drawn from: the simulated kappas, and who says what where another says what."""

from typing import Any

from agreement.question import Question
from agreement.table_four import simulated
from measures.pairs import expected_table
from measures.patterns import count_patterns
from measures.preview import histogram
from measures.undefined import Undefined

BINS = 30


def figures_of(question: Question) -> dict[str, Any]:
    """The distribution of the draws, and the mean table of a rater (rows) and the others (columns)."""
    drawn = simulated(question)
    if isinstance(drawn, Undefined):
        return {}
    counted = histogram(drawn.kappas, BINS)
    patterns = count_patterns(question.crowd, question.scale.values)
    table = expected_table(patterns, categories=question.scale.values, rounding=question.parameters.rounding)
    return {
        "kappas": {"edges": counted.edges.tolist(), "counts": counted.counts.tolist()},
        "confusion": {"points": list(question.scale.values), "shares": (table / table.sum()).tolist()},
    }

"""Eighty metrics of text compression by several references, and what they are made of.

Examples
--------
>>> from measures.metrics import Analysis, compare, score
>>> analysis = Analysis()
>>> output, *references = analysis.texts(["Think about your house.", "Imagine your house.", "Your house."])
>>> score(compare([output], [references]), ["SKIP-2+Recall+MULT-PROB"]).round(2)
array([[0.67]])
"""

from measures.metrics.analysis import Analysis, analysed_once
from measures.metrics.comparisons import Comparisons, Text, compare, leave_one_out
from measures.metrics.registry import BEYOND, METRICS, Metric, metrics_named
from measures.metrics.scoring import Options, score, score_chunks
from measures.metrics.signatures import signature
from measures.metrics.tokens import Tokenizer

__all__ = [
    "BEYOND",
    "METRICS",
    "Analysis",
    "Comparisons",
    "Metric",
    "Options",
    "Text",
    "Tokenizer",
    "analysed_once",
    "compare",
    "leave_one_out",
    "metrics_named",
    "score",
    "score_chunks",
    "signature",
]

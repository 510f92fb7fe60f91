"""Eighty metrics of text compression by several references, and what they are made of.

Examples
--------
>>> from measures.metrics import Analysis, compare, score
>>> analysis = Analysis()
>>> output, *references = analysis.texts(["Think about your house.", "Imagine your house.", "Your house."])
>>> score(compare([output], [references]), ["SKIP-2+Recall+MULT-PROB"]).round(2)
array([[0.67]])
"""

from measures.metrics.base import Metric
from measures.metrics.compute import score, score_chunks
from measures.metrics.counting.comparing import compare, jackknife, leave_one_out
from measures.metrics.counting.reference_sets import Comparisons, Text
from measures.metrics.families.bleu import corpus_bleu
from measures.metrics.options import Options
from measures.metrics.registry import (
    EXTRA_METRICS,
    KNOWN_METRICS,
    METRICS,
    SOURCE_METRICS,
    VECTOR_METRICS,
    metrics_named,
)
from measures.metrics.signatures import signature
from measures.metrics.vectors.encoders import load_encoder
from measures.metrics.vectors.files import read_word_vectors
from measures.metrics.vectors.models import Models
from measures.metrics.vectors.words import Coverage, WordVectors
from measures.metrics.words.preprocessing import Analysis, analyse_distinct
from measures.metrics.words.tokens import Tokenizer

__all__ = [
    "EXTRA_METRICS",
    "KNOWN_METRICS",
    "METRICS",
    "SOURCE_METRICS",
    "VECTOR_METRICS",
    "Analysis",
    "Comparisons",
    "Coverage",
    "Metric",
    "Models",
    "Options",
    "Text",
    "Tokenizer",
    "WordVectors",
    "analyse_distinct",
    "compare",
    "corpus_bleu",
    "jackknife",
    "leave_one_out",
    "load_encoder",
    "metrics_named",
    "read_word_vectors",
    "score",
    "score_chunks",
    "signature",
]

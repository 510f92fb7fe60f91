"""Which word of the source does each word of a compression correspond to, and what was done to the text?

`align_words` needs no training and gives the same answer on any machine. Another function may replace it
wherever an `Aligner` is accepted.
`alignment_scores` compares alignments with gold ones; `forced` fills in places for formats without inserted words.
`text_operations` tells from an alignment which words were kept, replaced, inserted, deleted and moved.
"""

from measures.alignment.aligner import Aligner, Places, align_words
from measures.alignment.classes import (
    COMPRESSION_CLASSES,
    SENTENCE_CLASSES,
    TextOperations,
    WordCounts,
    paraphrase_kinds,
    text_operations,
)
from measures.alignment.deletions import (
    DeletedText,
    Grammar,
    bracketed_constituents,
    deletion_figures,
    deletions_by_grammar,
    kept_words,
)
from measures.alignment.forced import forced
from measures.alignment.moved_words import moved_places
from measures.alignment.operation_tables import (
    SentenceTexts,
    joint_against_apart,
    paired_operation,
    paired_within_editors,
)
from measures.alignment.options import AlignmentOptions
from measures.alignment.paired_comparison import PairedComparison, holm_family
from measures.alignment.resources import NO_RESOURCES, AlignmentResources, WordPairs, word_pairs
from measures.alignment.scores import AlignmentScores, alignment_scores, macro_scores, places_as_pairs
from measures.alignment.shares import CountedTexts, class_shares, operation_shares, share_differences
from measures.alignment.vectors import WordVectors, pipeline_vectors, read_vectors
from measures.alignment.word_kinds import plain_word_kind, word_kinds

__all__ = [
    "COMPRESSION_CLASSES",
    "NO_RESOURCES",
    "SENTENCE_CLASSES",
    "Aligner",
    "AlignmentOptions",
    "AlignmentResources",
    "AlignmentScores",
    "CountedTexts",
    "DeletedText",
    "Grammar",
    "PairedComparison",
    "Places",
    "SentenceTexts",
    "TextOperations",
    "WordCounts",
    "WordPairs",
    "WordVectors",
    "align_words",
    "alignment_scores",
    "bracketed_constituents",
    "class_shares",
    "deletion_figures",
    "deletions_by_grammar",
    "forced",
    "holm_family",
    "joint_against_apart",
    "kept_words",
    "macro_scores",
    "moved_places",
    "operation_shares",
    "paired_operation",
    "paired_within_editors",
    "paraphrase_kinds",
    "pipeline_vectors",
    "places_as_pairs",
    "plain_word_kind",
    "read_vectors",
    "share_differences",
    "text_operations",
    "word_kinds",
    "word_pairs",
]

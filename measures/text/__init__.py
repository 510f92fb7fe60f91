"""How long is a text, and may it be published as a compression of its source?

Canonical form and length in characters, words and sentences; bounds for texts from outside; the length rule and the
other checks of a compression, and those of a sentence that fuses two.
"""

from measures.text.fusion_rule import FusionQuestion, FusionReason, FusionVerdict, check_fusion
from measures.text.length_rule import KEEP_PERCENT, Reason, Verdict, allowed_length, check_compression
from measures.text.normalization import (
    MAX_MARKS_IN_A_ROW,
    MAX_TYPED_LENGTH,
    canonical,
    display_text,
    forbidden_character,
    length,
    stacked_marks,
)
from measures.text.odd_texts import Disguise, DisguiseName, OddText, OddTextName, disguises, odd_texts
from measures.text.second_thoughts import SecondThought, second_thought
from measures.text.segmentation import sentence_count, sentences, word_count

__all__ = [
    "KEEP_PERCENT",
    "MAX_MARKS_IN_A_ROW",
    "MAX_TYPED_LENGTH",
    "Disguise",
    "DisguiseName",
    "FusionQuestion",
    "FusionReason",
    "FusionVerdict",
    "OddText",
    "OddTextName",
    "Reason",
    "SecondThought",
    "Verdict",
    "allowed_length",
    "canonical",
    "check_compression",
    "check_fusion",
    "disguises",
    "display_text",
    "forbidden_character",
    "length",
    "odd_texts",
    "second_thought",
    "sentence_count",
    "sentences",
    "stacked_marks",
    "word_count",
]

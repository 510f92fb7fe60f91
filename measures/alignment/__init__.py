"""Which word of the source does each word of a compression correspond to?"""

from measures.alignment.word_alignment import align_words

__all__ = ["align_words"]

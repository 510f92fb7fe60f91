"""How a text and its source are cut into words and aligned: the same on pages, in corrections, reports and the API."""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Self

from compressions.models import AlignmentCorrection
from measures.alignment import (
    NO_RESOURCES,
    AlignmentOptions,
    AlignmentResources,
    Places,
    TextOperations,
    align_words,
    text_operations,
    word_kinds,
)
from measures.metrics.words.tokens import Tokenizer
from measures.text.segmentation import sentences

WHITE_SPACE = Tokenizer("whitespace", lower=False)


@dataclass(frozen=True)
class SplitText:
    """The words of a text, and for each the number of its sentence from 0."""

    words: tuple[str, ...]
    sentences: tuple[int, ...]

    @cached_property
    def sentence_count(self) -> int:
        return max(self.sentences, default=0) + 1


@dataclass(frozen=True)
class TextPair:
    """A source and a text made from it, cut into words."""

    source: SplitText
    text: SplitText

    @cached_property
    def fingerprint(self) -> str:
        """Return what tells these words from all others."""
        words = json.dumps([self.source.words, self.text.words])
        return hashlib.sha256(words.encode()).hexdigest()[:16]

    def fits(self, correction: AlignmentCorrection) -> bool:
        """Whether a correction was made on these words."""
        words = (tuple(correction.source_words), tuple(correction.words))
        return words == (self.source.words, self.text.words)


@dataclass(frozen=True)
class TextAligner:
    """How texts of a language are cut into words, words aligned, and operations told from places."""

    tokenizer: Tokenizer
    options: AlignmentOptions
    resources: AlignmentResources

    @classmethod
    def of(cls, language: str, resources: AlignmentResources = NO_RESOURCES) -> Self:
        """Return the aligner for texts of a language."""
        return cls(word_rules(language), AlignmentOptions(language=language), resources)

    @property
    def signature(self) -> str:
        return f"{self.tokenizer.signature}|{self.options.signature}|{self.resources.signature}"

    def split(self, text: str) -> SplitText:
        """Cut a text into words, and number their sentences."""
        words, *parts = self.tokenizer.words([text, *sentences(text)])
        numbers = tuple(number for number, part in enumerate(parts) for _word in part)
        is_whole = tuple(chain.from_iterable(parts)) == words
        return SplitText(words, numbers if is_whole else (0,) * len(words))

    def places(self, words: TextPair) -> Places:
        """Return what the aligner makes of two texts, within the bounds of `AlignmentOptions.max_cells`."""
        return align_words(words.source.words, words.text.words, self.options, resources=self.resources)

    def operations(self, words: TextPair, places: Places) -> TextOperations:
        """Return what was done to the source: classes of words, deleted and moved ones, and the kind of compression."""
        source, text = words.source, words.text
        return text_operations(
            source.words,
            text.words,
            places,
            source_sentences=source.sentences if source.sentence_count > 1 else None,
            target_sentences=text.sentence_count,
            word_kind=word_kinds(self.options.language),
        )


def word_rules(language: str) -> Tokenizer:
    """Return the rules for the words of a language; words between spaces where there are none."""
    rules = Tokenizer(language=language.partition("-")[0].lower(), lower=False)
    try:
        list(rules.words(["."]))
    except (ValueError, ModuleNotFoundError):
        return WHITE_SPACE
    return rules

"""What was done to the words of a source, found by comparing the two texts word by word.

Freezing compares every text, so this has to be quick and need no language: it is no aligner. What stands elsewhere, or
was said otherwise, counts as deleted and inserted; only alignments that staff corrected tell more.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from corpus.browse.marked_words import INSERTED, PARAPHRASED, MarkedTexts, marked_texts
from corpus.release.records import ReleasedAlignment
from measures.alignment import moved_places
from measures.text.segmentation import UNSPACED

MOST_CELLS = 50_000
"""Texts with more words of the source times words of the text are shown without marks: comparing them takes long."""
_MARKS = re.escape('.,;:!?…"“”„‘«»()[]{}<>|/—–。、，！？；：「」『』（）')
_WORD = re.compile(rf"[{UNSPACED}]|[^\s{_MARKS}{UNSPACED}]+|\S")


@dataclass(frozen=True)
class _Text:
    text: str
    words: Sequence[str]
    places: Sequence[int | None] = ()
    classes: Sequence[str] = ()
    moved: Sequence[int] = ()


def words_of(text: str) -> list[str]:
    """Cut a text into words and marks; what is written without spaces is cut letter by letter."""
    return _WORD.findall(text)


def compared(source: str, words: Sequence[str], text: str, corrected: ReleasedAlignment | None) -> MarkedTexts | None:
    """Mark a text and its source, which has these words; None if they are too long for it."""
    own: Sequence[str] = words_of(text)
    if corrected is not None:
        words, own, places = corrected.source_words, corrected.words, list(corrected.places)
    elif len(words) * len(own) > MOST_CELLS:
        return None
    else:
        places = _same_places(words, own)
    classes = [_class_of(words, word, place) for word, place in zip(own, places, strict=True)]
    return marked_texts(_Text(source, words), _Text(text, own, places, classes, moved_places(places)))


def _same_places(source: Sequence[str], text: Sequence[str]) -> list[int | None]:
    places: list[int | None] = [None] * len(text)
    matcher = SequenceMatcher(None, [*map(str.casefold, source)], [*map(str.casefold, text)], autojunk=False)
    for at_source, at_text, size in matcher.get_matching_blocks():
        places[at_text : at_text + size] = range(at_source, at_source + size)
    return places


def _class_of(source: Sequence[str], word: str, place: int | None) -> str:
    if place is None:
        return INSERTED
    return "" if source[place].casefold() == word.casefold() else PARAPHRASED

"""A source and a compression of it with their operations marked: in the texts as written, and as lists."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString

DELETED, INSERTED, PARAPHRASED, MOVED = "deleted", "inserted", "paraphrased", "moved"
TAGS = {DELETED: "<del{}>{}</del>", INSERTED: "<ins{}>{}</ins>", PARAPHRASED: "<em{}>{}</em>", "": "<span{}>{}</span>"}
PLAIN = ("", False)


class Words(Protocol):
    """A text and its words."""

    @property
    def text(self) -> str: ...

    @property
    def words(self) -> Sequence[str]: ...


class AlignedWords(Words, Protocol):
    """A text whose words have places in a source, or None, and classes; `moved` are the numbers of moved words."""

    @property
    def places(self) -> Sequence[int | None]: ...

    @property
    def classes(self) -> Sequence[str]: ...

    @property
    def moved(self) -> Sequence[int]: ...


class Piece(NamedTuple):
    """A part of a text; `mark` is what was done to its words, "" for nothing."""

    text: str
    mark: str = ""
    is_moved: bool = False

    @property
    def html(self) -> SafeString:
        classes = " ".join([PARAPHRASED] * (self.mark == PARAPHRASED) + [MOVED] * self.is_moved)
        if not self.mark and not classes:
            return escape(self.text)
        return format_html(TAGS[self.mark], format_html(' class="{}"', classes) if classes else "", self.text)


@dataclass(frozen=True)
class MarkedTexts:
    """Both texts as HTML, and the words of each operation in words."""

    source: SafeString
    text: SafeString
    deleted: list[str]
    inserted: list[str]
    paraphrased: list[tuple[str, str]]
    moved: list[str]


def marked_texts(source: Words, text: AlignedWords) -> MarkedTexts:
    """Mark the deleted words of a source, and the inserted, paraphrased and moved words of a text."""
    kept = {place for place in text.places if place is not None}
    moved = frozenset(text.moved)
    of_source = ["" if place in kept else DELETED for place in range(len(source.words))]
    of_text = [name if name in {INSERTED, PARAPHRASED} else "" for name in text.classes]
    return MarkedTexts(
        _html(_pieces(source.text, source.words, of_source)),
        _html(_pieces(text.text, text.words, of_text, moved)),
        [word for word, mark in zip(source.words, of_source, strict=True) if mark],
        [word for word, mark in zip(text.words, of_text, strict=True) if mark == INSERTED],
        [
            (source.words[place], word)
            for word, mark, place in zip(text.words, of_text, text.places, strict=True)
            if mark == PARAPHRASED and place is not None
        ],
        [text.words[place] for place in text.moved],
    )


def _html(pieces: Sequence[Piece]) -> SafeString:
    return format_html_join("", "{}", ((piece.html,) for piece in pieces))


def _pieces(text: str, words: Sequence[str], marks: Sequence[str], moved: frozenset[int] = frozenset()) -> list[Piece]:
    """Cut a text where the marks of its words change; if a word is not in the text, cut all words and spaces.

    A space between two words with the same mark has it, too, so that a deleted phrase is one deletion.
    """
    pieces: list[Piece] = []
    begin = end = 0
    key = PLAIN
    for place, (word, mark) in enumerate(zip(words, marks, strict=True)):
        start, own = text.find(word, end), (mark, place in moved)
        if start < 0:
            return _pieces(" ".join(words), words, marks, moved)
        if own != key or (own != PLAIN and text[end:start].strip()):
            stop = start if key == PLAIN else end
            pieces.append(Piece(text[begin:stop], *key))
            begin = stop
            if own != PLAIN and begin < start:
                pieces.append(Piece(text[begin:start]))
                begin = start
        key, end = own, start + len(word)
    stop = len(text) if key == PLAIN else end
    return [each for each in (*pieces, Piece(text[begin:stop], *key), Piece(text[stop:])) if each.text]

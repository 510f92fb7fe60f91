"""A source and a compression of it with their operations marked: in the texts as written, and as lists."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString

DELETED, INSERTED, PARAPHRASED, MOVED = "deleted", "inserted", "paraphrased", "moved"
TAGS = {DELETED: "<del{}>{}</del>", INSERTED: "<ins{}>{}</ins>", PARAPHRASED: "<em{}>{}</em>", "": "<span{}>{}</span>"}


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


@dataclass(frozen=True)
class Piece:
    """A word, or what is between words; `mark` is what was done to it, "" for nothing."""

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
    """Cut a text at its words; if one of them is not in the text, return all words, separated by spaces."""
    pieces: list[Piece] = []
    end = 0
    for place, (word, mark) in enumerate(zip(words, marks, strict=True)):
        start = text.find(word, end)
        if start < 0:
            return _spaced(words, marks, moved)
        if start > end:
            pieces.append(Piece(text[end:start]))
        pieces.append(Piece(word, mark, place in moved))
        end = start + len(word)
    return _joined([*pieces, Piece(text[end:])])


def _spaced(words: Sequence[str], marks: Sequence[str], moved: frozenset[int]) -> list[Piece]:
    pieces: list[Piece] = []
    for place, (word, mark) in enumerate(zip(words, marks, strict=True)):
        pieces += [Piece(word, mark, place in moved), Piece(" ")]
    return _joined(pieces)


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    """Join neighbours with the same mark, over the spaces between them, so that a deleted phrase is one deletion."""
    joined: list[Piece] = []
    for number, piece in enumerate(pieces):
        following = pieces[number + 1] if number + 1 < len(pieces) else Piece("")
        is_gap = not piece.mark and not piece.is_moved and not piece.text.strip()
        last = joined[-1] if joined else Piece("")
        if joined and (_is_same(last, piece) or (is_gap and _is_same(last, following))):
            joined[-1] = Piece(last.text + piece.text, last.mark, last.is_moved)
        elif piece.text:
            joined.append(piece)
    return joined


def _is_same(one: Piece, other: Piece) -> bool:
    return (one.mark, one.is_moved) == (other.mark, other.is_moved)

"""Words that a network chose, as they are written: their case, and the white space between them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from systems.programs.neural.vocabulary import form
from systems.programs.tokens import CLOSING, Token

OPENING = frozenset("([{«“‘„¿¡$£€")
CLITICS = frozenset({"n't", "n’t", "'s", "’s", "'re", "’re", "'ve", "’ve", "'ll", "’ll", "'d", "’d", "'m", "’m", "'"})
_DIGIT = re.compile(r"\d")


def masked(word: str) -> str:
    """Return the form of a word in which all digits are one sign, as the network learns it.

    Examples
    --------
    >>> masked("The"), masked("1,984")
    ('the', '#,###')
    """
    return _DIGIT.sub("#", form(word))


def usual_case(texts: Iterable[Sequence[str]]) -> dict[str, str]:
    """Return how words are usually written that are not usually in lower case; first words do not count.

    Examples
    --------
    >>> usual_case([["The", "cat", "saw", "Rome", "in", "1984"]])
    {'rome': 'Rome'}
    """
    counts: dict[str, Counter[str]] = {}
    for words in texts:
        for word in words[1:]:
            if not _DIGIT.search(word):
                counts.setdefault(masked(word), Counter())[word] += 1
    most = {known: min(found, key=lambda word: (-found[word], word)) for known, found in counts.items()}
    return {known: written for known, written in sorted(most.items()) if known != written and known}


@dataclass(frozen=True)
class Piece:
    """A word as it is written, and whether it takes white space to its left and lets some stand to its right."""

    text: str
    is_spaced: bool = True
    is_open: bool = False


def piece_of(word: str) -> Piece:
    """Return a word that is not in the source.

    Examples
    --------
    >>> [piece_of(word).is_spaced for word in ("cat", ",", "'s", "(")]
    [True, False, False, True]
    """
    return Piece(word, not (word in CLOSING or word in CLITICS), word in OPENING)


def source_pieces(tokens: Sequence[Token], usual: Mapping[str, str]) -> dict[str, Piece]:
    """Return how the words of a source are written: as they stand in it, but a first word, which has a capital anyway.

    Examples
    --------
    >>> tokens = (Token("The", True), Token("US", True), Token("bank", True), Token("'s", False))
    >>> [piece.text for piece in source_pieces(tokens, {}).values()]
    ['US', 'bank', "'s", 'the']
    """
    found: dict[str, Piece] = {}
    for place, token in [*enumerate(tokens)][1:] + [(0, token) for token in tokens[:1]]:
        known = masked(token.text)
        text = token.text if place or _DIGIT.search(token.text) else usual.get(known, form(token.text))
        is_word = not token.is_sign and known not in CLITICS
        found.setdefault(known, Piece(text, is_word or piece_of(token.text).is_spaced, piece_of(token.text).is_open))
    return found


def added(text: str, piece: Piece, *, is_open: bool) -> str:
    """Return a text with a word added; `is_open` says whether the last one lets no white space stand to its right.

    Examples
    --------
    >>> added("the bank", piece_of("'s"), is_open=False), added("the (", piece_of("old"), is_open=True)
    ("the bank's", 'the (old')
    """
    return text + (" " if text and piece.is_spaced and not is_open else "") + piece.text


def capitalized(text: str, source: str) -> str:
    """Return a text with a capital if its source has one."""
    return text[:1].upper() + text[1:] if source[:1].isupper() else text

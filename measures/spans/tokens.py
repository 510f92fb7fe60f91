"""The tokens of a text, as agreement on spans counts them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from measures.spans.characters import Span, cluster_starts
from measures.text.segmentation import has_word_spaces


def tokens(text: str, language: str = "en") -> list[Span]:
    r"""Cut a text into words and single signs, as agreement on tokens counts them.

    A run of letters, digits and underscores with their marks is a word; every other visible character is a token of its
    own. In languages without spaces between words every visible character is one.

    Parameters
    ----------
    text : str
        The text.
    language : str, default "en"
        Tag of its language.

    Returns
    -------
    list of (int, int)
        Half-open spans in code points, in order, without overlap. Takes time n.

    Examples
    --------
    >>> tokens("Rain \U0001f44d fell.")
    [(0, 4), (5, 6), (7, 11), (11, 12)]
    >>> tokens("下雨了", "zh")
    [(0, 1), (1, 2), (2, 3)]
    """
    return list(_words(text) if has_word_spaces(language) else (each for each, _ in _visible(text)))


def _visible(text: str) -> Iterator[tuple[Span, bool]]:
    starts = [*cluster_starts(text), len(text)]
    for start, end in pairwise(starts):
        if not text[start:end].isspace():
            yield (start, end), text[start].isalnum() or text[start] == "_"


def _words(text: str) -> Iterator[Span]:
    word: Span | None = None
    for (start, end), in_word in _visible(text):
        if word and in_word and word[1] == start:
            word = (word[0], end)
            continue
        if word:
            yield word
        word = (start, end) if in_word else None
        if not in_word:
            yield start, end
    if word:
        yield word

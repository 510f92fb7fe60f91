"""The words of a text, and which of them have a content of their own."""

from collections.abc import Iterator
from functools import cache

from measures.alignment.norms import function_words, kind_of, norm_of
from measures.spans import tokens

Span = tuple[int, int]


def content_words(text: str, language: str) -> Iterator[Span]:
    known = _function_words(language)
    for start, end in tokens(text, language):
        word = text[start:end]
        if kind_of(word, norm_of(word), known) == "content":
            yield start, end


@cache
def _function_words(language: str) -> frozenset[str]:
    return function_words(language.partition("-")[0].lower())

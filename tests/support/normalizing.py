"""Normalisation under guard: it takes time quadratic in the marks of a letter, so none may get long runs of them."""

import itertools
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from measures.text.normalization import MAX_MARKS_IN_A_ROW

LONGEST_TEXT = 50_000
STACK = "a" + "\u0315\u0300" * 150_000
"""What held a process for minutes."""
SHORT_STACK = "a" + "\u0315\u0300" * MAX_MARKS_IN_A_ROW
"""Too many marks in a text of an ordinary length."""


@contextmanager
def normalization_guarded() -> Iterator[list[int]]:
    """Fail, instead of standing still, where a text is normalised that takes long; yield the lengths of the others."""
    lengths: list[int] = []
    normalize = unicodedata.normalize

    def guarded(form: str, text: str) -> str:
        runs = itertools.groupby(text, key=lambda character: unicodedata.combining(character) > 0)
        longest = max((sum(1 for _ in run) for is_mark, run in runs if is_mark), default=0)
        assert longest <= MAX_MARKS_IN_A_ROW, f"{longest} marks in a row are normalised"
        assert len(text) <= LONGEST_TEXT, f"{len(text)} characters are normalised"
        lengths.append(len(text))
        return normalize(form, text)  # type: ignore[arg-type]

    with mock.patch.object(unicodedata, "normalize", guarded):
        yield lengths

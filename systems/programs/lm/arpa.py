"""Language models in the ARPA format, which other programs read and write."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite, log
from typing import TextIO

import numpy as np

from measures.core.arrays import IntArray
from systems.programs.lm.trigrams import NEVER, ORDER, Grams, TrigramModel
from systems.programs.lm.vocabulary import BEGIN, BITS, END, UNKNOWN, Vocabulary

TEN = log(10)
MOST_GRAMS = 50_000_000
_LOW = (1 << BITS) - 1
_SECTIONS = ("\\1-grams:", "\\2-grams:", "\\3-grams:")


def arpa_lines(model: TrigramModel) -> Iterator[str]:
    r"""Yield the lines of a model's ARPA file.

    Parameters
    ----------
    model : TrigramModel
        The model.

    Yields
    ------
    str
        A line without its end. Probabilities are logarithms to base 10, with seven decimals.

    Examples
    --------
    >>> from systems.programs.lm.trigrams import trained
    >>> lines = list(arpa_lines(trained([["a", "b"], ["b"]], least=1)))
    >>> lines[1:4]
    ['\\data\\', 'ngram 1=5', 'ngram 2=5']
    """
    orders = (model.unigrams, model.bigrams, model.trigrams)
    yield ""
    yield "\\data\\"
    for order, grams in enumerate(orders, start=1):
        yield f"ngram {order}={len(grams.keys)}"
    for order, (section, grams) in enumerate(zip(_SECTIONS, orders, strict=True), start=1):
        yield ""
        yield section
        for key, log_p, log_b in zip(*(each.tolist() for each in grams), strict=True):
            words = " ".join(model.vocabulary.words[each] for each in _numbers(key, order))
            weight = f"\t{log_b / TEN:.7f}" if order < ORDER else ""
            yield f"{log_p / TEN:.7f}\t{words}{weight}"
    yield ""
    yield "\\end\\"


def _numbers(key: int, order: int) -> list[int]:
    return [key >> BITS * place & _LOW for place in reversed(range(order))]


def read_arpa(stream: TextIO) -> TrigramModel:
    r"""Read a model of order 3 from an ARPA file.

    Parameters
    ----------
    stream : TextIO
        The file.

    Returns
    -------
    TrigramModel
        The model; it knows no counts and no discounts.

    Raises
    ------
    ValueError
        If the file is none, is not of order 3, lacks a word or a history that it uses, has a number that is none, or
        is larger than it may be; with the number of the line.

    Examples
    --------
    >>> from io import StringIO
    >>> from systems.programs.lm.trigrams import trained
    >>> model = trained([["a", "b"], ["b"]], least=1)
    >>> again = read_arpa(StringIO("\n".join(arpa_lines(model))))
    >>> bool(np.allclose(again.sentence(["b"]), model.sentence(["b"]), atol=1e-6))
    True
    """
    lines = _Lines(stream)
    sizes = lines.sizes()
    first = lines.grams(1, sizes[0])
    tables: list[tuple[list[tuple[str, ...]], list[float], list[float]]] = [first]
    tables += [lines.grams(order, sizes[order - 1]) for order in (2, 3)]
    named = {gram[0] for gram in first[0]}
    if missing := {BEGIN, END} - named:
        raise ValueError(f"the file has no {' and no '.join(sorted(missing))}")
    words = [UNKNOWN, BEGIN, END, *(gram[0] for gram in first[0] if gram[0] not in {UNKNOWN, BEGIN, END})]
    vocabulary = Vocabulary(tuple(words))
    unigrams, bigrams, trigrams = (_table(vocabulary, *table) for table in tables)
    if UNKNOWN not in named:
        unigrams = Grams(
            np.insert(unigrams.keys, 0, 0), np.insert(unigrams.log_p, 0, NEVER), np.insert(unigrams.log_b, 0, 0.0)
        )
    if not np.isin(trigrams.keys >> BITS, bigrams.keys).all():
        raise ValueError("a trigram has a history that is no bigram of the file")
    return TrigramModel(vocabulary, unigrams, bigrams, trigrams, (), (), np.zeros(len(vocabulary), dtype=np.int64))


class _Lines:
    """The lines of a file, with their numbers in every error."""

    def __init__(self, stream: TextIO) -> None:
        self._lines = enumerate(stream, start=1)

    def _next(self) -> tuple[int, str]:
        for number, line in self._lines:
            if text := line.strip():
                return number, text
        raise ValueError("the file ends too early")

    def _refuse(self, number: int, reason: str) -> ValueError:
        return ValueError(f"line {number}: {reason}")

    def sizes(self) -> list[int]:
        number, text = self._next()
        if text != "\\data\\":
            raise self._refuse(number, "an ARPA file begins with \\data\\")
        sizes = []
        for order in range(1, ORDER + 1):
            number, text = self._next()
            begin, _, size = text.partition("=")
            if begin.split() != ["ngram", str(order)] or not size.strip().isdecimal():
                raise self._refuse(number, f"the number of {order}-grams is wanted, of a model of order {ORDER}")
            sizes.append(int(size))
        if sum(sizes) > MOST_GRAMS:
            raise self._refuse(number, f"{sum(sizes):,} n-grams, at most {MOST_GRAMS:,} can be read")
        return sizes

    def grams(self, order: int, size: int) -> tuple[list[tuple[str, ...]], list[float], list[float]]:
        number, text = self._next()
        if text != _SECTIONS[order - 1]:
            raise self._refuse(number, f"{_SECTIONS[order - 1]} is wanted")
        grams, log_p, log_b = [], [], []
        for _ in range(size):
            number, text = self._next()
            fields = text.split("\t") if "\t" in text else text.split()
            if "\t" in text:
                fields = [fields[0], *fields[1].split(" "), *fields[2:]]
            if not order + 1 <= len(fields) <= order + 2:
                raise self._refuse(number, f"a probability, {order} words and at most a weight are wanted")
            try:
                numbers = [float(each) * TEN for each in (fields[0], *fields[order + 1 :])]
            except ValueError:
                raise self._refuse(number, "a number is none") from None
            if not all(isfinite(each) for each in numbers):
                raise self._refuse(number, "a number is not finite")
            grams.append(tuple(fields[1 : order + 1]))
            log_p.append(max(numbers[0], NEVER))
            log_b.append(numbers[1] if len(numbers) > 1 else 0.0)
        return grams, log_p, log_b


def _table(vocabulary: Vocabulary, grams: list[tuple[str, ...]], log_p: list[float], log_b: list[float]) -> Grams:
    known = set(vocabulary.words)
    keys = np.zeros(len(grams), dtype=np.int64)
    for place, gram in enumerate(grams):
        for word in gram:
            if word not in known:
                raise ValueError(f"{word!r} is in an n-gram, but no unigram")
            keys[place] = keys[place] << BITS | vocabulary.number(word)
    order = np.argsort(keys, kind="stable")
    sorted_keys: IntArray = keys[order]
    if (np.diff(sorted_keys) == 0).any():
        raise ValueError("an n-gram is there twice")
    return Grams(sorted_keys, np.array(log_p)[order], np.array(log_b)[order])

"""Agreement in parts of a release: by genre, by number of sentences, by length of the source."""

from collections.abc import Iterator

import numpy as np

from agreement.question import Question
from agreement.rows import ReportRow, pair_rows
from agreement.table_four import simulated
from measures.arrays import BoolArray, IntArray
from measures.text import word_count

BY_GENRE, BY_SENTENCES, BY_LENGTH = "by genre", "by sentences", "by length of the source"
GROUPINGS = (BY_GENRE, BY_SENTENCES, BY_LENGTH)


def group_rows(question: Question) -> list[ReportRow]:
    """A rater against the others within each part."""
    rows: list[ReportRow] = []
    for grouping, parts in _groupings(question):
        for name, chosen in parts:
            here = simulated(question, rows=question.crowd[chosen])
            rows += [row.of(name) for row in pair_rows(question.scale.key, grouping, here)]
    return rows


Part = tuple[str, BoolArray]


def _groupings(question: Question) -> Iterator[tuple[str, list[Part]]]:
    """Each way of dividing, with its parts in their order: the name, and which rows it has."""
    genres = np.array([source.genre for source in question.sources])
    sentences = np.array([source.sentences for source in question.sources])
    yield BY_GENRE, [(str(genre), genres == genre) for genre in np.unique(genres)]
    yield (
        BY_SENTENCES,
        [
            ("1 sentence" if number == 1 else f"{number} sentences", sentences == number)
            for number in np.unique(sentences)
        ],
    )
    yield BY_LENGTH, thirds(np.array([word_count(source.text) for source in question.sources]))


def thirds(words: IntArray) -> list[Part]:
    """Three parts of about as many rows, or fewer; those of the same length are in the same part."""
    if not len(words):
        return []
    low, high = (int(edge) for edge in np.quantile(words, [1 / 3, 2 / 3], method="lower"))
    parts = [
        (f"up to {low} words", words <= low),
        (f"{low + 1} to {high} words" if high > low + 1 else f"{high} words", (words > low) & (words <= high)),
        (f"more than {high} words", words > high),
    ]
    return [(name, chosen) for name, chosen in parts if chosen.any()]

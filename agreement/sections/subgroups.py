"""Agreement in parts of a release: by genre, by number of sentences, by length of the source."""

from collections.abc import Iterator

import numpy as np

from agreement.report_rows import ReportRow
from agreement.scale_ratings import ScaleRatings
from agreement.sections.base import ReportSection
from agreement.sections.paper_table import crowd_rows
from measures.core.arrays import BoolArray
from measures.sampling.terciles import thirds
from measures.text.segmentation import word_count

BY_GENRE, BY_SENTENCES, BY_LENGTH = "by genre", "by sentences", "by length of the source"
GROUPINGS = (BY_GENRE, BY_SENTENCES, BY_LENGTH)


def group_rows(ratings: ScaleRatings) -> list[ReportRow]:
    """A rater against the others within each part."""
    rows: list[ReportRow] = []
    for grouping, parts in _groupings(ratings):
        for name, chosen in parts:
            rows += [row.of(name) for row in crowd_rows(ratings, grouping, rows=chosen)]
    return rows


Part = tuple[str, BoolArray]


def _groupings(ratings: ScaleRatings) -> Iterator[tuple[str, list[Part]]]:
    """Each way of dividing, with its parts in their order: the name, and which rows it has."""
    genres = np.array([source.genre for source in ratings.sources])
    sentences = np.array([source.sentences for source in ratings.sources])
    yield BY_GENRE, [(str(genre), genres == genre) for genre in np.unique(genres)]
    yield (
        BY_SENTENCES,
        [
            ("1 sentence" if number == 1 else f"{number} sentences", sentences == number)
            for number in np.unique(sentences)
        ],
    )
    yield BY_LENGTH, thirds(np.array([word_count(source.text) for source in ratings.sources]))


SECTIONS = [ReportSection(40, group_rows)]

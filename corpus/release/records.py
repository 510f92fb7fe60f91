"""The content of a release, independent of file formats."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from measures.keystrokes.edit_log import published_log
from measures.text.length_rule import allowed_length
from measures.text.normalization import length

NO_Z_SCORES: Mapping[str, float | None] = {}


@dataclass(frozen=True)
class ReleasedRating:
    """One rating: its points by scale, or numbers of scales of a file. `rater` is empty if unknown; `day` is in UTC.

    The z-scores are of the scales of files; None where there is none. `arm` is the one into which the rater was drawn,
    empty without arms.
    """

    rater: str
    scores: Mapping[str, Any]
    day: date | None = None
    z_scores: Mapping[str, float | None] = field(default_factory=lambda: NO_Z_SCORES)
    arm: str = ""


Ratings = tuple[ReleasedRating, ...]


@dataclass(frozen=True)
class ReleasedAlignment:
    """An alignment as staff corrected it: for each word its place in the source, or None for an inserted one."""

    source_words: tuple[str, ...]
    words: tuple[str, ...]
    places: tuple[int | None, ...]
    version: int


@dataclass(frozen=True)
class ReleasedText:
    """A distinct compression with its editors, and the ratings of the crowd and, separately, of experts."""

    text: str
    editors: tuple[str, ...]
    ratings: Ratings
    expert_ratings: Ratings = ()
    alignment: ReleasedAlignment | None = None


@dataclass(frozen=True)
class ReleasedOutput:
    """An automatic system's output for a source.

    Where another system or a person has the same text, all of them have the ratings of that text, but for the pools of
    `rated_apart`: in these the output was rated by itself.
    """

    system: str
    text: str
    ratings: Ratings
    expert_ratings: Ratings = ()
    alignment: ReleasedAlignment | None = None
    rated_apart: tuple[str, ...] = ()
    is_over_length: bool = False
    """Longer than editors could write, and taken as it is."""


def is_over_length(source: str, output: str, keep_percent: int | None) -> bool:
    """Whether an output is longer than editors could write; it is not where nobody knows how long that is."""
    return keep_percent is not None and length(output) > allowed_length(source, keep_percent)


@dataclass(frozen=True)
class ReleasedComparison:
    """Two texts of a source rated side by side: 1 prefers the first, 2 neither, 3 the second."""

    first: str
    second: str
    ratings: Ratings
    expert_ratings: Ratings = ()


@dataclass(frozen=True)
class WrittenText:
    """One editor's work on one source: the initial content of the box ("source" or "empty"), and every edit."""

    editor: str
    text: str
    started_from: str
    edit_log: list[Any]
    has_exact_times: bool = False

    @property
    def published_log(self) -> list[Any]:
        return published_log(self.edit_log, is_exact=self.has_exact_times)


Subject = ReleasedText | ReleasedOutput | ReleasedComparison


@dataclass
class ReleasedSource:
    source_id: str
    genre: str
    text: str
    sentences: int
    paragraph_id: str
    family: str
    split: str = ""
    texts: list[ReleasedText] = field(default_factory=list)
    outputs: list[ReleasedOutput] = field(default_factory=list)
    comparisons: list[ReleasedComparison] = field(default_factory=list)
    nuggets: tuple[str, ...] = ()

    @property
    def subjects(self) -> list[Subject]:
        """Everything of the source that can have ratings."""
        return [*self.texts, *self.outputs, *self.comparisons]

    @property
    def stratum(self) -> str:
        return f"{self.genre}|{self.sentences}"


@dataclass
class LeftOut:
    """Counts of what a release leaves out, by reason."""

    removed_raters: int = 0
    removed_editors: int = 0
    ratings_of_removed_raters: int = 0
    texts_of_removed_editors: int = 0
    texts_without_rating: int = 0
    texts_with_too_few_ratings: int = 0
    comparisons_with_too_few_ratings: int = 0
    sources_without_text: int = 0
    sources_with_outputs_only: int = 0
    sources_with_too_few_compressions: int = 0
    outputs_of_left_out_sources: int = 0

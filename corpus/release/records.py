"""What a release holds, apart from any file format."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any


@dataclass(frozen=True)
class ReleasedRating:
    """One judgement: its points by scale. `rater` is empty where nobody knows who it was; `day` is that of UTC."""

    rater: str
    scores: Mapping[str, int]
    day: date | None = None


Ratings = tuple[ReleasedRating, ...]


@dataclass(frozen=True)
class ReleasedText:
    """A distinct compression: who wrote it, and how the crowd and, apart from it, experts judged it."""

    text: str
    editors: tuple[str, ...]
    ratings: Ratings
    expert_ratings: Ratings = ()


@dataclass(frozen=True)
class ReleasedOutput:
    """What an automatic system made of a source."""

    system: str
    text: str
    ratings: Ratings
    expert_ratings: Ratings = ()


@dataclass(frozen=True)
class ReleasedComparison:
    """Two texts of a source that were judged side by side: 1 is for the first, 2 for neither, 3 for the second."""

    first: str
    second: str
    ratings: Ratings
    expert_ratings: Ratings = ()


@dataclass(frozen=True)
class WrittenText:
    """One editor's work on one source: what the box held at first ("source" or "empty"), and every change of it."""

    editor: str
    text: str
    started_from: str
    edit_log: list[Any]


Judged = ReleasedText | ReleasedOutput | ReleasedComparison


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

    @property
    def judged(self) -> list[Judged]:
        """All that was made of the source and judged."""
        return [*self.texts, *self.outputs, *self.comparisons]

    @property
    def stratum(self) -> str:
        return f"{self.genre}|{self.sentences}"


@dataclass
class LeftOut:
    """What a release does not hold, counted by reason."""

    removed_raters: int = 0
    removed_editors: int = 0
    ratings_of_removed_raters: int = 0
    texts_of_removed_editors: int = 0
    texts_without_rating: int = 0
    texts_with_too_few_ratings: int = 0
    comparisons_with_too_few_ratings: int = 0
    sources_without_text: int = 0
    sources_with_too_few_compressions: int = 0

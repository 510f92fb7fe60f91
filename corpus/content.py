"""What a release holds, apart from any file format."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ReleasedRating:
    """One judgement: its points by scale. `rater` is empty where nobody knows who it was."""

    rater: str
    scores: Mapping[str, int]


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


@dataclass(frozen=True)
class LeftOut:
    """What a release does not hold, counted by reason."""

    removed_raters: int
    removed_editors: int
    ratings_of_removed_raters: int
    texts_of_removed_editors: int
    texts_without_rating: int
    sources_without_text: int


@dataclass(frozen=True)
class Content:
    sources: Sequence[ReleasedSource]
    left_out: LeftOut

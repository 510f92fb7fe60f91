"""What a release holds, apart from any file format."""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ReleasedRating:
    rater: int
    meaning: int
    grammar: int


@dataclass(frozen=True)
class ReleasedText:
    """A distinct compression: who wrote it, and how it was judged."""

    text: str
    editors: tuple[int, ...]
    ratings: tuple[ReleasedRating, ...]


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

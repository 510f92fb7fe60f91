"""What a format of a release is."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from common.extras import Extra
from corpus.release.folder import ReleaseFolder
from corpus.release.records import ReleasedSource, WrittenText
from crowd.scales import Scale


class FormatWriter(ABC):
    """Writes the files of one format into the folder of a release, source by source."""

    def __init__(self, folder: ReleaseFolder, scales: tuple[Scale, ...]) -> None:
        self.folder, self.scales = folder, scales

    @abstractmethod
    def add(self, source: ReleasedSource, written: Sequence[WrittenText]) -> None:
        """Write a source and how its texts were written. Streams of the folder need not be closed."""

    def close(self) -> None:  # noqa: B027  (most formats have nothing left to do)
        """Finish files that are not streams of the folder, which are closed by now, and add them to it."""


@dataclass(frozen=True)
class CardFacts:
    """What a format's sentence in the dataset card may depend on; `parser` is empty where none was used."""

    summary: dict[str, Any]
    parser: str


@dataclass(frozen=True)
class ReleaseFormat:
    """A format: its name, its rank among the others, its writer, and what the dataset card says about its files.

    A format without a writer is written in a pass of its own, after the others. Where the extra that it needs is not
    installed, a release is frozen without its `files`, and says so.
    """

    name: str
    rank: int
    writer: type[FormatWriter] | None
    card: Callable[[CardFacts], str] = lambda _: ""
    needs: Extra | None = None
    files: tuple[str, ...] = ()

    @property
    def is_writable(self) -> bool:
        return self.needs is None or self.needs.is_installed

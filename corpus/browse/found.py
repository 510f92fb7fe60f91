"""The sources of a finished release that are looked for, read from its frozen file, a page at a time."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from compressions.genres import genre_label
from corpus.browse.steps import Log, logs_of
from corpus.formats.history import LOGS_FILE
from corpus.formats.jsonl import CORPUS_FILE, jsonl_read
from corpus.models import Release
from corpus.release.records import ReleasedSource
from corpus.selectors import release_file

SOURCES_PER_PAGE, TEXTS_PER_PAGE = 20, 200
SOURCES_AT_ONCE, BYTES_AT_ONCE = 10_000, 64 << 20
"""What is read for one answer at most; the next page goes on there."""


@dataclass(frozen=True)
class Wanted:
    """Which sources: empty is any. Words are looked for in the source and in all that was made of it."""

    words: str = ""
    split: str = ""
    genre: str = ""
    system: str = ""

    def has(self, source: ReleasedSource) -> bool:
        if self.split not in {"", source.split} or self.genre not in {"", genre_label(source.genre)}:
            return False
        if self.system and self.system not in {output.system for output in source.outputs}:
            return False
        words = self.words.casefold()
        made = [each.text for each in source.texts] + [each.text for each in source.outputs]
        return any(words in text.casefold() for text in (source.source_id, source.text, *made))


@dataclass(frozen=True)
class Found:
    """Sources, each with its place in the release from 1, and up to which place the release was read."""

    sources: list[tuple[int, ReleasedSource]]
    stop: int


def sources_found(release: Release, wanted: Wanted, begin: int) -> Found:
    """Look for sources behind the first `begin`."""
    found: list[tuple[int, ReleasedSource]] = []
    stop = begin
    texts = 0
    with release_file(release, CORPUS_FILE) as path, path.open("rb") as lines:
        read = jsonl_read(_some(islice(lines, begin, begin + SOURCES_AT_ONCE)))
        for number, source in enumerate(read, start=begin + 1):
            if wanted.has(source):
                texts += len(source.texts) + len(source.outputs)
                if found and texts > TEXTS_PER_PAGE:
                    break
                found.append((number, source))
            stop = number
            if len(found) == SOURCES_PER_PAGE:
                break
    return Found(found, stop)


def _some(lines: Iterable[bytes]) -> Iterator[bytes]:
    size = 0
    for line in lines:
        yield line
        size += len(line)
        if size > BYTES_AT_ONCE:
            break


def logs_found(release: Release, sources: list[tuple[int, ReleasedSource]]) -> Mapping[str, list[Log]]:
    """Return the logs of some sources, in the order of the release, by their ids."""
    if not sources or not release.summary.get("edit_logs"):
        return {}
    with release_file(release, LOGS_FILE) as path, path.open("rb") as lines:
        return logs_of(lines, [source.source_id for _number, source in sources])

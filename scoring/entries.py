"""The texts of a release to score: system outputs against people's texts, and each of these against the others."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from corpus.release.records import ReleasedSource

PEOPLE = ""


@dataclass(frozen=True)
class ScoredText:
    """A text to score and its references.

    `source_index` is the index of the source in the release; `system` is empty for a text that people wrote.
    """

    source_index: int
    source: ReleasedSource
    system: str
    text: str
    references: tuple[str, ...]


def scored_texts(sources: Iterable[ReleasedSource], first_index: int) -> Iterator[ScoredText]:
    """Yield system outputs with all of people's texts as references, and people's texts with the source's others."""
    for index, source in enumerate(sources, start=first_index):
        written = tuple(text.text for text in source.texts)
        if written:
            yield from (ScoredText(index, source, output.system, output.text, written) for output in source.outputs)
        if len(written) > 1:
            for number, text in enumerate(written):
                yield ScoredText(index, source, PEOPLE, text, written[:number] + written[number + 1 :])


def system_name(system: str) -> str:
    """Return the name shown in tables, which keeps people apart from a system named "people"."""
    return {PEOPLE: "people", "people": "people (a system)"}.get(system, system)

"""What is scored of a release: outputs of systems beside people's texts, and each of these beside the others."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from corpus.release.records import ReleasedSource

PEOPLE = ""


@dataclass(frozen=True)
class ScoredText:
    """An output, and what it is compared with. `system` is empty for a text that people wrote.

    `place` is that of the source in the release.
    """

    place: int
    source: ReleasedSource
    system: str
    text: str
    references: tuple[str, ...]


def scored_texts(sources: Iterable[ReleasedSource], first_place: int) -> Iterator[ScoredText]:
    """Outputs of systems with all people's texts as references; people's texts with the others of their source."""
    for place, source in enumerate(sources, start=first_place):
        written = tuple(text.text for text in source.texts)
        if written:
            yield from (ScoredText(place, source, output.system, output.text, written) for output in source.outputs)
        if len(written) > 1:
            for number, text in enumerate(written):
                yield ScoredText(place, source, PEOPLE, text, written[:number] + written[number + 1 :])


def system_name(system: str) -> str:
    """As tables call it: people, and a system that calls itself so, are not mistaken for each other."""
    return {PEOPLE: "people", "people": "people (a system)"}.get(system, system)

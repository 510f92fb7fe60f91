"""The texts of a release to score: system outputs against people's texts, and each of these against the others."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from corpus.release.records import ReleasedSource
from measures.metrics import Options

PEOPLE = ""


@dataclass(frozen=True)
class ScoredText:
    """A text to score and its references.

    `source_index` is the index of the source in the release; `system` is empty for a text that people wrote. `weight`
    is how often the text counts in means: once, or once for each of its editors.
    """

    source_index: int
    source: ReleasedSource
    system: str
    text: str
    references: tuple[str, ...]
    weight: int = 1


def written_texts(source: ReleasedSource) -> list[str]:
    """Return what people wrote for a source, a text of several editors once for each of them."""
    return [text.text for text in source.texts for _ in range(max(1, len(text.editors)))]


def scored_texts(sources: Iterable[ReleasedSource], first_index: int, options: Options) -> Iterator[ScoredText]:
    """Yield system outputs with all of people's texts as references, and people's texts with the source's others.

    Weighed by editor, a text of two editors is beside itself: each of them is scored by what the other wrote.
    """
    for index, source in enumerate(sources, start=first_index):
        written = tuple(options.references(written_texts(source)))
        if written:
            yield from (ScoredText(index, source, output.system, output.text, written) for output in source.outputs)
        if len(written) > 1:
            for text in dict.fromkeys(written):
                number = written.index(text)
                others = written[:number] + written[number + 1 :]
                yield ScoredText(index, source, PEOPLE, text, others, written.count(text))


def system_name(system: str) -> str:
    """Return the name shown in tables, which keeps people apart from a system named "people"."""
    return {PEOPLE: "people", "people": "people (a system)"}.get(system, system)
